import { type DiffLine, diffText } from '../drift/text.ts';
import { append, FENCE_WIDTH, signed, wrapLines } from './text-lines.ts';

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
  const lines = hunks.flatMap((hunk, index) => [...(index > 0 ? ['@@ … @@'] : []), ...hunkLines(hunk.lines)]);
  budget.found.set(key, lines);
  return lines;
}

/** A hunk as signed lines: pieces of one wrapped line are joined and wrapped at blanks. */
function hunkLines(lines: DiffLine[]): string[] {
  const out: string[] = [];
  let held = '';
  let kind: DiffLine['kind'] | undefined;
  const flush = (): void => {
    if (kind !== undefined) append(out, signed(kind, wrapLines(held)));
    held = '';
    kind = undefined;
  };
  for (const line of lines) {
    if (kind !== line.kind) flush();
    kind = line.kind;
    held += line.spans.map((span) => span.text).join('');
    if (line.ends) flush();
  }
  flush();
  return withoutEqual(out);
}

/** A line that goes and comes back just the same (only its line end differs) is context. */
function withoutEqual(lines: string[]): string[] {
  const out: string[] = [];
  for (let index = 0; index < lines.length; ) {
    let middle = index;
    while (lines[middle]?.startsWith('-')) middle++;
    let end = middle;
    while (lines[end]?.startsWith('+')) end++;
    if (middle === index || end === middle) {
      const stop = Math.max(end, index + 1);
      append(out, lines.slice(index, stop));
      index = stop;
      continue;
    }
    const gone = lines.slice(index, middle);
    const come = lines.slice(middle, end);
    let same = 0;
    while (same < gone.length && same < come.length && gone[same]?.slice(1) === come[same]?.slice(1)) same++;
    append(
      out,
      gone.slice(0, same).map((line) => ` ${line.slice(1)}`),
    );
    append(out, gone.slice(same));
    append(out, come.slice(same));
    index = end;
  }
  return out;
}
