import { codePointName, replaceHidden } from '../../util/hidden.ts';
import { plainText } from '../plain-text.ts';
import type { TextContext, TextHit } from '../rule.ts';
import { has } from './signals.ts';

const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Myanmar}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
const IDEOGRAPH = /\p{Script=Han}/u;
/** England, Scotland, Wales: the flags that Unicode recommends (RGI_Emoji_Tag_Sequence). */
const TAG_FLAGS =
  /\u{1F3F4}(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})/gu;

/** Characters that nobody sees and that the script around them does not need. */
export function hiddenCharacters(context: TextContext): TextHit[] {
  const { raw } = context;
  if (/^[\x20-\x7e\n\r\t]*$/.test(raw)) return [];
  const flags = new Set<number>();
  for (const match of raw.matchAll(TAG_FLAGS))
    for (let i = 0; i < match[0].length; i++) flags.add(match.index + i);
  const names = new Map<string, number>();
  let first = -1;
  let last = -1;
  let at = 0;
  let decoded = '';
  const rightToLeft = RIGHT_TO_LEFT.test(raw);
  for (const character of raw) {
    const offset = at;
    at += character.length;
    if (character >= ' ' && character <= '~') continue;
    if (isTerminal(character) || !isHidden(character) || flags.has(offset)) continue;
    if (isNeeded(raw, offset, character, rightToLeft)) continue;
    if (first < 0) first = offset;
    if (offset - last < 200 || last < 0) last = offset + character.length;
    const name = codePointName(character);
    names.set(name, (names.get(name) ?? 0) + 1);
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xe0020 && code < 0xe007f) decoded += String.fromCharCode(code - 0xe0000);
    else if (code >= 0xe0100 && code <= 0xe01ef) decoded += byteOf(code - 0xe0100 + 16);
    else if (code >= 0xfe00 && code <= 0xfe0f) decoded += byteOf(code - 0xfe00);
  }
  if (first < 0) return [];
  // A byte order mark in front is a leftover of a file, and shows nothing wherever it stands.
  const isMark = names.size === 1 && names.get('U+FEFF') === 1 && first === 0;
  const list = [...names].slice(0, 4).map(([name, count]) => (count > 1 ? `${count} × ${name}` : name));
  const says = /^[\x20-\x7e]{4,}$/.test(decoded) ? `, which spell "${decoded.slice(0, 120)}"` : '';
  return [
    {
      start: first,
      end: Math.max(last, first + 1),
      message: `holds characters that cannot be seen (${list.join(', ')})${says}`,
      ...(isMark ? { severity: 'low' as const } : {}),
    },
  ];
}

function byteOf(value: number): string {
  return value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : '\0';
}

function isHidden(character: string): boolean {
  if (character === '\n' || character === '\t' || character === '\r') return false;
  let hidden = false;
  replaceHidden(character, () => {
    hidden = true;
    return '';
  });
  return hidden;
}

/** Controls are the business of the rule on terminals. */
function isTerminal(character: string): boolean {
  return /\p{Cc}/u.test(character);
}

function before(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(offset - 2, offset) : text.charAt(offset - 1);
}

function isNeeded(text: string, offset: number, character: string, rightToLeft: boolean): boolean {
  const previous = before(text, offset);
  const next = String.fromCodePoint(text.codePointAt(offset + character.length) ?? 0);
  const code = character.codePointAt(0) ?? 0;
  switch (true) {
    case code === 0xfe0e || code === 0xfe0f:
      return EMOJI.test(previous) || /\p{Emoji}/u.test(previous);
    case code === 0x200d:
      return (
        (EMOJI.test(next) && (EMOJI.test(previous) || previous === '\ufe0f')) ||
        (JOINING.test(previous) && (next === '\0' || !/[a-z]/i.test(next)))
      );
    case code === 0x200c:
      return JOINING.test(previous);
    case code === 0x200e || code === 0x200f || code === 0x061c:
      return rightToLeft && !isHidden(previous) && !isHidden(next);
    case code >= 0x2066 && code <= 0x2069:
      return rightToLeft;
    case (code >= 0xfe00 && code <= 0xfe0d) || (code >= 0xe0100 && code <= 0xe01ef):
      return (
        IDEOGRAPH.test(previous) ||
        (code <= 0xfe0d && /[\p{Script=Mongolian}\p{Script=Myanmar}\p{Sm}]/u.test(previous))
      );
    case code === 0x00ad:
      return /\p{L}/u.test(previous) && /\p{L}/u.test(next) && !isSplitWord(text, offset);
    case code === 0x180e || (code >= 0x180b && code <= 0x180d):
      return /\p{Script=Mongolian}/u.test(previous);
    default:
      return false;
  }
}

