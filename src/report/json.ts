import { jsonParts } from '../util/json-parts.ts';
import type { Report } from './model.ts';

/** The report as JSON text: two-space indent, one trailing newline. */
export function formatReport(report: Report): string {
  return [...reportParts(report)].join('');
}

/** The text of {@link formatReport} in parts: it can hold every text of every server twice. */
export function reportParts(report: Report): Iterable<string> {
  return jsonParts(report);
}
