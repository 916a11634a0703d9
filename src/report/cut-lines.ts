import { append } from '../util/append.ts';
import { grouped } from '../util/grouped.ts';
import { headAndTail, sharesOf } from '../util/shares.ts';
import { plural } from './document.ts';
import { type FenceLine, lineText } from './text-lines.ts';

/** First and last lines of a run of removed ones that stay when a diff is too long: what is new matters more. */
const KEPT_REMOVED = { head: 2, tail: 1 };

/** Lines of a part that are worth showing; where there is no room for as many of each, the middle ones are left out. */
const LEAST_PART = 6;

/** So many equal lines in a row are told by their number: more would push what follows them out of sight. */
const EQUAL_RUN = 6;

/** Runs of equal lines as the first of them and a line of ours. */
function withoutEqualRuns(lines: FenceLine[]): FenceLine[] {
  const out: FenceLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const words = drawnText(lines[index]);
    let end = index + 1;
    if (words !== undefined && /^[ +-]|^$/.test(words)) while (drawnText(lines[end]) === words) end++;
    if (words === undefined || end - index < EQUAL_RUN) append(out, lines.slice(index, end));
    else {
      const kind = /^[ +-]?$/.test(words) ? 'empty lines' : 'such lines';
      append(out, lines.slice(index, index + 1));
      out.push(`@@ ${grouped(end - index - 1)} more ${kind}${CHANGED[words.charAt(0)] ?? ''} @@`);
    }
    index = end;
  }
  return out;
}

const CHANGED: Readonly<Record<string, string>> = { '+': ', new', '-': ', gone' };

/** The text of a line, if it stands for no others. */
function drawnText(line: FenceLine | undefined): string | undefined {
  if (line === undefined || typeof line === 'string') return line;
  return line.count === undefined ? line.text : undefined;
}

/**
 * At most about `max` lines of a diff, the rest counted where it would stand: of each change and titled part its
 * beginning and its end. Long runs of removed lines go first, those of equal lines always.
 */
export function capped(all: FenceLine[], max: number, where: string): FenceLine[] {
  const lines = withoutEqualRuns(all);
  if (lines.length <= max) return counted(lines, where);
  return cappedParts(partsOf(withoutRemovedRuns(lines)), max, where);
}

/** The same for parts of any text, in which no sign says what is removed. */
export function cappedParts(all: FenceLine[][], max: number, where: string): FenceLine[] {
  const parts = all.map(withoutEqualRuns);
  const shares = sharesOf(
    parts.map((part) => part.length),
    max,
    LEAST_PART,
  );
  return counted(
    parts.flatMap((part, index): FenceLine[] => {
      const room = Math.floor(shares[index] ?? 0);
      if (part.length <= room) return part;
      const { head, tail } = headAndTail(Math.max(0, room - 1));
      const end = part.length - tail;
      return [
        ...part.slice(0, head),
        { text: '', count: countOf(part.slice(head, end)) },
        ...part.slice(end),
      ];
    }),
    where,
  );
}

/** Lines from one of ours, or one that did not change, to the next that follows others. */
function partsOf(lines: FenceLine[]): FenceLine[][] {
  const parts: FenceLine[][] = [];
  let before = '';
  for (const line of lines) {
    const sign = drawnText(line)?.charAt(0) ?? '@';
    const last = parts.at(-1);
    if (last === undefined || sign === '@' || (sign === ' ' && before !== ' ' && before !== '@'))
      parts.push([line]);
    else last.push(line);
    before = sign;
  }
  return parts;
}

function withoutRemovedRuns(lines: FenceLine[]): FenceLine[] {
  const { head, tail } = KEPT_REMOVED;
  const out: FenceLine[] = [];
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (end < lines.length && isRemoved(lines[end])) end++;
    const gone = end - index - head - tail;
    if (gone > 1) {
      append(out, lines.slice(index, index + head));
      out.push(`@@ ${plural(gone, 'more line')} gone @@`);
      append(out, lines.slice(end - tail, end));
    } else append(out, lines.slice(index, Math.max(end, index + 1)));
    index = Math.max(end, index + 1);
  }
  return out;
}

/** With words for lines that were not drawn. */
function counted(lines: FenceLine[], where: string): FenceLine[] {
  const out: FenceLine[] = [];
  let left = 0;
  const say = (): void => {
    if (left > 0) out.push(`@@ ${plural(left, 'more line')}: ${where} @@`);
    left = 0;
  };
  for (const line of lines)
    if (drawnText(line) === undefined) left += countOf([line]);
    else {
      say();
      out.push(line);
    }
  say();
  return out;
}

/** Lines that lines are or stand for. */
function countOf(lines: FenceLine[]): number {
  return lines.reduce((sum, line) => sum + (typeof line === 'string' ? 1 : (line.count ?? 1)), 0);
}

function isRemoved(line: FenceLine | undefined): boolean {
  return line !== undefined && lineText(line).startsWith('-');
}
