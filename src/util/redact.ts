import { isMark } from './credential-marks.ts';
import { knownSecrets } from './secrets.ts';
import { replaceSpans, type Span } from './spans.ts';
import { createFinder } from './value-finder.ts';

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
  const general = generalSpans(text);
  const marks = text.includes('${');
  return spans.concat(marks ? general.filter((span) => !isMark(span, text)) : general);
}

/** `text` with `***` for what is a credential by its own looks. */
export function withoutSecrets(text: string): string {
  return replaceSpans(text, secretSpans(text));
}

/**
 * Gives a function that replaces secrets in a text with `***`: the values, in every form that {@link createFinder}
 * knows, and credentials of well-known formats, bearer tokens, user-info of URLs and values assigned to names such as
 * `password`.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const find = createFinder(unnamed(values));
  return (text) => (text === '' ? text : replaceSpans(text, [...find(text), ...secretSpans(text)]));
}

/**
 * Gives a function that replaces with `***` the values of at least `minimum` characters in every form that
 * {@link createFinder} knows, and nothing else.
 */
export function createValueMask(values: Iterable<string>, minimum: number): (text: string) => string {
  const find = createFinder(unnamed(values), minimum);
  return (text) => (text === '' ? text : replaceSpans(text, find(text)));
}

function* unnamed(values: Iterable<string>): Generator<[string, string]> {
  for (const value of values) yield [value, ''];
}
