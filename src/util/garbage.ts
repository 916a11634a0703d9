import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * To be called when this process begins to hold much text. V8 lets the heap grow to a multiple of what is alive, which
 * is fine for the few megabytes of a usual run, and too much where servers send all that they may.
 */
export function collectSooner(): void {
  if (collect !== undefined) return;
  setFlagsFromString('--heap-growing-percent=25');
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  collect = typeof gc === 'function' ? () => void gc() : () => {};
}

/** Between two steps that each make large texts: frees those of the first. Does nothing in a usual run. */
export function collectGarbage(): void {
  collect?.();
}
