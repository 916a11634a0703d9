import { visible, visibleLine } from '../util/hidden.ts';

/**
 * Making foreign text inert in GitHub's Markdown. Backslashes and entities do not stop what GitHub does after
 * parsing (mentions, issue and commit references, emoji, plain-address links work on the rendered text), and code
 * spans and fences do: a word of prose that could mean anything to those steps is therefore set as code.
 */

/** A marker of ours inside foreign text would make this comment match another check's; it stays readable. */
const MARKER = /agentgate:(?=comment)/gi;

function unmarked(text: string): string {
  return text.replace(MARKER, 'agentgate∶');
}

/**
 * GitHub's parser (cmark) opens no code span with more than 80 backticks, and keeps the length of a fence in one byte:
 * a longer run of a text would have no code around it at all. Such a run is shown by its length.
 */
const LONGEST_RUN = { span: 79, fence: 200 };

/** Text that a code span or fence of at most `limit` + 1 backticks can hold: longer runs become `⟨U+0060×100⟩`. */
function runsUpTo(limit: number, text: string): string {
  return text.replace(/`+/g, (run) => (run.length > limit ? `⟨U+0060×${run.length}⟩` : run));
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  return longest;
}

/**
 * A code span (CommonMark §6.1) with exactly this text on one line; line feeds are shown as `⏎`, hidden
 * characters as `⟨U+200B⟩`, a run of 80 backticks and more as `⟨U+0060×80⟩`, an empty text as `(empty)`. Not for table
 * cells: see {@link tableCode}.
 */
export function codeSpan(text: string): string {
  const line = runsUpTo(LONGEST_RUN.span, unmarked(visibleLine(text.replace(/\r?\n/g, ' ⏎ '))));
  if (line === '') return '(empty)';
  const ticks = '`'.repeat(longestRun(line) + 1);
  // A span of blanks alone is not stripped; else one blank on each side is, and a tick must not touch the ticks.
  const pad =
    line.startsWith('`') || line.endsWith('`') || (/^ .* $/.test(line) && line.trim() !== '') ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/**
 * A code span inside a table cell. A bar splits cells even in code unless a backslash precedes it, and a backslash
 * before the bar cannot be written (GFM §4.10): such a text becomes two spans, cut between the two.
 */
export function tableCode(text: string): string {
  return text
    .split(/(?<=\\)(?=\|)/)
    .map((part) => codeSpan(part).replaceAll('|', '\\|'))
    .join(' ');
}

/**
 * A fenced code block whose fence is longer than any run of backticks in the text (CommonMark §4.5). `info` is one
 * of our own words.
 */
export function fence(text: string, info: string): string {
  const body = runsUpTo(LONGEST_RUN.fence, unmarked(visible(text))).replace(/\n+$/, '');
  const ticks = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${ticks}${info}\n${body}\n${ticks}`;
}

/** ASCII that Markdown or the steps after it give a meaning to, anywhere in a word. */
const ACTIVE = /[\\`*{}[\]<>&|~#$@^=+]/;
const AFTERWARDS = [
  /^[-_.:;,!?%/()"']*$/, // no letter at all: rules, list markers, thematic breaks
  /^[-_:!]/,
  /^\d+[.)]$/, // an ordered list
  /_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_/u, // an underscore that is not inside a word
  /www\./i,
  /:\/\//,
  /:[^\s:]+:/, // an emoji short code
  /\b[0-9a-f]{7,40}\b/i, // a commit
  /\bgh-\d/i, // an issue
  /^(?:https?|ftp|mailto|xmpp):/i,
];

/** True when the word can stand in prose as it is. */
function isInert(word: string): boolean {
  return !ACTIVE.test(word) && !AFTERWARDS.some((pattern) => pattern.test(word));
}

/**
 * Foreign text as prose on one line: words that are inert stay, runs of others become a code span each. No
 * mention, link, image, HTML, reference, emoji code or block start can come of it.
 */
export function plain(text: string, span: (text: string) => string = codeSpan): string {
  const words = joinCommands(unmarked(visibleLine(text.replace(/\s+/g, ' ').trim())).split(' '));
  if (words.length === 1 && words[0] === '') return '(empty)';
  const out: string[] = [];
  let held: string[] = [];
  const flush = (): void => {
    if (held.length > 0) out.push(span(held.join(' ')));
    held = [];
  };
  for (const word of words) {
    if (isInert(word)) {
      flush();
      out.push(word);
      continue;
    }
    // Closing punctuation stays outside, unless more of it follows.
    const [, body = word, end = ''] = /^(.*[^,.;:!?)])([,.;:!?)]{1,3})$/u.exec(word) ?? [];
    held.push(body);
    if (end === '') continue;
    flush();
    out.push(`${out.pop() ?? ''}${end}`);
  }
  flush();
  return out.join(' ');
}

/** A command of ours that a message asks for stays in one piece: as code it acts on nothing. */
function joinCommands(words: string[]): string[] {
  const out: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [word = '', next = '', verb = ''] = words.slice(index, index + 3);
    if (word !== 'npx' || !/^@agentgate\/agentgate\b/.test(next)) {
      out.push(word);
      continue;
    }
    const more = next === '@agentgate/agentgate' && /^(?:lock|pin|ci|diff|verify|init)\b/.test(verb);
    out.push(more ? `${word} ${next} ${verb}` : `${word} ${next}`);
    index += more ? 2 : 1;
  }
  return out;
}

/** Foreign prose inside a table cell. */
export function tableCell(text: string): string {
  return plain(text, tableCode);
}

/** Text for HTML: element content and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Foreign text inside a raw HTML block of a comment (a `<summary>`): one line, as code unless inert. */
export function summaryHtml(text: string, asCode: boolean): string {
  const line = unmarked(visibleLine(text.replace(/\s+/g, ' ').trim()));
  if (line === '') return '(empty)';
  if (!asCode && line.split(' ').every(isInert)) return escapeHtml(line);
  return `<code>${escapeHtml(line)}</code>`;
}

/** An `http` or `https` address for a Markdown or HTML link, or undefined when it is none. */
export function safeUrl(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return undefined;
  return parsed.href.replace(
    /[()<>"'`\\\s*_|]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
