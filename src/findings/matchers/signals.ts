import { rawSpan } from '../plain-text.ts';
import type { TextContext, TextHit } from '../rule.ts';

/** A match in a plain text. */
export interface Signal {
  start: number;
  end: number;
  text: string;
}

/** Matches beyond this many of one pattern in one text add nothing for a reader. */
const MAX_SIGNALS = 2_000;

/** Every match of a global pattern. */
export function signals(text: string, pattern: RegExp): Signal[] {
  const found: Signal[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ start: match.index, end: match.index + match[0].length, text: match[0] });
    if (found.length >= MAX_SIGNALS) break;
  }
  return found;
}

/** Where a sentence of the plain text ends: punctuation before a blank, or a paragraph or list item's end. */
const BREAK = /[.!?;](?=\s|$)|\n/g;

/** The first `a` with a `b` in reach: no more than `reach` units between them, and `breaks` sentence ends. */
export function near(
  text: string,
  a: readonly Signal[],
  b: readonly Signal[],
  reach: number,
  breaks = 0,
): [Signal, Signal] | undefined {
  let from = 0;
  for (const one of a) {
    while (from < b.length && (b[from] as Signal).end < one.start - reach) from++;
    for (let i = from; i < b.length && i < from + 50; i++) {
      const other = b[i] as Signal;
      if (other.start > one.end + reach) break;
      if (other === one || (other.start >= one.start && other.end <= one.end && other.text === one.text))
        continue;
      const between = text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start));
      if ((between.match(BREAK)?.length ?? 0) <= breaks) return [one, other];
    }
  }
  return undefined;
}

/** The sentence around a signal, cut to `reach` on both sides. */
export function sentenceAround(text: string, signal: Signal, reach = 300): Signal {
  const from = Math.max(0, signal.start - reach);
  const before = text.slice(from, signal.start);
  let start = from;
  for (const match of before.matchAll(BREAK)) start = from + match.index + 1;
  const after = text.slice(signal.end, signal.end + reach);
  BREAK.lastIndex = 0;
  const stop = BREAK.exec(after);
  const end = signal.end + (stop ? stop.index : after.length);
  return { start, end, text: text.slice(start, end) };
}

/** A hit over the given signals, in the raw text's offsets. */
export function hit(context: TextContext, message: string, ...parts: readonly Signal[]): TextHit {
  const start = Math.min(...parts.map((part) => part.start));
  const end = Math.max(...parts.map((part) => part.end));
  return { ...rawSpan(context.plain, start, end), message };
}

/** The first hit of the first of `patterns` that matches. */
export function firstHit(context: TextContext, patterns: readonly RegExp[], message: string): TextHit[] {
  for (const pattern of patterns) {
    const [found] = signals(context.plain.text, pattern);
    if (found) return [hit(context, message, found)];
  }
  return [];
}
