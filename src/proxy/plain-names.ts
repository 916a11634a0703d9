import { pointer, pointerTokens } from '../util/json.ts';

const WORD = /^[A-Za-z0-9_$.@-]{1,48}$/;
const NAME = /^[A-Za-z0-9_$.@:/-]{1,64}$/;

/** In place of a text that nobody has reviewed and that is no plain word: an agent would read it as ours. */
const LEFT_OUT = '…';

/** A name that a server gave, where it is a plain word. */
export function plainName(name: string): string {
  return NAME.test(name) ? name : LEFT_OUT;
}

/** A JSON pointer into what a server sent, with the plain words of it. */
export function plainPointer(text: string): string {
  return pointer(...pointerTokens(text).map((token) => (WORD.test(token) ? token : LEFT_OUT)));
}
