import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPullRequest, pullRequestEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { change, driftParts, runPrepared } from '../support/github/prepared.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

const workspace = makeWorkspace({ base: { 'agentgate.lock': '{}' }, checkout: 'plain' }).path;
const COMMENTS = /\/issues\/\d+\/comments$/;

let api: GithubApi;
let pull: { number: number; head: string; base: string };

beforeEach(async () => {
  api = await startGithubApi();
  pull = await openPullRequest(api, { 'agentgate.lock': '{}' });
});
afterEach(() => api.close());

const run = (
  options: {
    parts?: ReturnType<typeof driftParts>;
    from?: 'same' | 'fork' | 'deleted';
    inputs?: Record<string, string>;
    env?: Record<string, string>;
  } = {},
) =>
  runPrepared(
    { parts: options.parts ?? driftParts() },
    {
      event: pullRequestEvent({ ...pull, from: options.from }),
      workspace,
      inputs: options.inputs,
      env: { ...api.env, ...options.env },
    },
  );
const notices = (result: Awaited<ReturnType<typeof run>>) =>
  result.annotations.filter(({ command }) => command === 'notice').map(({ message }) => message);
/** Whatever happens to the comment, all the rest is as it would be without it. */
function expectVerdict(result: Awaited<ReturnType<typeof run>>): void {
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ verdict: 'drift', drift: 'true', changes: '1', findings: '0' });
  expect(result.outputs.report).toBeTruthy();
  expect(result.summary).toContain('search');
  expect(result.annotations.some(({ command }) => command === 'error')).toBe(true);
}

describe('a comment that GitHub refuses', () => {
  it('is one notice on a pull request from a fork', async () => {
    api.readOnly.add('job-token');
    const result = await run({ from: 'fork' });
    expectVerdict(result);
    expect(notices(result)).toEqual([
      expect.stringMatching(/a fork can only read.*workflow_run.*mode: comment/),
    ]);
    expect(await api.comments(pull.number)).toEqual([]);
  });

  it('is one notice when the fork is gone', async () => {
    api.readOnly.add('job-token');
    const result = await run({ from: 'deleted' });
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('a fork can only read')]);
  });

  it('is one notice for Dependabot', async () => {
    api.readOnly.add('job-token');
    const result = await run({ env: { GITHUB_ACTOR: 'dependabot[bot]' } });
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('Dependabot can only read')]);
  });

  it('is one notice that names the missing permission', async () => {
    api.readOnly.add('job-token');
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([
      expect.stringMatching(/issues=write; pull_requests=write.*permissions: pull-requests: write/),
    ]);
  });

  it('is one notice in a locked conversation', async () => {
    api.locked.add(pull.number);
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('the conversation is locked')]);
  });

  it('is one notice without a token', async () => {
    const result = await run({ inputs: { 'github-token': '' } });
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('github-token is empty')]);
    expect(api.requests).toEqual([]);
  });

  it('is one notice when the API cannot be reached', async () => {
    const result = await run({
      env: { GITHUB_API_URL: 'http://127.0.0.1:9', GITHUB_GRAPHQL_URL: 'http://127.0.0.1:9/graphql' },
    });
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('GitHub did not answer')]);
  });
});

