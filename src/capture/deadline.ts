import { AgentGateError } from '../util/errors.ts';

/** A time limit that covers several steps. Times are in milliseconds and leave out what was paused. */
export interface Deadline {
  /** Aborts at the limit, and when the outer signal does. */
  readonly signal: AbortSignal;
  readonly ms: number;
  elapsed(): number;
  /** Runs `work` with the clock stopped. */
  paused<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Starts the clock. `outer` aborts at once. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let used = 0;
  let from = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    from = performance.now();
    timer = setTimeout(() => controller.abort(), Math.max(0, ms - used));
  };
  const onabort = (): void => controller.abort(new AgentGateError('E_ABORTED', 'the run was stopped'));
  if (outer?.aborted === true) onabort();
  outer?.addEventListener('abort', onabort);
  run();
  const elapsed = (): number => used + (timer === undefined ? 0 : performance.now() - from);
  const halt = (): void => {
    used = elapsed();
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    signal: controller.signal,
    ms,
    elapsed,
    paused: async (work) => {
      halt();
      try {
        return await work();
      } finally {
        run();
      }
    },
    stop: () => {
      halt();
      outer?.removeEventListener('abort', onabort);
    },
  };
}
