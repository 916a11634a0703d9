import { visibleLine } from '../util/hidden.ts';

/** Names and pointers from outside are cut here in a message, in UTF-16 code units. */
const MAX_SHOWN = 120;

/** A text from outside, on one line, without hidden characters, cut. */
export function shown(text: string): string {
  const line = visibleLine(text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN).toWellFormed() : text);
  return text.length > MAX_SHOWN ? `${line}…` : line;
}
