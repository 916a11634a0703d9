import { compose } from './compose.ts';
import type { Report } from './model.ts';
import { printText, type TextOptions } from './print-text.ts';

/** A terminal scrolls: this bounds the memory of a hostile report only. UTF-16 units. */
const TEXT_BUDGET = 4 * 1024 * 1024;

/** The report for a terminal or a log, ending in a line feed. Plain text unless `color`. */
export function renderText(report: Report, options: TextOptions & { reportUrl?: string } = {}): string {
  const blocks = compose(report, {
    budget: TEXT_BUDGET,
    size: (some) => printText(some).length + 1,
    reportUrl: options.reportUrl,
    maxLines: 400,
    open: Number.POSITIVE_INFINITY,
  });
  return printText(blocks, options);
}
