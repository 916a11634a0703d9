import { commentMarker, renderComment, renderResolved } from '../report/comment.ts';
import type { Report } from '../report/model.ts';
import type { CommentText } from './comment.ts';

/** Half of what a comment may hold, for the case that GitHub counts otherwise than we do. */
const SHORT_LENGTH = 30_000;

/**
 * The comment of a report. `resolved` is for a pull request whose earlier comment has nothing more to tell.
 * `reportUrl` is this run's page, which holds the summary.
 */
export function commentText(
  report: Report,
  options: { id: string; reportUrl?: string; resolved: boolean },
): CommentText {
  const { id, reportUrl } = options;
  const render = (budget?: number): string =>
    options.resolved ? renderResolved(report, { id }) : renderComment(report, { id, reportUrl, budget });
  return { marker: commentMarker(id), body: render(), short: () => render(SHORT_LENGTH) };
}
