import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPullRequest, pullRequestEvent } from '../support/github/events.ts';
import { type GithubApi, OWNER, REPO, startGithubApi } from '../support/github/github-api.ts';
import { change, cleanParts, driftParts, runPrepared } from '../support/github/prepared.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

const MARKER = '<!-- agentgate:comment id="agentgate.lock" -->';
const workspace = makeWorkspace({ base: { 'agentgate.lock': '{}' }, checkout: 'plain' }).path;

let api: GithubApi;
let pull: { number: number; head: string; base: string };

beforeEach(async () => {
  api = await startGithubApi();
  pull = await openPullRequest(api, { 'agentgate.lock': '{}' });
});
afterEach(() => api.close());

const run = (
  parts = driftParts(),
  options: { inputs?: Record<string, string>; env?: Record<string, string> } = {},
) =>
  runPrepared(
    { parts },
    {
      event: pullRequestEvent(pull),
      workspace,
      inputs: options.inputs,
      env: { ...api.env, ...options.env },
    },
  );
const write = (body: string, as: string) =>
  api.ask('POST', `/repos/${OWNER}/${REPO}/issues/${pull.number}/comments`, { body }, as);
const comments = async () => {
  const all = await api.comments(pull.number);
  return all.filter(({ body }) => body.startsWith(MARKER));
};

