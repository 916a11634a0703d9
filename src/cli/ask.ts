import { createInterface } from 'node:readline';
import type { Io } from './io.ts';

/** Asks a yes-or-no question on the terminal; everything but `y` and `yes` is no: Ctrl-C and the end of input too. */
export function ask(io: Io, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: io.stdin, output: io.stderr });
    lines.once('close', () => {
      io.stderr.write('\n');
      resolve(false);
    });
    lines.once('SIGINT', () => lines.close());
    lines.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      lines.removeAllListeners('close');
      lines.close();
    });
  });
}
