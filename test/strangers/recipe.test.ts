import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Report } from '../../src/report/model.ts';
import { openPullRequest, pullRequestEvent, workflowRunEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { lockOf, serverFiles } from '../support/github/notes-server.ts';
import { ACTION, type ActionResult, runAction } from '../support/github/run-action.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

/** Both workflows of the recipe for forks, with the inputs that their files give. `AGENTGATE_ACTION` names the entry. */

interface Step {
  uses?: string;
  with?: Record<string, string>;
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: Step[] }>;
}

const read = (name: string): Workflow =>
  parse(readFileSync(resolve(import.meta.dirname, '../../examples/workflows', name), 'utf8')) as Workflow;
const first = read('agentgate-forks.yml');
const second = read('agentgate-comment.yml');
const stepsOf = (workflow: Workflow): Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const inputsOf = (workflow: Workflow): Record<string, string> =>
  stepsOf(workflow).find(({ uses }) => uses?.startsWith('agentgate/action@'))?.with ?? {};

const SAYS = 'Lists all notes. @octocat <!-- agentgate:comment --> ![x](https://evil.example/x.png)';
const OLD = serverFiles('Lists all notes.');
const oldLock = lockOf(OLD);

let api: GithubApi;
let pull: { number: number; head: string; base: string };
let report: Report;
let checked: ActionResult;
let poster: string;
/** Requests that wrote, before this test. */
let earlier: number;

beforeAll(async () => {
  api = await startGithubApi();
  pull = await openPullRequest(api);
  api.headRepository = 'mallory/app';
  const workspace = makeWorkspace({
    base: { ...OLD, 'agentgate.lock': oldLock },
    head: serverFiles(SAYS),
    checkout: 'head',
  }).path;
  // The first workflow: the token of a fork's run can only read.
  api.readOnly.add('job-token');
  checked = await runAction({
    entry: ACTION,
    event: pullRequestEvent({ ...pull, from: 'fork' }),
    workspace,
    inputs: inputsOf(first),
    env: api.env,
  });
  report = JSON.parse(readFileSync(String(checked.outputs.report), 'utf8')) as Report;
  api.readOnly.clear();
  // The second one has no checkout, only the artifact.
  poster = makeWorkspace({ base: { a: 'a' }, checkout: 'plain' }).path;
  mkdirSync(join(poster, 'agentgate-report'));
});
beforeEach(() => {
  earlier = api.writes().length;
});
afterAll(() => api.close());

/** The second workflow, after the artifact's text was changed. */
async function post(
  text: string | object,
  headSha = pull.head,
  from: 'fork' | 'same' = 'fork',
): Promise<ActionResult> {
  const file = join(poster, 'agentgate-report/report.json');
  if (text === '') copyFileSync(String(checked.outputs.report), file);
  else writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text));
  return runAction({
    entry: ACTION,
    event: workflowRunEvent({ headSha, from }),
    workspace: poster,
    inputs: inputsOf(second),
    env: api.env,
  });
}

const withPull = (change: Partial<typeof pull>): object => ({
  ...report,
  context: { ...report.context, pullRequest: { ...pull, ...change } },
});

describe('pull requests from forks, by two workflows', () => {
  it('gives the first one no right to write, and the second one no code to run', () => {
    expect(first.permissions).toEqual({ contents: 'read' });
    expect(JSON.stringify(first)).not.toContain('secrets.');
    expect(second.permissions).toEqual({});
    expect(stepsOf(second).some(({ uses }) => uses?.startsWith('actions/checkout'))).toBe(false);
    expect(inputsOf(second).mode).toBe('comment');
  });

  it('checks, and posts what was found', async () => {
    expect(checked.exitCode).toBe(1);
    expect(checked.outputs).toMatchObject({ verdict: 'drift', changes: '1' });
    expect(earlier).toBe(0);
    const posted = await post('');
    expect(posted.exitCode).toBe(0);
    const [comment, ...more] = await api.comments(pull.number);
    expect(more).toEqual([]);
    expect(comment?.body).toContain('list_notes');
    expect(comment?.body).toContain('/actions/runs/99');
    // The server's words stay words: nothing of it outside of a fence or a code span.
    const outside = String(comment?.body)
      .replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, '')
      .replace(/(`+)[\s\S]*?\1/g, '');
    expect(outside).not.toMatch(/@octocat|evil\.example/);
    // Once more: the same comment.
    expect((await post('')).exitCode).toBe(0);
    expect(await api.comments(pull.number)).toHaveLength(1);
  });

  it('does not believe a forged verdict', async () => {
    const posted = await post({ ...report, verdict: 'clean', exitCode: 0 });
    expect(posted.exitCode).toBe(0);
    const [comment] = await api.comments(pull.number);
    expect(comment?.body).toContain('list_notes');
    expect(comment?.body).not.toContain('✅');
  });

  it.each<[string, () => string | object, RegExp, string?, ('fork' | 'same')?]>([
    [
      'forged, with members that reports do not have',
      () => ({ ...report, servers: [{ key: { html: '<b>' } }] }),
      /report\.json.*servers/,
    ],
    ['for another pull request', () => withPull({ number: 2 }), /#2, which there is not/],
    ['for the pull request of another commit', () => withPull({ head: 'f'.repeat(40) }), /another commit/],
    [
      'for an older head, named as this one',
      () => withPull({ head: 'e'.repeat(40) }),
      /whose head is not the commit that was run/,
      'e'.repeat(40),
      'same',
    ],
    [
      'of another repository',
      () => ({ ...report, context: { ...report.context, repository: 'mallory/app' } }),
      /another repository/,
    ],
    [
      'that is too large',
      () => ({ ...report, padding: 'x'.repeat(9 << 20) }),
      /\d+ bytes, more than the \d+/,
    ],
    ['that is no JSON', () => '{"schemaVersion": 1,', /JSON/],
    ['that is a list', () => [], /report\.json/],
    ['of a later release', () => ({ ...report, schemaVersion: 99 }), /schemaVersion|version 99|release/],
  ])('refuses a report %s, and says why', async (_, text, reason, headSha, from) => {
    const posted = await post(text(), headSha, from);
    expect(posted.exitCode).toBe(2);
    expect(posted.annotations.map(({ message }) => message).join('\n')).toMatch(reason);
    expect(api.writes().slice(earlier)).toEqual([]);
  });

  it('leaves an older head of the same branch to the run of the newer one', async () => {
    const posted = await post(withPull({ head: 'e'.repeat(40) }), 'e'.repeat(40), 'fork');
    expect(posted.exitCode).toBe(0);
    expect(posted.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining('has a newer commit'),
    ]);
    expect(api.writes().slice(earlier)).toEqual([]);
  });
});
