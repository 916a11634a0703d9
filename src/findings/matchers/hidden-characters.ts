import { codePointName, replaceHidden } from '../../util/hidden.ts';
import type { TextContext, TextHit } from '../rule.ts';

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