/** Soft hyphens in every second place are no hyphenation. */
function isSplitWord(text: string, offset: number): boolean {
  return text.charCodeAt(offset + 2) === 0xad || text.charCodeAt(offset - 2) === 0xad;
}

const CONTROL =
  /\u001b(?:\[[0-9;:?]{0,40}[ -/]{0,3}[@-~]|\][^\u0007\u001b]{0,300}(?:\u0007|\u001b\\)?|[@-Z\\^_PX])?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

const ANY_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Escape sequences and other controls: they repaint a terminal, while the model reads on. */
export function terminalControls(context: TextContext): TextHit[] {
  if (!ANY_CONTROL.test(context.raw)) return [];
  const all = [...context.raw.matchAll(CONTROL)];
  const [first] = all;
  if (first) {
    const last = all.findLast((match) => match.index - first.index < 160) ?? first;
    const message =
      first[0].startsWith('\u001b') || first[0] === '\u009b'
        ? 'holds terminal escape sequences'
        : 'holds control characters';
    return [{ start: first.index, end: last.index + last[0].length, message }];
  }
  // A lone carriage return goes back to the start of the line, over what stood there.
  const lone = /[^\r\n]\r(?!\n|$)/.exec(context.raw);
  return lone
    ? [
        {
          start: lone.index,
          end: lone.index + 2,
          message: 'holds a carriage return that overwrites the line',
        },
      ]
    : [];
}

/** Text in an HTML comment: a renderer drops it, the model reads it. */
export function htmlComment(context: TextContext): TextHit[] {
  const { raw } = context;
  const start = raw.indexOf('<!--');
  if (start < 0) return [];
  const close = raw.indexOf('-->', start);
  const end = close < 0 ? Math.min(raw.length, start + 160) : Math.min(close + 3, start + 160);
  // A skill is a Markdown file, where comments are common.
  const severity = context.kind === 'skill' ? { severity: 'low' as const } : {};
  return [{ start, end, message: 'holds an HTML comment', ...severity }];
}

/** From here on a run of blanks inside a line pushes what follows out of view. Aligned lists stay below. */
const BLANKS = 40;
const LINES = 12;
const SPACE_RUN = /[^\S\r\n]{40}/;
const LINE_RUN = /(?:\n[ \t\r]*){12}/;

/** Text behind a long run of blanks or empty lines. Indentation at the start of a line is no such run. */
export function pushedOutOfView(context: TextContext): TextHit[] {
  const { raw } = context;
  if (SPACE_RUN.test(raw)) {
    for (const match of runs(raw, /[^\S\r\n]/, BLANKS)) {
      const previous = raw.charAt(match.start - 1);
      const blanks = match.end - match.start;
      if (isTablePadding(raw, match)) continue;
      if (match.start > 0 && previous !== '\n' && previous !== '\r')
        return [{ ...tailed(raw, match), message: `has text behind ${blanks} blanks` }];
      if (blanks > 100) return [{ ...tailed(raw, match), message: `has text behind ${blanks} blanks` }];
    }
  }
  const lines = LINE_RUN.test(raw) ? blankLines(raw) : undefined;
  return lines ? [{ ...tailed(raw, lines), message: 'has text behind a long run of empty lines' }] : [];
}

/** How much of the text behind a run is shown. */
const TAIL = 60;

/** A cell of a Markdown table, padded to its column's width. */
function isTablePadding(text: string, run: { start: number; end: number }): boolean {
  if (text.charAt(run.end) !== '|') return false;
  const line = text.lastIndexOf('\n', run.start) + 1;
  return /^\s{0,8}\|/.test(text.slice(line, line + 10));
}

function tailed(text: string, run: { start: number; end: number }): { start: number; end: number } {
  return { start: run.start, end: Math.min(text.length, run.end + TAIL) };
}

