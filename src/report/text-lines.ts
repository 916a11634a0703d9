import { columnsOf, isClosing } from '../drift/text-columns.ts';
import { visible } from '../util/hidden.ts';

/** Columns of a text's line in a fence: GitHub's comment column shows about 100 without scrolling. */
export const FENCE_WIDTH = 88;

/** A line of a fence in which parts are emphasised, or that stands for lines that were not drawn. */
export interface MarkedLine {
  text: string;
  /** Start and end of each emphasised part, in UTF-16 units of `text`. */
  marks?: readonly (readonly [number, number])[];
  /** Lines that this one stands for. */
  count?: number;
}

export type FenceLine = string | MarkedLine;

/** The text of a fence's line. */
export function lineText(line: FenceLine): string {
  return typeof line === 'string' ? line : line.text;
}

/**
 * The text as lines of at most `width` columns, broken at blanks where there are any, so that nothing is
 * hidden by scrolling (a known trick is a long run of blanks before the payload). Hidden characters are made visible.
 */
export function wrapLines(words: string, width = FENCE_WIDTH): string[] {
  const out: string[] = [];
  for (const line of visible(words).split('\n')) {
    let rest = line;
    for (let room = unitsFor(rest, width); room < rest.length; room = unitsFor(rest, width)) {
      const at = rest.lastIndexOf(' ', room);
      const cutAt = at > room / 3 ? at + 1 : beforeClosing(rest, room);
      out.push(rest.slice(0, cutAt).trimEnd());
      rest = rest.slice(cutAt);
    }
    out.push(rest);
  }
  return out;
}

/** UTF-16 units of the text's start that fit the columns. */
function unitsFor(text: string, width: number): number {
  if (text.length * 2 <= width) return text.length;
  const start = text.slice(0, width + 1);
  if (/^[\x20-\x7e]*$/.test(start)) return Math.min(width, text.length);
  let columns = 0;
  let units = 0;
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > width) return units;
    units += character.length;
  }
  return units;
}

/** A little before `at` when a closing sign would begin the next line. */
function beforeClosing(text: string, at: number): number {
  for (let place = at; place > at - 4 && place > 1; place--) {
    const unit = text.charCodeAt(place);
    const low = unit >= 0xdc00 && unit <= 0xdfff;
    if (!low && !isClosing(text.charAt(place))) return place;
  }
  return at;
}

/** Lines for a `diff` fence, each with its sign and a blank. */
export function signed(sign: '+' | '-' | ' ', lines: string[]): string[] {
  return lines.map((line) => `${sign} ${line}`.trimEnd());
}
