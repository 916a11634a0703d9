import type { TextContext, TextHit } from '../rule.ts';

/** What tools of documentation put into comments: where a teaser ends, what a formatter skips. */
const MARKER =
  /^\s*(?:\/?(?:more|truncate|toc|excerpt|break|pagebreak|nextpage|end)|(?:prettier|markdownlint|cspell|vale|textlint|remark|biome|eslint)[\w:-]{0,40}(?: MD\d{3}){0,8}|[\w-]{1,30}:(?:start|end|begin)|(?:start|end|begin)[: -][\w-]{1,30})\s*$/i;
/** Comments of one text that are looked at. */
const MAX_COMMENTS = 500;
/** How much of a comment is shown. */
const MAX_SHOWN = 160;

/**
 * Text in an HTML comment: a renderer drops it, the model reads it. Without three words in it, it is low, and a marker
 * of a documentation tool is nothing.
 */
export function htmlComment({ raw, kind }: TextContext): TextHit[] {
  let mild: TextHit | undefined;
  let start = raw.indexOf('<!--');
  for (let seen = 0; start >= 0 && seen < MAX_COMMENTS; seen++) {
    const close = raw.indexOf('-->', start + 4);
    const inside = raw.slice(start + 4, close < 0 ? raw.length : close);
    const end = Math.min(close < 0 ? raw.length : close + 3, start + MAX_SHOWN);
    const found: TextHit = { start, end, message: 'holds an HTML comment' };
    if (close < 0 && isTold(raw, start)) break;
    // A marker with nothing in it, as code.
    const isNamed = inside.trim() === '' && raw[start - 1] === '`' && raw[end] === '`';
    // A skill is a Markdown file, where comments are common.
    if (kind !== 'skill' && isProse(inside)) return [found];
    if (!isNamed && !MARKER.test(inside)) mild ??= { ...found, severity: 'low' };
    start = close < 0 ? -1 : raw.indexOf('<!--', close + 3);
  }
  return mild ? [mild] : [];
}

/** "Wrap it in <!--[if mso]> for Outlook" tells how mail is written: inside a line and not closed, it hides nothing. */
function isTold(raw: string, start: number): boolean {
  const line = raw.slice(raw.lastIndexOf('\n', start) + 1, start);
  return /\w/.test(line) && /^<!--\[if [\w !()&|]{1,40}\]>/.test(raw.slice(start, start + 60));
}

function isProse(text: string): boolean {
  if (MARKER.test(text)) return false;
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  // Scripts without blanks between words.
  return (
    words.length >= 3 ||
    words.some((word) => word.length > 30) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(text)
  );
}

/** From here on a run of blanks inside a line pushes what follows out of view. Aligned lists stay below. */
const BLANKS = 40;
const LINES = 12;
/** U+2800 is a Braille pattern without a dot: no white space, and as blank. */
const SPACE_RUN = /(?:[^\S\r\n]|\u2800){40}/;
const LINE_RUN = /(?:\n[ \t\r]*){12}/;

/** Text behind a long run of blanks or empty lines. Indentation at the start of a line is no such run. */
export function pushedOutOfView(context: TextContext): TextHit[] {
  const { raw } = context;
  if (SPACE_RUN.test(raw)) {
    for (const match of runs(raw, /[^\S\r\n]|\u2800/, BLANKS)) {
      const previous = raw.charAt(match.start - 1);
      const blanks = match.end - match.start;
      if (isTablePadding(raw, match)) continue;
      const indents = match.start === 0 || previous === '\n' || previous === '\r';
      if (!indents || blanks > 100)
        return [{ ...tailed(raw, match), message: `has text behind ${blanks} blanks` }];
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
