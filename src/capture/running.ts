import { removeAllFoldersSync } from './private-folders.ts';

/** A started thing that must not outlive this process. */
export interface Running {
  /** Ends it; resolves when it is gone. `hurry` skips the grace for a server that would stop by itself. */
  end(hurry?: boolean): Promise<void>;
  /** Kills it at once, without waiting: all that an `exit` handler can do. */
  killSync(): void;
}

const running = new Set<Running>();

/** Puts a started process under the watch of `endAll` and the handlers. Returns the function that takes it out. */
export function register(entry: Running): () => void {
  running.add(entry);
  return () => {
    running.delete(entry);
  };
}

/** Ends everything that is registered; resolves when all is gone. */
export async function endAll(hurry = true): Promise<void> {
  await Promise.allSettled([...running].map((entry) => entry.end(hurry)));
}

/** Kills everything that is registered and removes every private folder, synchronously. */
export function killAllSync(): void {
  for (const entry of running) entry.killSync();
  running.clear();
  removeAllFoldersSync();
}

/**
 * Makes this process end its servers when it is told to stop: SIGINT, SIGTERM, SIGHUP (the runner sends SIGINT,
 * after 7.5 s SIGTERM, after 2.5 s kill), and on any exit. For entry points; returns a function that undoes it.
 * After ending them the process exits with 128 + the signal's number.
 */
export function installSignalHandlers(): () => void {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  let stopping = false;
  const onSignal = (signal: keyof typeof numbers): void => {
    if (stopping) {
      killAllSync();
      process.exit(128 + numbers[signal]);
    }
    stopping = true;
    void endAll().finally(() => process.exit(128 + numbers[signal]));
  };
  const names = Object.keys(numbers) as (keyof typeof numbers)[];
  for (const name of names) process.on(name, onSignal);
  process.on('exit', killAllSync);
  return () => {
    for (const name of names) process.off(name, onSignal);
    process.off('exit', killAllSync);
  };
}
