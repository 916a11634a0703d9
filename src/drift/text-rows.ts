import { boundary } from './text-boundary.ts';
import { columnsOf, isBlank } from './text-columns.ts';
import type { Gap, Item } from './text-items.ts';
import { type DiffLine, LineFiller } from './text-lines.ts';
import { keptEnds, type Part } from './text-trim.ts';

/** Lines that belong together: one line of context, or what goes and what comes in its place. */
export interface Row {
  kind: 'context' | 'changed' | 'rest' | 'gap';
  lines: DiffLine[];
  /** Begins, and ends, where a sentence or a line does. */
  cleanStart: boolean;
  cleanEnd: boolean;
  /** A line of the text ends with it. */
  endsLine: boolean;
  /** Share of what both sides have, 0 to 1. */
  alike: number;
}

/** Rows below this that follow each other are one: all that goes, then all that comes. */
const ALIKE = 0.5;

/** From here on the words that differ are worth emphasis. */
const NEAR = 0.3;

/**
 * Lays tokens out in rows. A row is a sentence or a line of the text, old and new, or an equal one; where a changed one
 * is longer than a line, the equal text in it is left out far from the change (rows of kind `rest`).
 */
export function layOut(items: readonly (Item | Gap)[], width: number): Row[] {
  const rows: Row[] = [];
  for (const segment of segmentsOf(items)) {
    const only = segment.items[0];
    if (only !== undefined && 'gap' in only) {
      rows.push(gapRow(only));
      continue;
    }
    const tokens = segment.items.filter((item): item is Item => !('gap' in item));
    if (!tokens.some((item) => item.op !== '=')) {
      for (const row of equalRows(tokens, width, segment)) rows.push(row);
      continue;
    }
    const parts = keptEnds(tokens, width);
    parts.forEach((part, i) => {
      const place = {
        starts: segment.starts && i === 0,
        before: segment.before && i === 0,
        cleanStart: segment.cleanStart && i === 0,
        cleanEnd: segment.cleanEnd && i === parts.length - 1,
        after: false,
      };
      if (part.rest)
        for (const row of equalRows(part.items, width, place)) rows.push({ ...row, kind: 'rest' });
      else rows.push(changedRow(part, width, place));
    });
  }
  return grouped(rows);
}

interface Place {
  /** Begins a line of the text. */
  starts: boolean;
  /** What stands before it changed. */
  before: boolean;
  /** What stands after it changed. */
  after: boolean;
  cleanStart: boolean;
  cleanEnd: boolean;
}

interface Segment extends Place {
  items: (Item | Gap)[];
}

/** Cuts the tokens where lines and sentences begin on both sides. */
function segmentsOf(items: readonly (Item | Gap)[]): Segment[] {
  const nextOf = nextTokens(items);
  const segments: Segment[] = [];
  let start = 0;
  let cleanStart = true;
  let starts = true;
  const cut = (end: number, clean: boolean, line: boolean): void => {
    if (end > start)
      segments.push({
        items: items.slice(start, end),
        starts,
        before: false,
        after: false,
        cleanStart,
        cleanEnd: clean,
      });
    start = end;
    cleanStart = clean;
    starts = line;
  };
  for (let i = 1; i < items.length; i++) {
    const previous = items[i - 1];
    const item = items[i];
    if (previous === undefined || item === undefined) continue;
    if ('gap' in item || 'gap' in previous) {
      const tail = tailOf(items, i, '+');
      cut(i, tail === '', tail === '');
      continue;
    }
    if (previous.op !== '=' && item.op !== '=') continue;
    if (!mayEnd(previous) && !mayEnd(item) && previous.op === item.op) continue;
    const oldTail = tailOf(items, i, '+');
    const newTail = tailOf(items, i, '-');
    const old = boundary(oldTail, nextOf(i, '+'));
    const now = boundary(newTail, nextOf(i, '-'));
    if (old < 3 || now < 3) continue;
    // Between a sentence and an equal blank the blank goes with the sentence.
    if (previous.op === '=' && item.op === '=' && oldTail !== '' && isBlank(item.token)) continue;
    if (previous.op === '=' && item.op === '=' && item.token === '\n' && oldTail !== '') continue;
    cut(i, true, oldTail === '' && newTail === '');
  }
  cut(items.length, true, true);
  neighbours(segments);
  return segments;
}

/** Says of each segment whether the nearest one that can be read changed, before and after it. */
function neighbours(segments: Segment[]): void {
  const states = segments.map(({ items }) => {
    if (items.some((item) => !('gap' in item) && item.op !== '=')) return true;
    return items.every((item) => !('gap' in item) && item.token.trim() === '') ? undefined : false;
  });
  let state = false;
  segments.forEach((segment, i) => {
    segment.before = state;
    state = states[i] ?? state;
  });
  state = false;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment) segment.after = state;
    state = states[i] ?? state;
  }
}

