import { hash } from 'node:crypto';
import { append } from './append.ts';
import { formatTitle } from './secret-formats.ts';
import { findSecrets } from './secrets.ts';
import type { Span } from './spans.ts';
import { urlPasswords } from './url-passwords.ts';

/** A credential in a text, or its mark. */
export interface FoundCredential extends Span {
  /** Id of its format. */
  format: string;
}

export interface MarkedCredential extends FoundCredential {
  title: string;
}

/** What stands for a credential (`${CREDENTIAL:github:…}`, 32 hex digits), or for a secret that the server was given. */
const MARK = /\$\{(?:CREDENTIAL:([a-z0-9-]{1,32}):[0-9a-f]{32}|SECRET:[\w.-]{1,64})\}/g;
/** Longer than any mark. */
const MAX_MARK = 100;
const WHOLE_MARK = new RegExp(`^${MARK.source}`);
/** The format of a mark that the server wrote itself. */
const LITERAL = 'literal';
const URL_PASSWORD = 'url-password';

/** A longer one could hide a sentence that a reader should see. */
const MAX_UNREAD = 64;
/** Five words in a row with a separator between them, a run of letters of one case, eight words in camel case. */
const WORDS =
  /(?<![A-Za-z])(?:[A-Za-z]?[a-z]{1,15}(?:[_.+/~-]|%20)){4}[A-Za-z]?[a-z]{1,15}(?![A-Za-z])|[a-z]{24}|[A-Z]{40}|(?:[A-Z][a-z]{1,14}){8}/;

/** Between two lines of a key: a line end, as it is or escaped. */
const GAP = '(?:\\s|\\\\{1,4}[nr]|%0[AaDd]){1,4}';
const BASE64 = '[A-Za-z0-9+/]';
/** Lines of base64 of a key; before its END a short one and OpenPGP's checksum may follow. */
const KEY_LINES = new RegExp(
  `(?<=[\\s-]|\\\\[nr]|%0[AaDd])${BASE64}{32,}={0,2}(?:${GAP}${BASE64}{32,}={0,2})*` +
    `(?:(?:${GAP}${BASE64}{1,76}={0,2})?(?:${GAP}=${BASE64}{4})?(?=(?:${GAP})?-----END))?`,
  'g',
);
/** When its lines are parted by something else. */
const KEY_RUN = /[A-Za-z0-9+/]{32,}={0,2}/g;

/** Shorter than any credential, mark and URL with a password. */
const MIN_LENGTH = 10;

/**
 * Every credential of a known format in a text, and every password in a URL, in order, those that overlap as one; of a
 * private key the lines between BEGIN and END. A mark that stands in the text already is one of the format `literal`:
 * what is sent as a mark must never equal what was masked. A long one that reads as words is none, as no reader should
 * miss those.
 */
export function credentialsIn(text: string): FoundCredential[] {
  if (text.length < MIN_LENGTH) return [];
  const spans: FoundCredential[] = [];
  for (const found of findSecrets(text)) {
    if (found.format === 'private-key') append(spans, keyLines(text, found));
    else spans.push(withoutFullStop(text, found));
  }
  for (const { password } of urlPasswords(text)) spans.push({ ...password, format: URL_PASSWORD });
  const unread = spans.filter(
    ({ start, end }) => end - start <= MAX_UNREAD || !WORDS.test(text.slice(start, end)),
  );
  if (text.includes('${'))
    for (const mark of text.matchAll(MARK))
      unread.push({ start: mark.index, end: mark.index + mark[0].length, format: LITERAL });
  return merged(unread);
}

function keyLines(text: string, { format, start, end }: FoundCredential): FoundCredential[] {
  const block = text.slice(start, end);
  const lines = [...block.matchAll(KEY_LINES)];
  return (lines.length > 0 ? lines : [...block.matchAll(KEY_RUN)]).map(({ 0: line, index }) => ({
    start: start + index,
    end: start + index + line.length,
    format,
  }));
}

/** Some formats may hold a full stop; one at the end is that of the sentence. */
function withoutFullStop(text: string, { format, start, end }: FoundCredential): FoundCredential {
  let last = end;
  while (last > start && text.charAt(last - 1) === '.') last--;
  return { format, start, end: last };
}

/** Those that overlap as one, under the first format; that of a vendor before that of a URL. */
function merged(spans: FoundCredential[]): FoundCredential[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const result: FoundCredential[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push({ ...span });
    else {
      last.end = Math.max(last.end, span.end);
      if (last.format === URL_PASSWORD) last.format = span.format;
    }
  }
  return result;
}

/**
 * Hex digits of a mark's digest. What looks like a credential is a stranger's text, of up to hundreds of characters: with
 * fewer digits he makes two of one mark, and the second is shown unseen. 128 bits withstand that.
 */
const DIGEST_DIGITS = 32;

/**
 * What stands for a credential: `${CREDENTIAL:<format>:<digest>}`, the first 32 hex digits of its SHA-256, so that
 * another one is another text.
 */
export function credentialMark(format: string, credential: string): string {
  return `\${CREDENTIAL:${format}:${hash('sha256', credential, 'hex').slice(0, DIGEST_DIGITS)}}`;
}

/** What stands for the value of a variable or header that the server was given: its name, and nothing of its value. */
export function secretMark(name: string): string {
  return `\${SECRET:${name.replace(/[^\w.-]/g, '').slice(0, 64) || 'VALUE'}}`;
}

/** The credentials that stand in a masked text by their marks; one that a server wrote itself stands for none. */
export function markedCredentials(text: string): MarkedCredential[] {
  if (!text.includes('${CREDENTIAL:')) return [];
  return [...text.matchAll(MARK)].flatMap((mark) => {
    const format = mark[1] ?? '';
    const title = formatTitle(format);
    if (title === undefined) return [];
    return [{ format, title, start: mark.index, end: mark.index + mark[0].length }];
  });
}

/** True for what is a mark, or the part of one: neither holds a secret. `user:` may stand before it. */
export function isMark({ start, end }: Span, text: string): boolean {
  const before = text.slice(Math.max(0, start - MAX_MARK), end).lastIndexOf('${');
  if (before < 0) return false;
  const from = Math.max(0, start - MAX_MARK) + before;
  const [mark] = WHOLE_MARK.exec(text.slice(from, from + MAX_MARK)) ?? [];
  return (
    mark !== undefined &&
    from + mark.length >= end &&
    /^[^:]*:?$/.test(text.slice(start, Math.max(start, from)))
  );
}
