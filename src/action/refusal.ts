import { messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isApiError } from './api.ts';
import type { EventContext } from './event.ts';

/**
 * Why the comment could not be written and what to do, in one sentence for one notice. `error` is what octokit
 * threw; a 403 tells in a header which permission the route takes.
 */
export function explainRefusal(error: unknown, event: EventContext): string {
  const start = 'the pull request comment was not written: ';
  if (!isApiError(error))
    return `${start}${shown(messageOf(error))}; the summary of this job has the whole report`;
  const { status, message } = error;
  if (/secondary rate|rate limit/i.test(message) || status === 429)
    return `${start}GitHub's rate limit did not end in time; the next run writes it, and the summary of this job has the whole report`;
  if (status === 403 || status === 401 || status === 404) return start + explainForbidden(error, event);
  if (status >= 500)
    return `${start}GitHub did not answer (${status}); the next run writes it, and the summary of this job has the whole report`;
  return `${start}GitHub answered ${status} (${shown(message)}); the summary of this job has the whole report`;
}

function explainForbidden(
  error: { message: string; response?: { headers: Record<string, unknown> } },
  event: EventContext,
): string {
  if (/\blocked\b/i.test(error.message))
    return 'the conversation is locked; unlock it, or set comment: never. The summary of this job has the whole report';
  if (event.pullRequest?.fork || event.actor === 'dependabot[bot]')
    return (
      `the token of a run for ${event.pullRequest?.fork ? 'a fork' : 'Dependabot'} can only read, whatever permissions: says. ` +
      'The summary of this job has the whole report; to have a comment too, post it from a workflow_run workflow with mode: comment (examples/workflows)'
    );
  const accepted = error.response?.headers['x-accepted-github-permissions'];
  const needed = typeof accepted === 'string' && accepted !== '' ? ` (it takes ${shown(accepted)})` : '';
  return `the token may not write it${needed}; give the job permissions: pull-requests: write, or set comment: never. The summary of this job has the whole report`;
}

function shown(text: string): string {
  const line = visibleLine(text);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
