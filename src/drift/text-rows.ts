import { columnsOf, isBlank } from './text-columns.ts';
import type { Gap, Item } from './text-items.ts';
import { type DiffLine, LineFiller } from './text-lines.ts';
import { type Place, segmentsOf } from './text-segments.ts';
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
  /** Lines of changed text that are left out here. */
  left?: number;
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

function gapRow(gap: Gap): Row {
  return {
    kind: 'gap',
    lines: [],
    cleanStart: false,
    cleanEnd: gap.endsLine,
    endsLine: gap.endsLine,
    alike: 1,
    left: gap.left,
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
