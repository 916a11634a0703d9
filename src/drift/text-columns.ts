/** Scripts and signs that terminals and browsers draw two columns wide (Unicode's East_Asian_Width W and F, in short). */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const NARROW = /^[\x20-\x7e]*$/;
const MARK = /^(?:\p{Mn}|\p{Me}|\u200D)$/u;

/** Columns that a text of one line takes. */
export function columnsOf(text: string): number {
  if (text.length === 1) return columnsOfUnit(text);
  if (NARROW.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

function columnsOfUnit(unit: string): number {
  const code = unit.charCodeAt(0);
  if (code < 0x300) return 1;
  return MARK.test(unit) ? 0 : WIDE.test(unit) ? 2 : 1;
}

/** A text in pieces of at most `width` columns; never half a surrogate pair. */
export function pieces(text: string, width: number): string[] {
  if (text.length * 2 <= width || (NARROW.test(text) && text.length <= width)) return [text];
  const out: string[] = [];
  let piece = '';
  let columns = 0;
  for (const character of text) {
    const more = columnsOf(character);
    if (columns + more > width && piece !== '') {
      out.push(piece);
      piece = '';
      columns = 0;
    }
    piece += character;
    columns += more;
  }
  if (piece !== '') out.push(piece);
  return out;
}

const NO_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\u3000-\u303F\uFF00-\uFF65]/u;
const CLOSING = /^[)\]}»”’.,;:!?%…、。，．；：！？）」』】》〉〕］｝ー々〟]/u;

/** True when a line may break after this token though no blank follows: scripts without spaces. */
export function breaksAfter(token: string): boolean {
  return token.charCodeAt(0) >= 0xe00 && !NARROW.test(token) && NO_SPACES.test(token);
}

/** True for what must not begin a line. */
export function isClosing(token: string): boolean {
  return CLOSING.test(token);
}

/** Blanks, and nothing else; a line end is not a blank. */
export function isBlank(token: string): boolean {
  if (token === ' ') return true;
  return token !== '\n' && token !== '' && token.trim() === '';
}
