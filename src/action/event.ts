import { readFileSync } from 'node:fs';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';

/** The pull request that an event is about. */
export interface PullRequest {
  number: number;
  head: { sha: string; ref: string };
  base: { sha: string; ref: string };
  /** Its code comes from another repository; a deleted one counts. */
  fork: boolean;
}

/** The run that a `workflow_run` event reports. */
export interface WorkflowRun {
  headSha: string;
  headBranch: string;
  /** `owner/name`; null when the repository is gone. */
  headRepository: string | null;
  event: string;
  fork: boolean;
  url?: string;
}

/** What the runner says about this job. Nothing in here was checked against the API. */
export interface EventContext {
  /** `pull_request`, `push`, … */
  name: string;
  /** `owner/name` of the repository that the workflow runs in. */
  repository: string;
  /** The commit that the event is about. */
  sha: string;
  /** Absolute. */
  workspace: string;
  /** This run's page. */
  runUrl?: string;
  /** Who triggered it: `dependabot[bot]` has a read-only token, as forks have. */
  actor: string;
  pullRequest?: PullRequest;
  mergeGroup?: { baseSha: string; headSha: string };
  workflowRun?: WorkflowRun;
}

const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const REPOSITORY = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;

/**
 * Reads the event from the runner's variables and its payload file.
 * @throws AgentGateError `E_EVENT` when the payload cannot be read or a pull request in it is incomplete
 */
export function readEvent(env: NodeJS.ProcessEnv): EventContext {
  const name = env.GITHUB_EVENT_NAME ?? '';
  const repository = env.GITHUB_REPOSITORY ?? '';
  if (repository !== '' && !REPOSITORY.test(repository))
    throw new AgentGateError('E_EVENT', `GITHUB_REPOSITORY is ${visibleLine(repository)}, not owner/name`);
  const payload = readPayload(env.GITHUB_EVENT_PATH);
  const server = (env.GITHUB_SERVER_URL ?? 'https://github.com').replace(/\/+$/, '');
  return {
    name,
    repository,
    sha: env.GITHUB_SHA ?? '',
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    runUrl:
      repository && env.GITHUB_RUN_ID
        ? `${server}/${repository}/actions/runs/${env.GITHUB_RUN_ID}`
        : undefined,
    actor: env.GITHUB_ACTOR ?? '',
    pullRequest: name.startsWith('pull_request') ? readPullRequest(payload, repository) : undefined,
    mergeGroup: name === 'merge_group' ? readMergeGroup(payload) : undefined,
    workflowRun: name === 'workflow_run' ? readWorkflowRun(payload, repository) : undefined,
  };
}

/**
 * Refuses to start what strangers declare where the job holds the repository's secrets: `pull_request_target` and
 * `workflow_run` run with the base's token, whoever wrote the code. Same rule as actions/checkout 7,
 * `src/unsafe-pr-checkout-helper.ts`.
 * @throws AgentGateError `E_UNTRUSTED`
 */
export function assertTrusted(event: EventContext, allowUntrustedCode: boolean): void {
  if (allowUntrustedCode) return;
  if (event.name === 'pull_request_target' && event.pullRequest?.fork)
    throw new AgentGateError(
      'E_UNTRUSTED',
      "this job runs under pull_request_target with the repository's token and secrets, and the pull request comes from a fork, " +
        'so no server that it declares was started; run the check under the pull_request event instead, and post its comment ' +
        'from a second workflow with mode: comment (examples/workflows), or set allow-untrusted-code: true to take the risk',
    );
  if (event.name === 'workflow_run' && event.workflowRun?.fork)
    throw new AgentGateError(
      'E_UNTRUSTED',
      "this job runs under workflow_run with the repository's token and secrets, and the run that triggered it belongs to a " +
        'fork, so no server that it declares was started; run the check in the triggering workflow under the pull_request event, ' +
        'and use mode: comment here (examples/workflows), or set allow-untrusted-code: true to take the risk',
    );
}

function readPayload(path: string | undefined): JsonObject {
  if (!path) return {};
  let value: Json;
  try {
    value = JSON.parse(readFileSync(path, 'utf8')) as Json;
  } catch (error) {
    throw new AgentGateError(
      'E_EVENT',
      `the event payload (GITHUB_EVENT_PATH) cannot be read: ${messageOf(error)}`,
    );
  }
  if (!isObject(value)) throw new AgentGateError('E_EVENT', 'the event payload is not a JSON object');
  return value;
}

function readPullRequest(payload: JsonObject, repository: string): PullRequest {
  const pull = member(payload, 'pull_request');
  const head = member(pull, 'head');
  const base = member(pull, 'base');
  const number = pull && own(pull, 'number');
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1)
    throw new AgentGateError(
      'E_EVENT',
      'the event payload names no pull request; run under a pull_request event',
    );
  return {
    number,
    head: { sha: sha(head, 'pull_request.head.sha'), ref: string(head, 'ref') },
    base: { sha: sha(base, 'pull_request.base.sha'), ref: string(base, 'ref') },
    fork: isFork(member(head, 'repo'), repository),
  };
}

function readMergeGroup(payload: JsonObject): EventContext['mergeGroup'] {
  const group = member(payload, 'merge_group');
  const baseSha = string(group, 'base_sha');
  const headSha = string(group, 'head_sha');
  return SHA.test(baseSha) && SHA.test(headSha) ? { baseSha, headSha } : undefined;
}

function readWorkflowRun(payload: JsonObject, repository: string): WorkflowRun {
  const run = member(payload, 'workflow_run');
  const headRepository = member(run, 'head_repository');
  const url = string(run, 'html_url');
  return {
    headSha: sha(run, 'workflow_run.head_sha', 'head_sha'),
    headBranch: string(run, 'head_branch'),
    headRepository: headRepository ? string(headRepository, 'full_name') : null,
    event: string(run, 'event'),
    fork: isFork(headRepository, repository),
    ...(url ? { url } : {}),
  };
}

/** A fork that was deleted has no `repo` any more: its code is a stranger's all the same. */
function isFork(repo: JsonObject | undefined, repository: string): boolean {
  return repo === undefined || string(repo, 'full_name').toLowerCase() !== repository.toLowerCase();
}

function member(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object && own(object, key);
  return isObject(value) ? value : undefined;
}

function string(object: JsonObject | undefined, key: string): string {
  const value = object && own(object, key);
  return typeof value === 'string' ? value : '';
}

/** A commit id, checked: it becomes an argument of git and part of an address. */
function sha(object: JsonObject | undefined, place: string, key = 'sha'): string {
  const value = string(object, key);
  if (!SHA.test(value))
    throw new AgentGateError(
      'E_EVENT',
      `the event payload has no commit id in ${place}; run under another event`,
    );
  return value;
}
