import { type CompareOptions, compareTexts, type Means, type TextRun } from './text-compare.ts';
import { itemsOf } from './text-items.ts';
import type { DiffLine } from './text-lines.ts';
import { isEmpty, layOut, type Row } from './text-rows.ts';

export type { DiffLine, Span } from './text-lines.ts';

/** Changed lines with a little of what stands around them. */
export interface Hunk {
  /** True when text before the hunk is left out; `midLine` when that text is on the hunk's first line. */
  cutBefore: boolean;
  midLineBefore: boolean;
  /** The same for what follows. */
  cutAfter: boolean;
  midLineAfter: boolean;
  /** Lines of changed text before the hunk that were too many to be laid out. */
  left: number;
  lines: DiffLine[];
}

export interface TextHunks {
  hunks: Hunk[];
  /** Lines of changed text that were too many to be laid out, before the hunks and after them. */
  left: { removed: number; added: number };
}

export interface TextDiff extends TextHunks {
  by: Means;
}

export interface HunkOptions {
  /** Unchanged lines shown on each side of a change; 1 by default. */
  contextLines?: number;
  /** Columns of a line; 88 by default, at least 20. */
  width?: number;
  /**
   * Lines that are laid out of what goes, and of what comes; {@link MOST_LINES} by default, and with them no more than
   * {@link MOST_CHARACTERS}: of longer texts the beginning and the end. With context without end the whole texts are laid out.
   */
  maxLines?: number;
}

export type TextDiffOptions = HunkOptions & CompareOptions;

/** Bounds of what is laid out of one side: nobody reads on, and a hostile text of a megabyte must not take seconds. */
export const MOST_LINES = 10_000;
const MOST_CHARACTERS = 150_000;

/** Context beyond which equal text is laid out in full. */
const FAR = 4;

/**
 * The differences of two texts, by words within lines, as hunks of lines that are wrapped to `width`. Where that costs
 * too much it is done by sentences, by lines, or as a whole; no input takes much longer than the bounds. The lines'
 * text is raw: a renderer must make hidden characters visible. Equal texts give no hunk.
 */
export function diffText(before: string, after: string, options: TextDiffOptions = {}): TextDiff {
  const { runs, by } = compareTexts(before, after, options);
  return { ...hunksOf(runs, options), by };
}

/** Runs of two compared texts as hunks. */
export function hunksOf(runs: readonly TextRun[], options: HunkOptions = {}): TextHunks {
  const { contextLines = 1 } = options;
  const all = contextLines === Number.POSITIVE_INFINITY;
  const width = Math.max(20, options.width ?? 88);
  if (runs.every((run) => run.op === '=')) return { hunks: [], left: { removed: 0, added: 0 } };
  const { items, left } = itemsOf(runs, {
    width,
    gaps: contextLines <= FAR,
    lines: all ? contextLines : (options.maxLines ?? MOST_LINES),
    characters: all ? contextLines : Math.min(MOST_CHARACTERS, (options.maxLines ?? MOST_LINES) * width),
  });
  return { hunks: toHunks(layOut(items, width), contextLines), left };
}

function toHunks(rows: readonly Row[], context: number): Hunk[] {
  const shown = shownRows(rows, context);
  const hunks: Hunk[] = [];
  let left = 0;
  for (let start = 0; start < rows.length; start++) {
    left += rows[start]?.left ?? 0;
    if (!shown[start]) continue;
    let end = start;
    while (end < rows.length && shown[end]) end++;
    const [first, last] = [rows[start], rows[end - 1]];
    if (first && start > 0 && !first.cleanStart) mark(first, 'before');
    if (last && end < rows.length && !last.cleanEnd) mark(last, 'after');
    hunks.push({
      cutBefore: start > 0,
      midLineBefore: start > 0 && rows[start - 1]?.endsLine === false,
      cutAfter: end < rows.length,
      midLineAfter: end < rows.length && last?.endsLine === false,
      left,
      lines: rows.slice(start, end).flatMap((row) => row.lines),
    });
    left = rows[end]?.left ?? 0;
    start = end;
  }
  return hunks;
}

/** Says on the row's lines that their sentence goes on; on both sides of a change. */
function mark(row: Row, where: 'before' | 'after'): void {
  for (const kind of [' ', '-', '+'] as const) {
    const lines = row.lines.filter((line) => line.kind === kind);
    const line = where === 'before' ? lines[0] : lines.at(-1);
    if (line === undefined) continue;
    if (where === 'before') line.cutBefore = true;
    else line.cutAfter = true;
  }
}

/** Changed rows and `context` rows around them; one row left out takes as much room as the mark that says so. */
function shownRows(rows: readonly Row[], context: number): boolean[] {
  const shown = rows.map((row) => row.kind === 'changed' || context === Number.POSITIVE_INFINITY);
  if (context === Number.POSITIVE_INFINITY) return shown;
  const walk = (from: number, step: 1 | -1): void => {
    let left = context;
    for (let i = from + step; left > 0; i += step) {
      const row = rows[i];
      if (row === undefined || row.kind !== 'context') return;
      // Empty lines show only when something stands beyond them.
      if (isEmpty(row)) continue;
      for (let j = from + step; j !== i + step; j += step) shown[j] = true;
      left--;
    }
  };
  rows.forEach((row, i) => {
    if (row.kind !== 'changed') return;
    if (rows[i - 1]?.kind !== 'changed') walk(i, -1);
    if (rows[i + 1]?.kind !== 'changed') walk(i, 1);
  });
  for (let i = 0; i < rows.length; i++) {
    if (shown[i]) continue;
    let end = i;
    while (end < rows.length && !shown[end]) end++;
    const hidden = rows.slice(i, end);
    const readable = hidden.filter((row) => !isEmpty(row)).length;
    if (i > 0 && end < rows.length && readable <= 1 && hidden.every((row) => row.kind !== 'gap'))
      shown.fill(true, i, end);
    i = end;
  }
  return shown;
}
