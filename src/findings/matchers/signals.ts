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
const BREAK = /[.!?;](?=[\s\u2e80-\uffff]|$)|[\n。]/g;

const GRAMS = 32_768;
/** Which three-letter sequences the text looked at last holds: stamped, so that nothing needs clearing. */
const scratch = {
  text: '',
  stamp: 0,
  grams: new Uint32Array(GRAMS),
  hashes: new WeakMap<readonly string[], Int32Array>(),
};

function gram(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & (GRAMS - 1);
}

function indexText(text: string): void {
  scratch.text = text;
  scratch.stamp++;
  for (let i = 0; i + 2 < text.length; i++) scratch.grams[gram(text, i)] = scratch.stamp;
}

function hashesOf(stems: readonly string[]): Int32Array {
  let hashes = scratch.hashes.get(stems);
  if (!hashes) {
    hashes = Int32Array.from(stems, (stem) => (stem.length < 3 ? -1 : gram(stem, stem.length - 3)));
    scratch.hashes.set(stems, hashes);
  }
  return hashes;
}

/**
 * True when the text holds one of the stems: what lets most texts pass without a search by patterns. There are
 * hundreds of stems, so the text is indexed once by its three-letter sequences, and only stems whose last three
 * letters occur are looked for.
 */
export function has(text: string, stems: readonly string[]): boolean {
  if (text !== scratch.text) indexText(text);
  const hashes = hashesOf(stems);
  for (let i = 0; i < stems.length; i++) {
    const hash = hashes[i] ?? -1;
    if ((hash < 0 || scratch.grams[hash] === scratch.stamp) && text.includes(stems[i] ?? '')) return true;
  }
  return false;
}

/**
 * The first match of `pattern` in reach of a signal: no more than `reach` units and `breaks` sentence ends between
 * them. The signal itself does not count, nor does what `isNone` rules out: a harmless match must not stand before one
 * that is not.
 */
export function nearby(
  text: string,
  signal: Signal,
  pattern: RegExp,
  reach: number,
  breaks = 0,
  isNone: (text: string, found: Signal) => boolean = () => false,
): Signal | undefined {
  const from = Math.max(0, signal.start - reach);
  for (const found of signals(text.slice(from, signal.end + reach), pattern)) {
    const start = found.start + from;
    const end = found.end + from;
    if (start < signal.end && end > signal.start) continue;
    const between = text.slice(Math.min(signal.end, end), Math.max(signal.start, start));
    if ((between.match(BREAK)?.length ?? 0) > breaks) continue;
    const placed = { start, end, text: found.text };
    if (!isNone(text, placed)) return placed;
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
  const stop = after.search(BREAK);
  const end = signal.end + (stop < 0 ? after.length : stop);
  return { start, end, text: text.slice(start, end) };
}

/** A hit over the given signals, in the raw text's offsets. */
export function hit(context: TextContext, message: string, ...parts: readonly Signal[]): TextHit {
  const start = Math.min(...parts.map((part) => part.start));
  const end = Math.max(...parts.map((part) => part.end));
  return { ...rawSpan(context.plain, start, end), message };
}

/** `a|b|c` as a list. */
export const stems = (list: string): readonly string[] => list.split('|');

/** A pattern, and stems of which one of each list must occur for it to match. */
export interface Phrase {
  needs: readonly (readonly string[])[];
  pattern: RegExp;
}

/** A phrase by the source of its pattern. */
export const phrase = (needs: Phrase['needs'], pattern: string): Phrase => ({
  needs,
  pattern: new RegExp(pattern, 'g'),
});

/** Matches of one phrase that are passed over at most. */
const MAX_PASSED = 1_000;

/**
 * The first hit of the first of `phrases` that matches; `isNone` tells which to pass over. What `weigh` makes milder
 * counts only when nothing else is there.
 */
export function firstHit(
  context: TextContext,
  phrases: readonly Phrase[],
  message: string,
  isNone: (text: string, signal: Signal) => boolean = () => false,
  weigh: (found: TextHit) => TextHit = (found) => found,
): TextHit[] {
  const { text } = context.plain;
  let mild: TextHit | undefined;
  for (const { needs, pattern } of phrases) {
    if (!needs.every((stems) => has(text, stems))) continue;
    let looked = 0;
    for (const match of text.matchAll(pattern)) {
      const signal = { start: match.index, end: match.index + match[0].length, text: match[0] };
      if (!isNone(text, signal)) {
        const found = weigh(hit(context, message, signal));
        if (found.severity === undefined) return [found];
        mild ??= found;
      }
      if (++looked === MAX_PASSED) break;
    }
  }
  return mild ? [mild] : [];
}
