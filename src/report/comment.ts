import { visibleLine } from '../util/hidden.ts';
import { compose } from './compose.ts';
import { heading, paragraph, text } from './document.ts';
import { headline } from './headline.ts';
import type { Report } from './model.ts';
import { printMarkdown } from './print-markdown.ts';

/** GitHub's limit of a comment's body, in characters. */
export const COMMENT_BUDGET = 65_536;

export interface CommentOptions {
  /** Tells this check's comment from others on the same pull request. */
  id: string;
  /** UTF-16 units; {@link COMMENT_BUDGET} by default. */
  budget?: number;
  /** Where the whole report is; `http` or `https`. */
  reportUrl?: string;
}

/** The hidden first line by which a comment is found again. What the id may hold is narrowed, never its meaning lost. */
export function commentMarker(id: string): string {
  const safe = visibleLine(id)
    .replace(/[^\w./:@ -]/gu, '_')
    .replaceAll('--', '__')
    .slice(0, 200);
  return `<!-- agentgate:comment id="${safe}" -->`;
}

/** The pull request comment, Markdown, at most `budget` characters, no newline at the end. */
export function renderComment(report: Report, options: CommentOptions): string {
  const marker = commentMarker(options.id);
  const blocks = compose(report, {
    budget: (options.budget ?? COMMENT_BUDGET) - marker.length - 1,
    size: (some) => printMarkdown(some).length + 2,
    reportUrl: options.reportUrl,
    rows: 40,
    maxLines: 400,
    open: 5,
  });
  return `${marker}\n${printMarkdown(blocks)}`;
}

/** What the comment of an earlier drift becomes when there is none left. */
export function renderResolved(report: Report, options: CommentOptions): string {
  // Without the lock of the base nobody knows whether there is still something to accept.
  const unknown = report.info.find(({ code }) => code === 'base-unknown');
  const words =
    unknown === undefined
      ? 'An earlier run of this pull request found differences; they are resolved.'
      : `The running servers match the lock, but ${unknown.message}. The next run that can read it brings it back.`;
  const blocks = [heading(3, ...headline(report)), paragraph(text(words))];
  return `${commentMarker(options.id)}\n${printMarkdown(blocks)}`;
}
