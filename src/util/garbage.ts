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
  // Else the young generation grows to three times 32 MiB, which is little time won and much memory lost.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  collect = typeof gc === 'function' ? () => void gc() : () => {};
}

/** Between two steps that each make large texts: frees those of the first. Does nothing in a usual run. */
export function collectGarbage(): void {
  collect?.();
}

/** Texts shorter than this are no matter. UTF-16 code units. */
const LARGE = 1024 * 1024;
/** After this much of large texts garbage is collected. */
const MUCH = 24 * LARGE;
let made = 0;

/**
 * To be told of every large text that was made and let go: V8 keeps those until its heap has grown by a good part, and
 * what they take outside of it (encoded for a digest, written to a stream) does not count there at all.
 */
export function letGo(characters: number): void {
  if (collect === undefined || characters < LARGE) return;
  made += characters;
  if (made < MUCH) return;
  made = 0;
  collect();
}
