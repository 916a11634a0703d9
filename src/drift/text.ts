import { type DiffLine, layOut, type Row } from './text-rows.ts';
import { type Budget, diffTokens, lines, push, type Run, sentences, words } from './text-words.ts';

export type { DiffLine, Span } from './text-rows.ts';

/** Changed lines with a little of what stands around them. */
export interface Hunk {
  /** True when text before the hunk is left out; `midLine` when that text is on the hunk's first line. */
  cutBefore: boolean;
  midLineBefore: boolean;
  /** The same for what follows. */
  cutAfter: boolean;
  midLineAfter: boolean;
  lines: DiffLine[];
}

export interface TextDiff {
  hunks: Hunk[];
  /** The coarsest means that had to be used somewhere: words, sentences, lines, or one whole text for the other. */
  by: 'word' | 'sentence' | 'line' | 'whole';
}

export interface TextDiffOptions {
  /** Unchanged lines shown on each side of a change; 1 by default. */
  contextLines?: number;
  /** Columns (UTF-16 code units) of a line; 88 by default, at least 20. */
  width?: number;
  /** Milliseconds for the whole diff, after which it gets coarser; 500 by default. A bound on steps comes first. */
  maxMs?: number;
}

/** Edits squared: a thousand words may differ in one passage. About 0.05 s of Myers' algorithm. */
const STEPS = 1_000_000;

/** Below this share of common characters, two passages are shown as one text in place of the other. */
const ALIKE = 0.25;

/**
 * The differences of two texts, by words within lines, as hunks of lines that are wrapped to `width`. Where that costs
 * too much it is done by sentences, by lines, or as a whole; no input takes much longer than `maxMs`. The lines' text
 * is raw: a renderer must make hidden characters visible. Equal texts give no hunk.
 */
export function diffText(before: string, after: string, options: TextDiffOptions = {}): TextDiff {
  const { contextLines = 1, maxMs = 500 } = options;
  const width = Math.max(20, options.width ?? 88);
  if (before === after) return { hunks: [], by: 'word' };
  const budget: Budget = { steps: STEPS, deadline: performance.now() + maxMs };
  const blocks = diffTokens(lines(before), lines(after), budget);
  if (!blocks) {
    const whole: Run[] = [];
    push(whole, '-', words(before));
    push(whole, '+', words(after));
    return { hunks: toHunks(layOut(whole, width), contextLines), by: 'whole' };
  }
  const found = refine(blocks, budget);
  return { hunks: toHunks(layOut(found.runs, width), contextLines), by: found.by };
}

/** Takes runs of lines, and looks into each place where lines stand in for others. */
function refine(blocks: Run[], budget: Budget): { runs: Run[]; by: TextDiff['by'] } {
  const runs: Run[] = [];
  let by = 'word' as TextDiff['by'];
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (!block) continue;
    const next = blocks[i + 1];
    if (block.op !== '-' || next?.op !== '+') {
      push(runs, block.op, words(block.tokens.join('')));
      continue;
    }
    i++;
    const [old, now] = [block.tokens.join(''), next.tokens.join('')];
    let found = diffTokens(words(old), words(now), budget);
    if (!found) {
      const coarse = diffTokens(sentences(old), sentences(now), { ...budget, steps: STEPS / 16 });
      found = coarse?.map(({ op, tokens }) => ({ op, tokens: words(tokens.join('')) }));
      if (!coarse) by = 'line';
      else if (by === 'word') by = 'sentence';
    }
    if (found && alike(found)) for (const run of tidy(found)) push(runs, run.op, run.tokens);
    else {
      push(runs, '-', words(old));
      push(runs, '+', words(now));
    }
  }
  return { runs, by };
}

function alike(runs: readonly Run[]): boolean {
  let common = 0;
  let total = 0;
  for (const { op, tokens } of runs) {
    for (const token of tokens) {
      const weight = token.trim().length;
      total += op === '=' ? 2 * weight : weight;
      if (op === '=') common += 2 * weight;
    }
  }
  return common >= ALIKE * total;
}

/** Blanks and lone short words between two changes join them: alternating crumbs cannot be read. */
function tidy(runs: readonly Run[]): Run[] {
  const tidied: Run[] = [];
  runs.forEach((run, i) => {
    const inside = i > 0 && i < runs.length - 1 && run.op === '=';
    if (inside && isCrumb(run.tokens)) {
      push(tidied, '-', run.tokens);
      push(tidied, '+', run.tokens);
    } else push(tidied, run.op, run.tokens);
  });
  return tidied;
}

function isCrumb(tokens: readonly string[]): boolean {
  return tokens.length <= 3 && !tokens.includes('\n') && tokens.join('').trim().length <= 2;
}

function toHunks(rows: readonly Row[], context: number): Hunk[] {
  const shown = shownRows(rows, context);
  const hunks: Hunk[] = [];
  for (let start = 0; start < rows.length; start++) {
    if (!shown[start]) continue;
    let end = start;
    while (end < rows.length && shown[end]) end++;
    const midLine = (row: number): boolean => rows[row]?.lines.at(-1)?.ends === false;
    hunks.push({
      cutBefore: start > 0,
      midLineBefore: start > 0 && midLine(start - 1),
      cutAfter: end < rows.length,
      midLineAfter: end < rows.length && midLine(end - 1),
      lines: rows.slice(start, end).flatMap((row) => row.lines),
    });
    start = end;
  }
  return hunks;
}

/** Changed rows and `context` rows around them; one row left out takes as much room as the mark that says so. */
function shownRows(rows: readonly Row[], context: number): boolean[] {
  const shown = rows.map(() => false);
  let last = Number.NEGATIVE_INFINITY;
  rows.forEach((row, i) => {
    if (row.changed) last = i;
    if (i - last <= context) shown[i] = true;
  });
  last = Number.POSITIVE_INFINITY;
  for (let i = rows.length - 1; i >= 0; i--) {
    if (rows[i]?.changed) last = i;
    if (last - i <= context) shown[i] = true;
  }
  for (let i = 1; i + 1 < rows.length; i++) if (shown[i - 1] && shown[i + 1]) shown[i] = true;
  return shown;
}
