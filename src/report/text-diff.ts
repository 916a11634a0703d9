import { diffText } from '../drift/text.ts';
import { FENCE_WIDTH, signed, wrapLines } from './text-lines.ts';

/** Milliseconds for one text, and for all texts of a rendering: after that diffs get coarser. */
const ONE_MS = 200;
const ALL_MS = 1_500;

/** The time that the diffs of one rendering may take together, and what they found. */
export interface DiffBudget {
  leftMs: number;
  found: Map<string, string[]>;
}

/** A fresh budget; one for each rendering. */
export function diffBudget(): DiffBudget {
  return { leftMs: ALL_MS, found: new Map() };
}

/** The changed hunks between two texts as lines of a `diff` fence. */
export function diffLines(before: string, after: string, budget: DiffBudget): string[] {
  const key = JSON.stringify([before, after]);
  const known = budget.found.get(key);
  if (known !== undefined) return known;
  const started = performance.now();
  const maxMs = Math.max(1, Math.min(ONE_MS, budget.leftMs));
  const { hunks } = diffText(before, after, { width: FENCE_WIDTH - 4, maxMs });
  budget.leftMs -= performance.now() - started;
  const lines = hunks.flatMap((hunk, index): string[] => [
    ...(index > 0 ? ['@@ … @@'] : []),
    ...hunk.lines.flatMap((line) =>
      signed(line.kind, wrapLines(line.spans.map((span) => span.text).join(''))),
    ),
  ]);
  budget.found.set(key, lines);
  return lines;
}
