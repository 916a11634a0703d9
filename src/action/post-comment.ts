import type { Report } from '../report/model.ts';
import { logSafe } from '../util/log-safe.ts';
import type { Api } from './api.ts';
import { ownerAndRepo } from './base-lock.ts';
import { keepComment } from './comment.ts';
import { mayCreateComment } from './comment-policy.ts';
import type { EventContext } from './event.ts';
import type { Inputs } from './inputs.ts';
import { explainRefusal } from './refusal.ts';
import { commentText } from './rendering.ts';
import { type Core, log } from './toolkit.ts';

export interface Posting {
  report: Report;
  inputs: Inputs;
  event: EventContext;
  api: (() => Promise<Api>) | undefined;
  core: Core;
}

/**
 * Brings the pull request's comment up to date and gives its address. Whatever stands in the way is one notice that
 * says what to do, never an error.
 */
export async function postComment(posting: Posting): Promise<string | undefined> {
  const { report, inputs, event, api, core } = posting;
  if (inputs.comment === 'never') return undefined;
  const pull = event.pullRequest;
  if (!pull) {
    log(`no comment: a ${event.name || 'local'} run has no pull request`);
    return undefined;
  }
  if (!api || event.repository === '') {
    core.notice('the pull request comment was not written: input github-token is empty', {
      title: 'AgentGate',
    });
    return undefined;
  }
  try {
    const create = mayCreateComment(report, inputs.comment);
    const written = await keepComment(
      await api(),
      { ...ownerAndRepo(event.repository), issue: pull.number },
      commentText(report, { id: inputs.commentId, reportUrl: report.context?.runUrl, resolved: !create }),
      { create },
    );
    if (written.state === 'none') {
      log('no comment: nothing changed');
      return undefined;
    }
    log(`comment ${written.state}: ${written.url}`);
    return written.url;
  } catch (error) {
    core.notice(logSafe(explainRefusal(error, event)), { title: 'AgentGate' });
    return undefined;
  }
}