function mayEnd({ token }: Item): boolean {
  return /[\s.!?…。！？"'”’）」』】)\]*_`]$/u.test(token);
}

/** What stands before a place on the same line, on the side that has no tokens of kind `without`. */
function tailOf(items: readonly (Item | Gap)[], at: number, without: '-' | '+'): string {
  let tail = '';
  for (let i = at - 1; i >= 0 && tail.length < 24; i--) {
    const item = items[i];
    if (item === undefined) break;
    if ('gap' in item) return item.tail + tail;
    if (item.op === without) continue;
    if (item.token === '\n') break;
    tail = item.token + tail;
  }
  return tail;
}

function nextTokens(items: readonly (Item | Gap)[]): (at: number, without: '-' | '+') => string | undefined {
  const empty = (): (string | undefined)[] => items.map(() => undefined);
  const next = { '-': empty(), '+': empty() };
  for (const without of ['-', '+'] as const) {
    let token: string | undefined;
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (item !== undefined && 'gap' in item) token = 'X';
      else if (item !== undefined && item.op !== without) token = item.token;
      next[without][i] = token;
    }
  }
  return (at, without) => next[without][at];
}

function gapRow(gap: Gap): Row {
  return {
    kind: 'gap',
    lines: [],
    cleanStart: false,
    cleanEnd: gap.endsLine,
    endsLine: gap.endsLine,
    alike: 1,
  };
}

/** Equal text, a row for each line. Before a change the last line is the full one, not what is left over. */
function equalRows(items: readonly Item[], width: number, place: Place): Row[] {
  const filler = new LineFiller(' ', width, place.starts);
  for (const { token } of items) filler.add(token, false);
  let lines = filler.finish();
  if (place.after && !place.before && lines.length > 1) {
    const at = lastLine(items, width);
    const first = new LineFiller(' ', width, place.starts);
    for (const { token } of items.slice(0, at)) first.add(token, false);
    const last = new LineFiller(' ', width, false);
    for (const { token } of items.slice(at)) last.add(token, false);
    lines = [...first.finish(), ...last.finish()];
  }
  return lines.map((line, i) => ({
    kind: 'context',
    lines: [line],
    cleanStart: i === 0 && place.cleanStart,
    cleanEnd: i === lines.length - 1 && place.cleanEnd,
    endsLine: line.ends,
    alike: 1,
  }));
}

/** Where the last line's worth of tokens begins. */
function lastLine(items: readonly Item[], width: number): number {
  let columns = 0;
  let at = items.length;
  for (let i = items.length - 1; i >= 0; i--) {
    const token = items[i]?.token ?? '';
    columns += token === '\n' ? 0 : columnsOf(token);
    if (columns > width) break;
    if (i > 0 && isBlank(items[i - 1]?.token ?? '')) at = i;
  }
  return at;
}

function changedRow(part: Part, width: number, place: Place): Row {
  const old = new LineFiller('-', width, place.starts);
  const now = new LineFiller('+', width, place.starts);
  let [oldSize, nowSize, same] = [0, 0, 0];
  let endsLine = false;
  for (const { op, token, changed } of part.items) {
    const weight = token.trim().length;
    if (op !== '+') {
      old.add(token, changed);
      oldSize += weight;
    }
    if (op !== '-') {
      now.add(token, changed);
      nowSize += weight;
    }
    if (op === '=' && !changed) same += weight;
    endsLine = token === '\n';
  }
  const alike = oldSize + nowSize === 0 ? 1 : (2 * same) / (oldSize + nowSize);
  const lines = [...old.finish(), ...now.finish()];
  const spacing = isSpacing(part.items) && (!place.starts || oldSize > 0);
  for (const line of lines) {
    if (spacing) line.spacing = true;
    if (alike >= NEAR) line.near = true;
  }
  return {
    kind: 'changed',
    lines,
    cleanStart: place.cleanStart,
    cleanEnd: place.cleanEnd,
    endsLine,
    alike,
  };
}

function isSpacing(items: readonly Item[]): boolean {
  return items.every((item) => (item.op === '=' && !item.changed) || item.token.trim() === '');
}

/** Changed rows that have little in common with what they replace are shown as one: first all that goes. */
function grouped(rows: readonly Row[]): Row[] {
  const out: Row[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row === undefined) continue;
    if (!isRewritten(row)) {
      out.push(row);
      continue;
    }
    const group = [row];
    for (let end = i + 1; end < rows.length; ) {
      let next = end;
      // Empty lines that two rewritten passages both have.
      while (isEmpty(rows[next])) next++;
      const other = rows[next];
      if (other === undefined || !isRewritten(other)) break;
      if (next > end && !(hasBoth(row) && hasBoth(other))) break;
      for (const one of rows.slice(end, next + 1)) group.push(one);
      end = next + 1;
      i = next;
    }
    out.push(group.length === 1 ? row : oneRow(group));
  }
  return out;
}

function isRewritten(row: Row): boolean {
  return row.kind === 'changed' && row.alike < ALIKE;
}

function hasBoth(row: Row): boolean {
  return row.lines.some((line) => line.kind === '-') && row.lines.some((line) => line.kind === '+');
}

/** True for a row of equal text in which nothing can be read. */
export function isEmpty(row: Row | undefined): boolean {
  if (row?.kind !== 'context') return false;
  return row.lines.every((line) => line.spans.every((span) => span.text.trim() === ''));
}

function oneRow(group: readonly Row[]): Row {
  const side = (kind: '-' | '+'): DiffLine[] =>
    group
      .flatMap((row) => row.lines)
      .filter((line) => line.kind === kind || line.kind === ' ')
      .map((line) => ({ ...line, kind }));
  const last = group.at(-1);
  return {
    kind: 'changed',
    lines: [...side('-'), ...side('+')],
    cleanStart: group[0]?.cleanStart ?? true,
    cleanEnd: last?.cleanEnd ?? true,
    endsLine: last?.endsLine ?? false,
    alike: 0,
  };
}
