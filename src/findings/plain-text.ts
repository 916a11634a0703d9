import { foldLookAlike } from './look-alikes.ts';

/** A text as patterns read it, with the way back to the raw text. */
export interface PlainText {
  text: string;
  /** The raw offset of each unit of `text` and, last, of its end; absent when the offsets are equal. */
  at?: Uint32Array;
}

/** Longer texts are cut for the patterns: 2 MiB of prose is no description. Structural rules see all of it. */
const MAX_PLAIN = 2_097_152;

const SIMPLE = /^[\x20-\x29\x2b-\x7e]*$/;
const WHITE = /\s/;
/** Emphasis hides nothing from a model, so it must not from a pattern; nor must what cannot be seen. */
const DROPPED = /[*\p{Default_Ignorable_Code_Point}\p{Cc}\p{Bidi_Control}\p{Mn}]/u;

/**
 * Lower case; look-alikes, compatibility forms and accents folded to ASCII where possible; hidden characters and
 * emphasis marks dropped; white space runs become one blank, or `\n` where a paragraph or list item ends.
 */
export function plainText(raw: string): PlainText {
  const source = raw.length > MAX_PLAIN ? raw.slice(0, MAX_PLAIN) : raw;
  if (SIMPLE.test(source) && !source.includes('  ')) return { text: source.toLowerCase() };
  const at = new Uint32Array(source.length * 4 + 1);
  const out: string[] = [];
  let length = 0;
  const put = (unit: string, offset: number): void => {
    out.push(unit);
    for (let i = 0; i < unit.length; i++) {
      if (length < at.length - 1) at[length] = offset;
      length++;
    }
  };
  let i = 0;
  while (i < source.length) {
    const code = source.charCodeAt(i);
    if (code > 0x20 && code < 0x7f) {
      if (code !== 0x2a) put(source.charAt(i).toLowerCase(), i);
      i++;
      continue;
    }
    const character = String.fromCodePoint(source.codePointAt(i) ?? 0);
    if (WHITE.test(character)) {
      const from = i;
      let breaks = 0;
      while (i < source.length && WHITE.test(source.charAt(i))) {
        if (source.charCodeAt(i) === 0x0a) breaks++;
        i++;
      }
      put(breaks > 1 || (breaks === 1 && startsItem(source, i)) ? '\n' : ' ', from);
      continue;
    }
    if (!DROPPED.test(character)) {
      const folded = foldLookAlike(character);
      if (folded.length <= 4) put(folded, i);
      else put(folded.slice(0, 4), i);
    }
    i += character.length;
  }
  at[Math.min(length, at.length - 1)] = source.length;
  return { text: out.join(''), at: at.subarray(0, length + 1) };
}

/** A list item or heading begins here. */
function startsItem(text: string, at: number): boolean {
  return /^(?:[-+*•#>|]|[0-9]{1,3}[.)]|<)/.test(text.slice(at, at + 5));
}

/** The raw offsets of a match in the plain text. */
export function rawSpan(plain: PlainText, start: number, end: number): { start: number; end: number } {
  if (!plain.at) return { start, end };
  const last = plain.at[end - 1] ?? 0;
  return { start: plain.at[start] ?? 0, end: Math.max(last + 1, plain.at[start] ?? 0) };
}
