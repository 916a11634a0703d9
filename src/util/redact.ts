import { isPlaceholder, knownSecrets } from './secrets.ts';

const REPLACEMENT = '***';
/** Shorter values are words of any text ("on", "dev"); replacing them would only destroy it. */
const MIN_VALUE = 4;
/** From here on a value is also recognised with white space inside; below, words that meet would look like it. */
const MIN_SPREAD = 8;
/** Longer values are looked for in pieces: bounds the search, and finds a part of a long value, too. */
const PIECE = 256;

/** Offsets in UTF-16 code units, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** White space and characters that show nothing. */
function isGap(code: number): boolean {
  return (
    code <= 0x20 ||
    (code >= 0x7f && code <= 0xa0) ||
    code === 0xad ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f) ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** The text without gaps, and where each of its characters was. */
function pack(text: string): { packed: string; at: Uint32Array } {
  const at = new Uint32Array(text.length);
  const parts: string[] = [];
  let count = 0;
  let from = -1;
  for (let i = 0; i < text.length; i++) {
    if (isGap(text.charCodeAt(i))) {
      if (from >= 0) parts.push(text.slice(from, i));
      from = -1;
    } else {
      if (from < 0) from = i;
      at[count++] = i;
    }
  }
  if (from >= 0) parts.push(text.slice(from));
  return { packed: parts.join(''), at };
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

function asciiJson(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
    asciiJson(json),
    json.replaceAll('/', '\\/'),
    html,
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
}

/** A value and what of it is a secret by itself: the token behind a scheme, a URL's password, each long line. */
function valuesOf(value: string): string[] {
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

const ASSIGNED =
  /(?<![A-Za-z0-9])(?:authorization|api[-_]?key|x-api-key|(?:access|auth|refresh|session|id)[-_]?token|token|client[-_]?secret|secret|passw(?:or)?d|pwd|passphrase|signature|sig)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token)[ \t]{1,4})?([^\s"'&,;<>{}()[\]]{6,2000})/gi;
const BEARER = /(?<![A-Za-z0-9])(?:bearer|basic)[ \t]{1,4}([A-Za-z0-9+/=_.~-]{12,4000})/gi;
const USER_INFO = /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/([^\s/?#"'<>@]{1,256})@/g;

/** A word of a sentence ("token: required") is no secret; a string with digits or of some length may be one. */
function looksRandom(value: string): boolean {
  if (value.length >= 20) return /[0-9A-Z_=+/-]/.test(value.slice(1));
  return value.length >= 8 && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

function generalSpans(text: string): Span[] {
  const spans: Span[] = [];
  const take = (pattern: RegExp, accept: (value: string) => boolean): void => {
    for (const match of text.matchAll(pattern)) {
      const value = match[1] ?? '';
      if (!accept(value)) continue;
      const end = match.index + match[0].length - (pattern === USER_INFO ? 1 : 0);
      spans.push({ start: end - value.length, end });
    }
  };
  if (/[:=]/.test(text)) take(ASSIGNED, looksRandom);
  take(BEARER, looksRandom);
  if (text.includes('://')) take(USER_INFO, () => true);
  return spans;
}

/** Where `text` holds something that is a credential by its own looks, in no order; spans may overlap. */
export function secretSpans(text: string): Span[] {
  const spans: Span[] = knownSecrets(text).map(({ start, end }) => ({ start, end }));
  return spans.concat(generalSpans(text));
}

/** `text` with `***` for each span; spans that overlap or touch are one. Sorts `spans`. */
export function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: string[] = [];
  let at = 0;
  for (const [index, { start, end }] of spans.entries()) {
    if (index === 0 || start > at) out.push(text.slice(at, start), REPLACEMENT);
    at = Math.max(at, end);
  }
  out.push(text.slice(at));
  return out.join('');
}

/**
 * Gives a function that finds the values in a text: each of at least 4 characters, also where it is echoed as base64
 * (any alignment), base64url, hex, URL-encoded, JSON- or HTML-escaped, or with white space inside (from 8 characters
 * on). Time is linear in the text.
 */
function createFinder(values: Iterable<string>, minimum = MIN_VALUE): (text: string) => Span[] {
  const literal = new Set<string>();
  const spread = new Set<string>();
  for (const value of values) {
    for (const part of valuesOf(value)) {
      if (part.length < minimum) continue;
      for (const form of formsOf(part)) {
        const dense = pack(form).packed;
        if (dense.length >= MIN_SPREAD) for (const piece of pieces(dense)) spread.add(piece);
        else if (form.trim().length >= MIN_VALUE) literal.add(form);
      }
    }
  }
  return (text) => {
    const spans: Span[] = [];
    for (const needle of literal) occurrences(text, needle, (start, end) => spans.push({ start, end }));
    if (spread.size > 0) {
      const { packed, at } = pack(text);
      for (const needle of spread) {
        occurrences(packed, needle, (start, end) => {
          spans.push({ start: at[start] as number, end: (at[end - 1] as number) + 1 });
        });
      }
    }
    return spans;
  };
}

/**
 * Gives a function that replaces secrets in a text with `***`: the values, in every form that {@link createFinder}
 * knows, and credentials of well-known formats, bearer tokens, user-info of URLs and values assigned to names such as
 * `password`.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const find = createFinder(values);
  return (text) => (text === '' ? text : replaceSpans(text, [...find(text), ...secretSpans(text)]));
}

/**
 * Gives a function that replaces with `***` the values of at least `minimum` characters in every form that
 * {@link createFinder} knows, and nothing else.
 */
export function createValueMask(values: Iterable<string>, minimum: number): (text: string) => string {
  const find = createFinder(values, minimum);
  return (text) => (text === '' ? text : replaceSpans(text, find(text)));
}

/** A shorter value may be a word that texts use; what is masked in a surface must not depend on such words. */
const MIN_TOKEN = 16;

/**
 * Gives a function that replaces with `***` only those of the values that are tokens by their looks, and the user-info
 * with a password of those that are URLs, where it stands in a URL; nothing else: for a server's own texts, which are
 * pinned as they are. Undefined when there is nothing to replace.
 */
export function createTokenMask(values: Iterable<string>): ((text: string) => string) | undefined {
  const all = [...values];
  const tokens = all.flatMap(valuesOf).filter((value) => value.length >= MIN_TOKEN && isToken(value));
  const userInfos = new Set(all.flatMap(userInfoOf));
  if (tokens.length === 0 && userInfos.size === 0) return undefined;
  const find = createFinder(tokens);
  return (text) => {
    let masked = replaceSpans(text, find(text));
    if (!masked.includes('://')) return masked;
    for (const userInfo of userInfos) masked = masked.replaceAll(`://${userInfo}@`, `://${REPLACEMENT}@`);
    return masked;
  };
}

/**
 * `user:password` of a URL. Passwords of examples ("postgres:postgres", "user:password") are left out: texts of servers
 * show them, whatever this machine uses.
 */
function userInfoOf(value: string): string[] {
  // A literal of the config comes as its user-info alone.
  const [, userInfo = ''] =
    /^(?:\s*[a-z][a-z0-9+.-]{0,30}:\/\/)?([^/?#\s@]{1,512})(?:@|$)/i.exec(value.slice(0, 1024)) ?? [];
  const password = userInfo.split(':').slice(1).join(':');
  const varied = password.length >= 6 && /[0-9]/.test(password) && /[^0-9]/.test(password);
  return (varied || password.length >= 12) && !isPlaceholder(password) ? [userInfo] : [];
}

const BASE64 = /^[A-Za-z0-9+/]{32,}={0,2}$/;

/** One run of characters with a digit and a letter, and no URL, path or sentence; base64 may hold a slash. */
function isToken(value: string): boolean {
  if (BASE64.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /(?:[0-9].*){3}/.test(value))
    return true;
  return /^[^\s/\\]+$/.test(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}