function* runs(text: string, pattern: RegExp, min: number): Generator<{ start: number; end: number }> {
  let from = -1;
  for (let i = 0; i <= text.length; i++) {
    const inside = i < text.length && pattern.test(text.charAt(i));
    if (inside && from < 0) from = i;
    if (!inside && from >= 0) {
      const next = text.charAt(i);
      if (i - from >= min && next !== '' && next !== '\n' && next !== '\r') yield { start: from, end: i };
      from = -1;
    }
  }
}

function blankLines(text: string): { start: number; end: number } | undefined {
  let from = -1;
  let breaks = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (/\s/.test(character)) {
      if (from < 0) from = i;
      if (character === '\n') breaks++;
      continue;
    }
    if (breaks >= LINES && from > 0) return { start: from, end: i };
    from = -1;
    breaks = 0;
  }
  return undefined;
}

const BLOB =
  /(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/_-]{24,16384}={0,2}|(?:[0-9A-Fa-f]{2}){24,8192}|(?:\\u[0-9a-fA-F]{4}){8,2000}|(?:%[0-9A-Fa-f]{2}){12,4000}|(?:\\x[0-9a-fA-F]{2}){12,4000})(?![A-Za-z0-9+/_=-])/g;
const DECODES = ['decode', 'base64', 'atob', 'b64', 'unescape', 'decrypt', 'deobfuscate', 'rot13'];

/** A long encoded string that decodes to words, or that the text says to decode. */
export function encodedBlob(context: TextContext): TextHit[] {
  const { raw } = context;
  if (raw.length < 24 || /^(?:data:image\/|https?:)/i.test(raw)) return [];
  // The contents of a binary resource.
  if (context.kind === 'resource' && context.pointer.endsWith('/blob')) return [];
  const decodes = has(context.plain.text, DECODES);
  let seen = 0;
  for (const match of raw.matchAll(BLOB)) {
    if (++seen > MAX_BLOBS) break;
    const [blob] = match;
    const isData = DATA_URI.test(raw.slice(Math.max(0, match.index - 8192), match.index));
    const text = decode(blob);
    const span = { start: match.index, end: match.index + Math.min(blob.length, 120) };
    if (text !== undefined && !(isData && /^\s*</.test(text)))
      return [{ ...span, message: `holds an encoded text: "${plainText(text).text.slice(0, 80)}"` }];
    if (isData) continue;
    if (blob.length >= 80 && decodes && isDense(blob))
      return [{ ...span, message: 'has an encoded string decoded' }];
    if (blob.length >= 120 && isDense(blob))
      return [{ ...span, message: 'holds a long encoded string', severity: 'low' }];
  }
  return [];
}

/** Blobs of one text that are looked at. */
const MAX_BLOBS = 500;
/** An image inside of a text, and no white space since. */
const DATA_URI = /data:[a-z]{1,20}(?:\/|%2f)[a-z0-9.+%-]{1,60}(?:;|%3b)base64(?:,|%2c)[^\s"'<>]*$/i;

function isDense(blob: string): boolean {
  return !/^[0-9A-Fa-f]+$/.test(blob) && /[0-9]/.test(blob) && /[a-z]/.test(blob) && /[A-Z]/.test(blob);
}

/** What an encoded string says, when it is words. */
function decode(blob: string): string | undefined {
  const candidates = [];
  if (blob.startsWith('\\u'))
    candidates.push(
      blob.replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  else if (/^(?:%|\\x)/.test(blob))
    candidates.push(Buffer.from(blob.replace(/%|\\x/g, ''), 'hex').toString('latin1'));
  else {
    if (/^[0-9A-Fa-f]+$/.test(blob)) candidates.push(Buffer.from(blob, 'hex').toString('latin1'));
    candidates.push(Buffer.from(blob, 'base64').toString('latin1'));
  }
  return candidates.find(isWords);
}

function isWords(text: string): boolean {
  const sample = text.slice(0, 400);
  return (
    sample.length >= 12 &&
    /^[\x20-\x7e\r\n\t]+$/.test(sample) &&
    (sample.match(/[A-Za-z]{2,} /g)?.length ?? 0) >= 2
  );
}
