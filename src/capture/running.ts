import { setMaxListeners } from 'node:events';
import { AgentGateError } from '../util/errors.ts';
import { removeAllFoldersSync } from './private-folders.ts';

/** A started thing that must not outlive this process. */
export interface Running {
  /** Ends it; resolves when it is gone. `hurry` skips the grace for a server that would stop by itself. */
  end(hurry?: boolean): Promise<void>;
  /** Kills it at once, without waiting: all that an `exit` handler can do. */
  killSync(): void;
}

const running = new Set<Running>();
const stop = new AbortController();
// Every server that runs at once listens, and there may be hundreds.
setMaxListeners(0, stop.signal);

/** Puts a started process under the watch of `endAll` and the handlers. Returns the function that takes it out. */
export function register(entry: Running): () => void {
  running.add(entry);
  return () => {
    running.delete(entry);
  };
}

/** How many are under watch. */
export function runningCount(): number {
  return running.size;
}

/** Aborts, with `E_ABORTED`, when this process was told to stop (see {@link installSignalHandlers}). */
export function stopSignal(): AbortSignal {
  return stop.signal;
}

/** To be called right before something is started: throws `E_ABORTED` once this process, or `signal`, was told to stop. */
export function refuseWhenStopped(signal?: AbortSignal): void {
  if (stop.signal.aborted || signal?.aborted === true) throw stopped();
}

function stopped(): AgentGateError {
  return new AgentGateError('E_ABORTED', 'the run was stopped');
}

/** Ends everything that is registered; resolves when all is gone. */
export async function endAll(hurry = true): Promise<void> {
  await Promise.allSettled([...running].map((entry) => entry.end(hurry)));
}

/** Kills everything that is registered and removes every private folder, synchronously. */
function killAllSync(): void {
  for (const entry of running) entry.killSync();
  running.clear();
  removeAllFoldersSync();
}

/**
 * Makes this process end its servers when it is told to stop: SIGINT, SIGTERM, SIGHUP (the runner sends SIGINT,
 * after 7.5 s SIGTERM, after 2.5 s kill), and on any exit. From the signal on nothing is started any more. For entry
 * points; returns a function that undoes it. After ending them the process exits with 128 + the signal's number; a
 * second signal makes that at once.
 */
export function installSignalHandlers(): () => void {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
  const onSignal = (signal: keyof typeof numbers): void => {
    const leave = (): never => process.exit(128 + numbers[signal]);
    if (stop.signal.aborted) leave();
    stop.abort(stopped());
    void endAll().finally(leave);
  };
  const names = Object.keys(numbers) as (keyof typeof numbers)[];
  for (const name of names) process.on(name, onSignal);
  process.on('exit', killAllSync);
  return () => {
    for (const name of names) process.off(name, onSignal);
    process.off('exit', killAllSync);
  };
}

/**
 * Makes an error that nobody caught end this process with code 2, an incomplete answer: Node's own code would be 1,
 * which says drift. `say` prints it. For entry points.
 */
export function installCrashHandler(say: (error: unknown) => void): void {
  process.on('uncaughtException', (error: unknown) => {
    try {
      say(error);
    } finally {
      process.exit(2);
    }
  });
}