describe('one comment over the life of a pull request', () => {
  it('is created on drift, updated in place by the next push, and says when the drift is gone', async () => {
    const first = await run();
    expect(first.exitCode).toBe(1);
    const [created] = await comments();
    expect(created?.login).toBe('github-actions[bot]');
    expect(created?.body).toContain('search');
    expect(first.outputs['comment-url']).toMatch(/#issuecomment-\d+$/);

    await run(driftParts([change({ name: 'fetch' })]));
    const [updated, ...more] = await comments();
    expect(more).toEqual([]);
    expect(updated?.id).toBe(created?.id);
    expect(updated?.body).toContain('fetch');

    const last = await run(cleanParts());
    expect(last.exitCode).toBe(0);
    const [resolved] = await comments();
    expect(resolved?.id).toBe(created?.id);
    expect(resolved?.body).not.toContain('fetch');
    expect(resolved?.body).toContain('✅');
    expect(api.writes().map((each) => each.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH']);
  });

  it('is not written again when only the duration and the run differ', async () => {
    await run(driftParts(), { env: { GITHUB_RUN_ID: '1' } });
    const second = await run({ ...driftParts(), durationMs: 98_765 }, { env: { GITHUB_RUN_ID: '2' } });
    expect(api.writes()).toHaveLength(1);
    expect(second.outputs['comment-url']).toMatch(/#issuecomment-\d+$/);
  });

  it('is written again when a server says "in 5 s" where it said "in 6 s"', async () => {
    const says = (after: string) =>
      driftParts([
        change({
          fields: [{ pointer: '/description', class: 'text-changed', severity: 'low', before: '', after }],
        }),
      ]);
    await run(says('answers in 5 s /actions/runs/1'));
    await run(says('answers in 6 s /actions/runs/1'));
    expect(api.writes()).toHaveLength(2);
  });
});

describe('whether there is a comment at all', () => {
  it('is none on a pull request that was always clean', async () => {
    const result = await run(cleanParts());
    expect(result.exitCode).toBe(0);
    expect(await comments()).toEqual([]);
    expect(result.outputs['comment-url']).toBeUndefined();
  });

  it('is one on a clean pull request that changes the lock', async () => {
    await run({ ...cleanParts(), baseLockfile: { sha256: 'b'.repeat(64), commit: pull.base } });
    expect(await comments()).toHaveLength(1);
  });

  it('is one for drift that fail-on lets pass', async () => {
    const result = await run(driftParts(), { inputs: { 'fail-on': 'never' } });
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toMatchObject({ verdict: 'drift', drift: 'true', changes: '1' });
    expect(await comments()).toHaveLength(1);
  });

  it.each([
    ['always', cleanParts(), 1],
    ['never', driftParts(), 0],
  ])('follows comment: %s', async (comment, parts, count) => {
    await run(parts, { inputs: { comment } });
    expect(await comments()).toHaveLength(count);
  });

  it('keeps several checks on one pull request apart', async () => {
    await run(driftParts(), { inputs: { 'comment-id': 'one' } });
    await run(driftParts(), { inputs: { 'comment-id': 'two' } });
    const all = await api.comments(pull.number);
    expect(all.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- agentgate:comment id="one" -->',
      '<!-- agentgate:comment id="two" -->',
    ]);
  });
});

describe('finding our own comment', () => {
  it('looks through all pages', async () => {
    await run();
    const [ours] = await comments();
    for (let i = 0; i < 130; i++) await write(`comment ${i}`, 'octavia');
    await run(driftParts([change({ name: 'fetch' })]));
    const found = await comments();
    expect(found).toHaveLength(1);
    expect(found[0]?.id).toBe(ours?.id);
    expect(api.requests.some(({ path }) => path.includes('page=2'))).toBe(true);
  });

  it('finds it on the second page', async () => {
    for (let i = 0; i < 130; i++) await write(`comment ${i}`, 'octavia');
    await run();
    await run(driftParts([change({ name: 'fetch' })]));
    expect(await comments()).toHaveLength(1);
    expect(api.writes().map((each) => each.split(' ')[0])).toEqual(['POST', 'PATCH']);
  });

  it.each(['mallory', 'helper[bot]'])('leaves a comment by %s with our marker alone', async (login) => {
    await write(`${MARKER}\nforged`, login);
    await run();
    const [forged, ours] = await comments();
    expect(forged?.body).toBe(`${MARKER}\nforged`);
    expect(ours?.login).toBe('github-actions[bot]');
  });

  it.each(['mallory', 'helper[bot]'])(
    'leaves a comment by %s alone where GraphQL does not answer',
    async (login) => {
      api.graphql = false;
      await write(`${MARKER}\nforged`, login);
      await run();
      await run(driftParts([change({ name: 'fetch' })]));
      const [forged, ours, ...more] = await comments();
      expect(forged?.body).toBe(`${MARKER}\nforged`);
      expect(ours?.body).toContain('fetch');
      expect(more).toEqual([]);
    },
  );

  it('does not take its own comment that only quotes the marker', async () => {
    await write(`Someone wrote:\n${MARKER}`, 'github-actions[bot]');
    await run();
    const all = await api.comments(pull.number);
    expect(all.map(({ body }) => body.startsWith(MARKER))).toEqual([false, true]);
  });

  it.each([true, false])("updates a user token's own comment (GraphQL: %s)", async (graphql) => {
    api.graphql = graphql;
    await run(driftParts(), { inputs: { 'github-token': 'user-token' } });
    await run(driftParts([change({ name: 'fetch' })]), { inputs: { 'github-token': 'user-token' } });
    const found = await comments();
    expect(found.map(({ login }) => login)).toEqual(['octavia']);
    expect(found[0]?.body).toContain('fetch');
  });

  it('keeps the newest of its own duplicates', async () => {
    await write(`${MARKER}\nold`, 'github-actions[bot]');
    await write(`${MARKER}\nforged`, 'mallory');
    await write(`${MARKER}\nnewer`, 'github-actions[bot]');
    await run();
    const found = await comments();
    expect(found.map(({ login }) => login)).toEqual(['mallory', 'github-actions[bot]']);
    expect(found[1]?.body).toContain('search');
    expect(api.writes().map((each) => each.split(' ')[0])).toEqual(['PATCH', 'DELETE']);
  });

  it('creates one when the change of the old one is refused', async () => {
    await run();
    api.faults.push({ method: 'PATCH', path: /./, status: 403, body: { message: 'Forbidden' } });
    await run(driftParts([change({ name: 'fetch' })]));
    expect(await comments()).toHaveLength(2);
  });
});
