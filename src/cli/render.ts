import type { Report } from '../report/model.ts';
import { renderText } from '../report/text.ts';
import { type Io, wantsColor } from './io.ts';
import type { CommonOptions } from './options.ts';

/** GitHub's limit of a comment does not bind a file. */
const FILE_BUDGET = 8 * 1024 * 1024;

/** The report in the wanted format, in parts; an output file that ends in `.html` gets a page. */
export async function renderReport(
  report: Report,
  options: CommonOptions,
  io: Io,
): Promise<Iterable<string>> {
  if (options.output?.endsWith('.html') && options.format === undefined)
    return [(await import('../report/page.ts')).renderPage(report)];
  switch (options.format ?? 'text') {
    case 'json':
      return (await import('../report/json.ts')).reportParts(report);
    case 'sarif':
      return [(await import('../report/sarif.ts')).renderSarif(report)];
    case 'markdown':
      return [
        (await import('../report/comment.ts')).renderComment(report, {
          id: report.lockfile.path,
          budget: FILE_BUDGET,
        }),
      ];
    case 'text':
      return [
        renderText(report, {
          color: options.output === undefined && wantsColor(io, options.color),
          width: io.stdout.columns || 100,
          quiet: options.quiet,
          verbose: options.verbose,
        }),
      ];
  }
}

/** A report that went to a file, summed up in words. */
export function summary(report: Report): string {
  return renderText(report, { quiet: true, width: 100 });
}
