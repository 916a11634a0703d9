import { compose } from './compose.ts';
import type { Report } from './model.ts';
import { PAGE_CSS } from './page-css.ts';
import { printHtml } from './print-html.ts';

/** A page of this size still opens; a hostile report must not fill the disk. In UTF-16 units. */
const PAGE_BUDGET = 16 * 1024 * 1024;

/**
 * The report as one HTML page that needs nothing else: light and dark, no scripts, and a policy that lets it load
 * nothing, so that it is safe to open whatever the report holds.
 */
export function renderPage(report: Report, options: { reportUrl?: string } = {}): string {
  const blocks = compose(report, {
    budget: PAGE_BUDGET,
    size: (some) => printHtml(some).length + 1,
    reportUrl: options.reportUrl,
    rows: 500,
    maxLines: 2_000,
    open: 10,
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>AgentGate report</title>
<style>
${PAGE_CSS}</style>
</head>
<body>
<main>
${printHtml(blocks)}
</main>
</body>
</html>
`;
}