describe('an API in trouble', () => {
  it('waits for a secondary limit as long as it says', async () => {
    api.faults.push({
      method: 'POST',
      path: COMMENTS,
      status: 403,
      times: 1,
      headers: { 'retry-after': '1', 'x-ratelimit-remaining': '4000' },
      body: { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
    });
    expectVerdict(await run());
    expect(await api.comments(pull.number)).toHaveLength(1);
    expect(api.writes()).toHaveLength(2);
  });

  it('does not wait longer than 90 s in all', async () => {
    api.faults.push({
      path: COMMENTS,
      status: 429,
      headers: { 'retry-after': '91' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    });
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining("GitHub's rate limit did not end in time")]);
  });

  it('does not follow a limit that asks for a moment more each time', async () => {
    api.faults.push({
      path: COMMENTS,
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    });
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining("GitHub's rate limit did not end in time")]);
    expect(api.requests.filter(({ path }) => path.includes('/comments'))).toHaveLength(5);
  });

  it('does not wait for a primary limit that ends in an hour', async () => {
    api.faults.push({
      path: COMMENTS,
      status: 403,
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.round(Date.now() / 1000) + 3600),
      },
      body: { message: 'API rate limit exceeded for installation.' },
    });
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('rate limit')]);
  });

  it('asks again after a 502', async () => {
    api.faults.push({ method: 'GET', path: COMMENTS, status: 502, times: 1 });
    expectVerdict(await run());
    expect(await api.comments(pull.number)).toHaveLength(1);
  });

  it('makes no second comment after a 502 behind which the first was made', async () => {
    api.faults.push({ method: 'POST', path: COMMENTS, status: 502, times: 1, afterwards: true });
    const result = await run();
    expectVerdict(result);
    expect(await api.comments(pull.number)).toHaveLength(1);
    expect(result.outputs['comment-url']).toMatch(/#issuecomment-\d+$/);
  });

  it('tries once more after a 502 behind which none was made', async () => {
    api.faults.push({ method: 'POST', path: COMMENTS, status: 502, times: 1 });
    expectVerdict(await run());
    expect(await api.comments(pull.number)).toHaveLength(1);
    expect(api.writes()).toHaveLength(2);
  });

  it('makes no second comment when the answer to the first is no JSON', async () => {
    api.faults.push({
      method: 'POST',
      path: COMMENTS,
      status: 201,
      times: 1,
      afterwards: true,
      body: '{"id": 1',
    });
    expectVerdict(await run());
    expect(await api.comments(pull.number)).toHaveLength(1);
    expect(api.writes()).toHaveLength(1);
  });

  it('takes a list of comments that is no JSON for no list', async () => {
    api.faults.push({ method: 'GET', path: COMMENTS, status: 200, body: '[{"id": 1,' });
    const result = await run();
    expectVerdict(result);
    expect(notices(result)).toEqual([expect.stringContaining('not understood')]);
    expect(api.writes()).toEqual([]);
  });

  it.each([{ data: null }, { data: { viewer: null } }, [], 'x', 7])(
    'does not trip over %j as the viewer',
    async (body) => {
      await run();
      api.faults.push({ method: 'POST', path: /graphql$/, status: 200, body });
      expectVerdict(await run({ parts: driftParts([change({ name: 'search', severity: 'high' })]) }));
      expect(await api.comments(pull.number)).toHaveLength(1);
    },
  );
});

describe('a report too long for a comment', () => {
  const long = () =>
    driftParts(
      Array.from({ length: 400 }, (_, i) =>
        change({
          name: `tool_${i}`,
          fields: [
            {
              pointer: '/description',
              class: 'text-changed',
              severity: 'medium',
              before: `Text ${i} `.repeat(60),
              after: `Words ${i} `.repeat(60),
            },
          ],
        }),
      ),
    );

  it('is cut, on create and on update', async () => {
    await run({ parts: long() });
    const [created] = await api.comments(pull.number);
    expect(created?.body.length).toBeGreaterThan(30_000);
    expect(created?.body.length).toBeLessThanOrEqual(65_536);
    const parts = long();
    await run({ parts: { ...parts, changes: parts.changes.slice(1) } });
    const [updated, ...more] = await api.comments(pull.number);
    expect(updated?.body).not.toBe(created?.body);
    expect(more).toEqual([]);
    expect(api.requests.some(({ status }) => status === 422)).toBe(false);
  });

  it('is cut further when GitHub finds it too long all the same', async () => {
    api.faults.push({
      method: 'POST',
      path: COMMENTS,
      status: 422,
      times: 1,
      body: { message: 'Validation Failed' },
    });
    await run({ parts: long() });
    const [created] = await api.comments(pull.number);
    expect(created?.body.length).toBeLessThanOrEqual(30_000);
    expect(created?.body).toContain('agentgate:comment');
  });
});

describe('GitHub Enterprise Server', () => {
  it('is reached at the addresses that the runner names', async () => {
    const enterprise = await startGithubApi({ enterprise: true });
    try {
      const there = await openPullRequest(enterprise, { 'agentgate.lock': '{}' });
      for (let i = 0; i < 130; i++)
        await enterprise.ask('POST', `/repos/acme/app/issues/${there.number}/comments`, { body: `${i}` });
      const go = (name: string) =>
        runPrepared(
          { parts: driftParts([change({ name })]) },
          { event: pullRequestEvent(there), workspace, env: enterprise.env },
        );
      const result = await go('search');
      await go('fetch');
      expect((await enterprise.comments(there.number)).at(-1)?.body).toContain('fetch');
      expect(await enterprise.comments(there.number)).toHaveLength(131);
      expect(result.outputs['comment-url']?.startsWith(enterprise.env.GITHUB_SERVER_URL)).toBe(true);
      const failed = enterprise.requests.filter(
        ({ status, path }) => status >= 300 && !path.includes('.mcp.json'),
      );
      expect(failed).toEqual([]);
    } finally {
      await enterprise.close();
    }
  });
});
