import { escapedUnits } from './hidden.ts';
import type { Span } from './spans.ts';

/** Shorter values are words of any text ("on", "dev"); replacing them would only destroy it. */
const MIN_VALUE = 4;
/** From here on a value is also recognised with white space inside; below, words that meet would look like it. */
const MIN_SPREAD = 8;
/** Longer values are looked for in pieces: bounds the search, and finds a part of a long value, too. */
const PIECE = 256;

/** Where a value stands, and its name. */
export interface NamedSpan extends Span {
  name: string;
}

/** White space and characters that show nothing. */
const GAPS = /[\u0000-\u0020\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+/g;

function withoutGaps(text: string): string {
  return text.replace(GAPS, '');
}

/** Where each character of the text without gaps is in the text. */
function placesOf(text: string): Uint32Array {
  const places = new Uint32Array(text.length);
  let count = 0;
  let from = 0;
  const take = (to: number): void => {
    while (from < to) places[count++] = from++;
  };
  for (const { 0: gap, index } of text.matchAll(GAPS)) {
    take(index);
    from = index + gap.length;
  }
  take(text.length);
  return places;
}

/** Base64 of the value inside a longer text starts at one of three alignments; only whole sextets are certain. */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (let before = 0; before < 3; before++) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    forms.push(core, core.replaceAll('-', '+').replaceAll('_', '/'));
  }
  return forms;
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

/** The forms in which a value may be echoed. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const wellFormed = !/\p{Cs}/u.test(value);
  const url = wellFormed ? encodeURIComponent(value) : value;
  const strictUrl = url.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = strictUrl.replaceAll('%20', '+');
  const path = wellFormed ? encodeURI(value) : value;
  const json = JSON.stringify(value).slice(1, -1);
  const jsonTwice = JSON.stringify(json).slice(1, -1);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return [
    value,
    url,
    strictUrl,
    form,
    path,
    lowerEscapes(url),
    lowerEscapes(strictUrl),
    lowerEscapes(form),
    json,
    jsonTwice,
    json.replace(/[^\x20-\x7e]/g, (unit) => escapedUnits(unit)),
    json.replaceAll('/', '\\/'),
    html,
    hex,
    hex.toUpperCase(),
    // Every character encoded, as no library does but a server may.
    hex.replace(/../g, '%$&'),
    hex.toUpperCase().replace(/../g, '%$&'),
    ...base64Forms(bytes),
  ];
}

/** A value and what of it is a secret by itself: the token behind a scheme, a URL's password, each long line. */
export function valuesOf(value: string): string[] {
  const parts = [value, value.trim()];
  const scheme = /^\s*(?:bearer|basic|token|apikey)\s+(\S+)\s*$/i.exec(value.slice(0, 8192));
  if (scheme?.[1]) parts.push(scheme[1]);
  const userInfo = /^[a-z][a-z0-9+.-]{0,30}:\/\/([^/?#\s]{1,512})@/i.exec(value.slice(0, 1024));
  const password = userInfo?.[1]?.split(':').slice(1).join(':');
  if (password) parts.push(password);
  const lines = value.split(/\r?\n/);
  if (lines.length > 1) {
    for (const line of lines)
      if (line.trim().length >= 16 && !line.startsWith('-----')) parts.push(line.trim());
  }
  return parts;
}

function pieces(form: string): string[] {
  if (form.length <= PIECE) return [form];
  const parts: string[] = [];
  for (let i = 0; i + PIECE <= form.length; i += PIECE) parts.push(form.slice(i, i + PIECE));
  parts.push(form.slice(-PIECE));
  return parts;
}

function occurrences(text: string, needle: string, found: (start: number, end: number) => void): void {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    found(at, at + needle.length);
}

/**
 * Gives a function that finds the values in a text: each of at least 4 characters, also where it is echoed as base64
 * (any alignment), base64url, hex, URL-encoded, JSON- or HTML-escaped, or with white space inside (from 8 characters
 * on), with the name that was given with it. Time is linear in the text.
 */
export function createFinder(
  values: Iterable<readonly [value: string, name: string]>,
  minimum = MIN_VALUE,
): (text: string) => NamedSpan[] {
  const literal = new Map<string, string>();
  const spread = new Map<string, string>();
  const add = (needles: Map<string, string>, needle: string, name: string): void => {
    if (!needles.has(needle)) needles.set(needle, name);
  };
  for (const [value, name] of values) {
    for (const part of valuesOf(value)) {
      if (part.length < minimum) continue;
      for (const form of formsOf(part)) {
        const dense = withoutGaps(form);
        if (dense.length >= MIN_SPREAD) for (const piece of pieces(dense)) add(spread, piece, name);
        else if (form.trim().length >= MIN_VALUE) add(literal, form, name);
      }
    }
  }
  const needles = [...spread.keys()];
  return (text) => {
    const spans: NamedSpan[] = [];
    for (const [needle, name] of literal)
      occurrences(text, needle, (start, end) => spans.push({ start, end, name }));
    if (spread.size > 0) {
      const dense = withoutGaps(text);
      if (!needles.some((needle) => dense.includes(needle))) return spans;
      const at = placesOf(text);
      for (const [needle, name] of spread) {
        occurrences(dense, needle, (start, end) => {
          spans.push({ start: at[start] as number, end: (at[end - 1] as number) + 1, name });
        });
      }
    }
    return spans;
  };
}
