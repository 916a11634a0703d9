import { renderComment } from '../report/comment.ts';
import { reportParts } from '../report/json.ts';
import type { Report } from '../report/model.ts';
import { renderPage } from '../report/page.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderText } from '../report/text.ts';
import { type Io, wantsColor } from './io.ts';
import type { CommonOptions } from './options.ts';

/** GitHub's limit of a comment does not bind a file. */
const FILE_BUDGET = 8 * 1024 * 1024;

/** The report in the wanted format, in parts; an output file that ends in `.html` gets a page. */
export function renderReport(report: Report, options: CommonOptions, io: Io): Iterable<string> {
  const isPage = options.output?.endsWith('.html') && options.format === undefined;
  return options.format === 'json' && !isPage ? reportParts(report) : [renderWhole(report, options, io)];
}

function renderWhole(report: Report, options: CommonOptions, io: Io): string {
  if (options.output?.endsWith('.html') && options.format === undefined) return renderPage(report);
  switch (options.format ?? 'text') {
    case 'json':
      return [...reportParts(report)].join('');
    case 'sarif':
      return renderSarif(report);
    case 'markdown':
      return renderComment(report, { id: report.lockfile.path, budget: FILE_BUDGET });
    case 'text':
      return renderText(report, {
        color: options.output === undefined && wantsColor(io, options.color),
        width: io.stdout.columns || 100,
        quiet: options.quiet,
        verbose: options.verbose,
      });
  }
}
