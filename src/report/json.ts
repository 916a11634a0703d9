import type { Report } from './model.ts';

/** The report as JSON text: two-space indent, one trailing newline. */
export function formatReport(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
