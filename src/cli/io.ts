import type { Readable, Writable } from 'node:stream';
import { withoutCommands } from '../util/log-safe.ts';

/** What a command reads from and writes to; tests pass their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export function processIo(): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
  };
}

/** Writes lines to standard error: what foreign names in them spell is no workflow command of a runner's log. */
export function tell(io: Io, lines: string): void {
  io.stderr.write(withoutCommands(`${lines}\n`));
}

/** True when colours may be used: a terminal, and nobody said no (https://no-color.org). */
export function wantsColor(
  io: Io,
  flag: boolean | undefined,
  stream: { isTTY?: boolean } = io.stdout,
): boolean {
  if (flag === false || io.env.NO_COLOR) return false;
  if (io.env.FORCE_COLOR && io.env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && io.env.TERM !== 'dumb';
}
