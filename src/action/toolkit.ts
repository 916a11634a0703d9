import { logSafe } from '../util/log-safe.ts';

/** What is used of `@actions/core`. */
export type Core = Pick<
  typeof import('@actions/core'),
  'error' | 'warning' | 'notice' | 'setOutput' | 'setSecret' | 'isDebug' | 'summary'
>;

/** Loaded when something is to be said, not at the start: it brings an HTTP client that delays the first server. */
export async function loadCore(): Promise<Core> {
  return await import('@actions/core');
}

/** Prints to the log, with nothing in it that the runner could take for a command. */
export function log(text: string): void {
  process.stdout.write(`${logSafe(text)}\n`);
}
