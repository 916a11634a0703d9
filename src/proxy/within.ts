import { AgentGateError } from '../util/errors.ts';

/** Milliseconds that a server may take over one call. */
const CALL_MS = 10 * 60_000;

/**
 * Does something with a signal that follows another one and also aborts after so many milliseconds, with an
 * `E_TIMEOUT`. Nothing is left behind: a session may make a million calls.
 */
export async function within<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  ms: number = CALL_MS,
): Promise<T> {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  const timer = setTimeout(
    () =>
      controller.abort(new AgentGateError('E_TIMEOUT', `the server did not answer within ${ms / 1000} s`)),
    ms,
  ).unref();
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', follow);
  }
}
