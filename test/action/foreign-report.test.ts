import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { openPullRequest, plainEvent, pullRequestEvent, workflowRunEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { change, cleanParts, driftParts, runPrepared } from '../support/github/prepared.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

let api: GithubApi;
let pull: { number: number; head: string; base: string };
let workspace: string;

beforeEach(async () => {
  api = await startGithubApi();
  pull = await openPullRequest(api);
  api.headRepository = 'mallory/app';
  workspace = makeWorkspace({ base: { a: 'a' }, checkout: 'plain' }).path;
});
afterEach(() => api.close());

function report(over: Partial<Report> = {}, context: Partial<NonNullable<Report['context']>> = {}): Report {
  return {
    ...buildReport({
      ...driftParts(),
      context: {
        event: 'pull_request',
        repository: 'acme/app',
        workingDirectory: '.',
        runUrl: 'https://evil.example/',
        pullRequest: pull,
        ...context,
      },
    }),
    ...over,
  };
}

async function post(
  text: unknown,
  options: { event?: ReturnType<typeof plainEvent>; inputs?: Record<string, string> } = {},
) {
  mkdirSync(join(workspace, 'artifact'), { recursive: true });
  writeFileSync(
    join(workspace, 'artifact/report.json'),
    typeof text === 'string' ? text : JSON.stringify(text),
  );
  const result = await runPrepared(
    { parts: cleanParts(), throws: { message: 'the check was started' } },
    {
      event: options.event ?? workflowRunEvent({ headSha: pull.head, from: 'fork' }),
      workspace,
      inputs: { mode: 'comment', report: 'artifact/report.json', ...options.inputs },
      env: api.env,
    },
  );
  expect(result.asked).toBeUndefined();
  return result;
}

describe('mode: comment', () => {
  it('posts the report of a run of a fork, and keeps it up to date', async () => {
    const first = await post(report());
    expect(first.exitCode).toBe(0);
    expect(first.outputs['comment-url']).toMatch(/#issuecomment-\d+$/);
    await post(report({ changes: [change({ name: 'fetch' })] }));
    const comments = await api.comments(pull.number);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('fetch');
    expect(comments[0]?.body).toContain('https://github.example/acme/app/actions/runs/99');
    expect(comments[0]?.body).not.toContain('evil.example');
  });

  it('works in a second job of the same run', async () => {
    const result = await post(report(), { event: pullRequestEvent(pull) });
    expect(result.exitCode).toBe(0);
    expect(await api.comments(pull.number)).toHaveLength(1);
  });

  it('does not take the report at its word', async () => {
    await post(report({ verdict: 'clean', exitCode: 0 }));
    const [comment] = await api.comments(pull.number);
    expect(comment?.body).not.toContain('✅');
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'of another commit',
      () => report({}, { pullRequest: { ...pull, head: 'f'.repeat(40) } }),
      /another commit/,
    ],
    [
      'of another pull request',
      () => report({}, { pullRequest: { ...pull, number: 2 } }),
      /#2, which there is not/,
    ],
    ['of another repository', () => report({}, { repository: 'mallory/app' }), /another repository/],
    ['of no pull request', () => report({}, { pullRequest: undefined }), /no pull request/],
    ['of no run', () => report({ context: undefined }), /no pull request/],
    ['that is no JSON', () => '{"schemaVersion":1', /./],
    ['of another shape', () => ({ schemaVersion: 1, verdict: 'clean' }), /./],
    ['that is nested 100,000 deep', () => '['.repeat(100_000), /./],
    [
      'of a negative pull request',
      () => report({}, { pullRequest: { ...pull, number: -1 } }),
      /another commit/,
    ],
  ])('refuses a report %s', async (_, text, message) => {
    const result = await post(text());
    expect(result.exitCode).toBe(2);
    expect(result.annotations[0]?.message).toMatch(message);
    expect(api.writes()).toEqual([]);
  });

  it('refuses a pull request whose head is another', async () => {
    const headSha = 'e'.repeat(40);
    const result = await post(report({}, { pullRequest: { ...pull, head: headSha } }), {
      event: workflowRunEvent({ headSha }),
    });
    expect(result.exitCode).toBe(2);
    expect(result.annotations[0]?.message).toContain('whose head is not the commit that was run');
    expect(api.writes()).toEqual([]);
  });

  it.each([
    ['repository', { from: 'same' as const }],
    ['branch', { from: 'fork' as const, branch: 'other' }],
  ])('refuses the pull request of the same commit in another %s: its run is another', async (_, from) => {
    const result = await post(report(), { event: workflowRunEvent({ headSha: pull.head, ...from }) });
    expect(result.exitCode).toBe(2);
    expect(result.annotations[0]?.message).toContain('comes from another branch');
    expect(api.writes()).toEqual([]);
  });

  it('leaves a newer commit to its own run', async () => {
    const headSha = 'e'.repeat(40);
    const result = await post(report({}, { pullRequest: { ...pull, head: headSha } }), {
      event: workflowRunEvent({ headSha, from: 'fork' }),
    });
    expect(result.exitCode).toBe(0);
    expect(result.annotations.map(({ command, message }) => [command, message])).toEqual([
      ['notice', expect.stringContaining('has a newer commit')],
    ]);
    expect(api.writes()).toEqual([]);
  });

  it('reads no file that a link in the artifact names', async () => {
    const secret = join(workspace, 'secret.json');
    writeFileSync(secret, JSON.stringify(report()));
    mkdirSync(join(workspace, 'artifact'));
    symlinkSync(secret, join(workspace, 'artifact/link.json'));
    const result = await post(report(), { inputs: { report: 'artifact/link.json' } });
    expect(result.exitCode).toBe(2);
    expect(result.log).toContain('not a plain file');
    expect(api.writes()).toEqual([]);
    expect(readFileSync(secret, 'utf8')).toContain('schemaVersion');
  });

  it.each([
    ['without a report', { inputs: { report: '' } }, /input report is empty/],
    ['with a report that is not there', { inputs: { report: 'none.json' } }, /is not at/],
    ['without a token', { inputs: { 'github-token': '' } }, /github-token is empty/],
    ['under push', { event: plainEvent('push') }, /does not know its pull request/],
  ])('is an error %s', async (_, options, message) => {
    const result = await post(report(), options);
    expect(result.exitCode).toBe(2);
    expect(result.annotations[0]?.message).toMatch(message);
  });

  it('is one notice when GitHub refuses the comment', async () => {
    api.readOnly.add('job-token');
    const result = await post(report());
    expect(result.exitCode).toBe(0);
    expect(result.annotations.map(({ command }) => command)).toEqual(['notice']);
  });
});
