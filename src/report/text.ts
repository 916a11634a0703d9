import { compose } from './compose.ts';
import type { Block } from './document.ts';
import { headline } from './headline.ts';
import type { Report } from './model.ts';
import { printText, type TextOptions, textWidth } from './print-text.ts';
import { timeBlocks } from './time-blocks.ts';
import { uncheckedBlocks } from './unchecked-blocks.ts';

/** A terminal scrolls: this bounds the memory of a hostile report only. UTF-16 units. */
const TEXT_BUDGET = 4 * 1024 * 1024;

export interface RenderTextOptions extends TextOptions {
  reportUrl?: string;
  /** The verdict and what could not be checked, alone. */
  quiet?: boolean;
  /** Folded parts too: groups of equal changes, exact schemas; and how long each server took. */
  verbose?: boolean;
}

/** What a fence's text has of the terminal's columns: sign, indent, and the folds that it may stand in come off. */
function fenceColumns({ width, verbose }: RenderTextOptions): number {
  return textWidth(width) - (verbose === true ? 8 : 6);
}

/** The report for a terminal or a log, ending in a line feed. Plain text unless `color`. */
export function renderText(report: Report, options: RenderTextOptions = {}): string {
  if (options.quiet === true) {
    const [, ...unchecked] = uncheckedBlocks(report, 500);
    return printText([{ kind: 'heading', level: 3, inlines: headline(report) }, ...unchecked], options);
  }
  const folded: TextOptions = { ...options, folded: options.verbose !== true };
  const size = (some: Block[]): number => printText(some, { ...folded, color: false }).length + 1;
  const blocks = compose(report, {
    budget: TEXT_BUDGET,
    size,
    reportUrl: options.reportUrl,
    rows: 500,
    width: fenceColumns(options),
    maxLines: options.verbose === true ? 10_000 : 400,
    open: Number.POSITIVE_INFINITY,
  });
  return printText(options.verbose === true ? [...blocks, ...timeBlocks(report)] : blocks, folded);
}
