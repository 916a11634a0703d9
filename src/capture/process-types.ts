import type { Readable, Writable } from 'node:stream';

export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  pid: number | undefined;
  /** the last 16 KiB of stderr, raw bytes decoded leniently */
  stderrTail(): string;
  /** resolves once, when the process ended */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; error?: Error }>;
  /** ends everything the server started; idempotent; resolves when gone. `patient`: nobody is kept by a moment more */
  end(patient?: boolean): Promise<void>;
  isolation: string;
  /** host facts to mask: real cwd, private HOME, private TMPDIR as the server saw them */
  paths: { cwd: string; home: string; tmpdir: string };
}
