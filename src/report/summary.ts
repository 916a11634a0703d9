import { compose } from './compose.ts';
import type { Report } from './model.ts';
import { printMarkdown } from './print-markdown.ts';

/** GitHub drops a step's summary above this many bytes. */
export const SUMMARY_BUDGET = 1024 * 1024;

/** The job summary: everything, Markdown, at most `budget` bytes of UTF-8. */
export function renderSummary(report: Report, options: { budget?: number; reportUrl?: string } = {}): string {
  const blocks = compose(report, {
    budget: (options.budget ?? SUMMARY_BUDGET) - 16,
    size: (some) => Buffer.byteLength(printMarkdown(some)) + 2,
    reportUrl: options.reportUrl,
    rows: 200,
    maxLines: 4_000,
    open: 40,
  });
  return `${printMarkdown(blocks)}\n`;
}
