import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { verdictOf } from '../report/build.ts';
import type { Report } from '../report/model.ts';
import { parseReport, REPORT_MAX_BYTES } from '../report/parse-report.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject } from '../util/json.ts';
import { type Api, isApiError } from './api.ts';
import { ownerAndRepo } from './base-lock.ts';
import type { EventContext, WorkflowRun } from './event.ts';
import type { Inputs } from './inputs.ts';
import { explainRefusal } from './refusal.ts';

export interface ForeignQuestion {
  inputs: Inputs;
  event: EventContext;
  api: (() => Promise<Api>) | undefined;
  cwd: string;
}

/** The report, and the event with the pull request that it is about; or why there is nothing to post. */
export type ForeignReport = { report: Report; event: EventContext } | { report: undefined; reason: string };

/**
 * Reads the report of another run, for `mode: comment`. It comes from code that a stranger may have written, so
 * nothing in it is believed but what it says of servers: the pull request that it names must be the one whose head
 * the event says was run, and verdict and addresses are made anew.
 * @throws AgentGateError `E_INPUT`, `E_REPORT…`
 */
export async function readForeignReport(question: ForeignQuestion): Promise<ForeignReport> {
  const { inputs, event } = question;
  if (inputs.report === undefined)
    throw new AgentGateError(
      'E_INPUT',
      'input report is empty, but mode: comment takes the path of the report to post',
    );
  const text = await readText(resolve(question.cwd, inputs.report));
  const report = parseReport(text, { file: inputs.report });
  const named = report.context?.pullRequest;
  if (!report.context || !named)
    throw foreign(
      'is about no pull request; pass the report of a check that ran under the pull_request event',
    );
  if (report.context.repository.toLowerCase() !== event.repository.toLowerCase())
    throw foreign('is about another repository; pass the report of the run that triggered this one');
  const verified = event.workflowRun
    ? await verifyAgainstRun(question, event.workflowRun, named)
    : verifyAgainstEvent(event, named);
  if (typeof verified === 'string') return { report: undefined, reason: verified };
  const runUrl = event.workflowRun?.url ?? event.runUrl;
  return {
    event: { ...event, pullRequest: verified },
    report: {
      ...report,
      ...verdictOf(report),
      context: {
        event: 'pull_request',
        repository: event.repository,
        workingDirectory: report.context.workingDirectory,
        ...(runUrl === undefined ? {} : { runUrl }),
        pullRequest: { number: verified.number, head: verified.head.sha, base: verified.base.sha },
      },
    },
  };
}

type PullRequest = NonNullable<EventContext['pullRequest']>;
type Named = { number: number; head: string; base: string };

function verifyAgainstEvent(event: EventContext, named: Named): PullRequest {
  const pull = event.pullRequest;
  if (!pull)
    throw new AgentGateError(
      'E_INPUT',
      `mode: comment under ${event.name || 'no event'} does not know its pull request; use it under workflow_run or pull_request`,
    );
  if (pull.number !== named.number || pull.head.sha !== named.head)
    throw foreign(
      'is about another commit or pull request than this event; pass the report of this very run',
    );
  return pull;
}

/**
 * `workflow_run.pull_requests` is empty for forks, so the number comes from the report: it counts when that pull
 * request's head is the commit that was run. The text tells that the head has moved on since.
 */
async function verifyAgainstRun(
  question: ForeignQuestion,
  run: WorkflowRun,
  named: Named,
): Promise<PullRequest | string> {
  const { api, event } = question;
  if (!api)
    throw new AgentGateError('E_INPUT', 'input github-token is empty, but mode: comment needs a token');
  if (!Number.isSafeInteger(named.number) || named.number < 1 || named.head !== run.headSha)
    throw foreign(
      'is about another commit than the run that triggered this one; pass the report of that run',
    );
  let pull: JsonObject;
  try {
    const { data } = await (await api()).request('GET /repos/{owner}/{repo}/pulls/{number}', {
      ...ownerAndRepo(event.repository),
      number: named.number,
    });
    pull = isObject(data) ? data : {};
  } catch (error) {
    if (isApiError(error) && error.status === 404)
      throw foreign(`names pull request #${named.number}, which there is not; nothing was posted`);
    return explainRefusal(error, event);
  }
  const head = member(pull, 'head');
  const base = member(pull, 'base');
  const headRepository = string(member(head, 'repo'), 'full_name');
  const same = headRepository === (run.headRepository ?? '') && string(head, 'ref') === run.headBranch;
  if (string(head, 'sha') !== run.headSha) {
    if (same && headRepository !== '')
      return `the pull request comment was not written: #${named.number} has a newer commit, whose own run writes it`;
    throw foreign(
      `names pull request #${named.number}, whose head is not the commit that was run; nothing was posted`,
    );
  }
  // Anyone can push another's commit to a fork of their own and open a pull request of it, onto another base.
  if (!same)
    throw foreign(
      `names pull request #${named.number}, which comes from another branch than the run that triggered this one; nothing was posted`,
    );
  return {
    number: named.number,
    head: { sha: run.headSha, ref: string(head, 'ref') },
    base: { sha: string(base, 'sha'), ref: string(base, 'ref') },
    fork: headRepository.toLowerCase() !== event.repository.toLowerCase(),
  };
}

async function readText(path: string): Promise<string> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) throw foreign(`is not at ${path}; download the artifact of the check first`);
  // An artifact may hold a link to any file of this job.
  if (!info.isFile()) throw foreign('is not a plain file; pass the file that the check wrote');
  if (info.size > REPORT_MAX_BYTES)
    throw foreign(`has ${info.size} bytes, more than the ${REPORT_MAX_BYTES} that are read`);
  return readFile(path, 'utf8');
}

function member(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

function string(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

function foreign(problem: string): AgentGateError {
  return new AgentGateError('E_REPORT_FOREIGN', `the report ${problem}`);
}
