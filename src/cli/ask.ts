import { createInterface } from 'node:readline/promises';
import type { Io } from './io.ts';

/** Asks a yes-or-no question on the terminal; everything but `y` and `yes` is no. */
export async function ask(io: Io, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
