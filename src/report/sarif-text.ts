import { posix } from 'node:path';
import { visibleLine } from '../util/hidden.ts';
import type { Report } from './model.ts';

/** GitHub cuts a longer message. */
export const MAX_TEXT = 1_000;

/** Relative to the repository's root, percent-encoded; never absolute, never above the root. */
export function uriOf(report: Report, path: string): string {
  const folder = report.context?.workingDirectory ?? '.';
  const slashes = path.replaceAll('\\', '/').replace(/^(?:[A-Za-z]:)?\/+/, '');
  const joined = posix.normalize(posix.join(/^(?:\/|[A-Za-z]:)/.test(folder) ? '.' : folder, slashes));
  const inside = joined.replace(/^(?:\.\.\/)+/, '').replace(/^\.\/|^\/+/, '');
  return (inside === '' || inside === '.' || inside === '..' ? 'agentgate.lock' : inside)
    .split('/')
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd')))
    .join('/');
}

/** On one line, hidden characters shown; `[` and `]` escaped, as SARIF reads "[text](1)" as a link (§3.11.6). */
export function plain(text: string): string {
  return cut(visibleLine(text.replace(/\s*\n\s*/g, ' ')).replace(/[[\]\\]/g, '\\$&'), MAX_TEXT);
}

/** The first `max` UTF-16 units, never half a character or half an escape. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$|\\$/, '')}…`;
}
