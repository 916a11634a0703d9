import { AgentGateError } from '../util/errors.ts';

/** A time limit that covers several steps, in milliseconds. */
export interface Deadline {
  /** Aborts at the limit, and when the outer signal does; then its reason is an `AgentGateError` (`E_ABORTED`). */
  readonly signal: AbortSignal;
  readonly ms: number;
  elapsed(): number;
  stop(): void;
}

/** Starts the clock. `outer` aborts at once; `reason` makes the signal's reason at the limit. */
export function startDeadline(ms: number, outer?: AbortSignal, reason?: () => AgentGateError): Deadline {
  const controller = new AbortController();
  const from = performance.now();
  const timer = setTimeout(() => controller.abort(reason?.()), ms);
  const onabort = (): void => controller.abort(new AgentGateError('E_ABORTED', 'the run was stopped'));
  if (outer?.aborted === true) onabort();
  outer?.addEventListener('abort', onabort);
  return {
    signal: controller.signal,
    ms,
    elapsed: () => performance.now() - from,
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onabort);
    },
  };
}
