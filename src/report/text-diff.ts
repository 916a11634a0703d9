import { diffText } from '../drift/text.ts';
import { FENCE_WIDTH, signed, wrapLines } from './text-lines.ts';

/** Milliseconds for one text; a report can hold many. */
const MAX_MS = 200;

/** The changed hunks between two texts as lines of a `diff` fence. */
export function diffLines(before: string, after: string): string[] {
  const { hunks } = diffText(before, after, { width: FENCE_WIDTH - 4, maxMs: MAX_MS });
  return hunks.flatMap((hunk, index): string[] => [
    ...(index > 0 ? ['@@ … @@'] : []),
    ...hunk.lines.flatMap((line) =>
      signed(line.kind, wrapLines(line.spans.map((span) => span.text).join(''))),
    ),
  ]);
}
