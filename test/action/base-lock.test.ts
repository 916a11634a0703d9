import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeGroupEvent, openPullRequest, plainEvent, pullRequestEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { cleanParts, runPrepared } from '../support/github/prepared.ts';
import { type Files, makeWorkspace, type Workspace } from '../support/github/workspace.ts';

const OLD = '{"lock":"old"}\n';
const NEW = '{"lock":"new"}\n';

let api: GithubApi;
beforeAll(async () => {
  api = await startGithubApi();
});
afterAll(() => api.close());

const ask = async (
  workspace: Workspace,
  options: {
    event?: ReturnType<typeof plainEvent>;
    inputs?: Record<string, string>;
    env?: Record<string, string>;
  } = {},
) => {
  const from = api.requests.length;
  const result = await runPrepared(
    { parts: cleanParts() },
    {
      event: options.event ?? pullRequestEvent({ number: 1, head: workspace.head, base: workspace.base }),
      workspace: workspace.path,
      inputs: { comment: 'never', ...options.inputs },
      env: { ...api.env, ...options.env },
    },
  );
  expect(result.exitCode).toBe(0);
  return { asked: result.asked, requests: api.requests.slice(from), result };
};

const lockChange: { base: Files; head: Files } = {
  base: { 'agentgate.lock': OLD, '.mcp.json': '{"old":1}' },
  head: { 'agentgate.lock': NEW, '.mcp.json': '{"new":1}' },
};

describe('the base of a pull request, from git', () => {
  it('is the first parent of the merge commit, with its lock and configs', async () => {
    const workspace = makeWorkspace(lockChange);
    const { asked, requests } = await ask(workspace);
    expect(asked?.base).toEqual({ commit: workspace.base, lockText: OLD });
    expect(asked?.baseConfig).toBe('{"old":1}');
    expect(requests).toEqual([]);
  });

  it('is none when its lock is so large that it could not be held beside the other one', async () => {
    const large = { ...lockChange.base, 'agentgate.lock': 'x'.repeat(48 * 1024 * 1024 + 1) };
    const { asked } = await ask(makeWorkspace({ ...lockChange, base: large }));
    expect(asked).toBeDefined();
    expect(asked?.base).toBeUndefined();
  });

  it('is the base as it was merged, when the payload names an older one', async () => {
    const workspace = makeWorkspace({ ...lockChange, later: { 'agentgate.lock.txt': 'x', other: 'y' } });
    const event = pullRequestEvent({ number: 1, head: workspace.head, base: '3'.repeat(40) });
    const { asked } = await ask(workspace, { event });
    expect(asked?.base?.commit).toBe(workspace.base);
  });

  it('is the merge base when the branch itself is checked out', async () => {
    const workspace = makeWorkspace({
      base: { 'agentgate.lock': OLD },
      head: { 'x.txt': 'x' },
      later: { 'agentgate.lock': NEW },
      checkout: 'head',
    });
    const { asked } = await ask(workspace);
    expect(asked?.base?.lockText).toBe(OLD);
    expect(asked?.base?.commit).not.toBe(workspace.base);
  });

  it('has no lock when the pull request adds the first one', async () => {
    const { asked } = await ask(makeWorkspace({ base: { a: 'a' }, head: { 'agentgate.lock': NEW } }));
    expect(asked?.base?.lockText).toBeNull();
  });

  it('has a lock when the pull request deletes it', async () => {
    const { asked } = await ask(
      makeWorkspace({ base: { 'agentgate.lock': OLD }, head: { 'agentgate.lock': null } }),
    );
    expect(asked?.base?.lockText).toBe(OLD);
  });

  it('is read below the working directory', async () => {
    const workspace = makeWorkspace({
      base: {
        'agentgate.lock': 'root',
        'packages/a b/agentgate.lock': OLD,
        'packages/a b/.mcp.json': '{"sub":1}',
      },
    });
    const { asked } = await ask(workspace, { inputs: { 'working-directory': 'packages/a b' } });
    expect(asked?.base?.lockText).toBe(OLD);
    expect(asked?.baseConfig).toBe('{"sub":1}');
    expect(asked?.context?.workingDirectory).toBe('packages/a b');
  });

  it('takes a lock outside the working directory, and none outside the repository', async () => {
    const workspace = makeWorkspace({ base: { 'agentgate.lock': OLD, 'sub/x': 'x' } });
    const inside = await ask(workspace, {
      inputs: { 'working-directory': 'sub', lockfile: '../agentgate.lock' },
    });
    expect(inside.asked?.base?.lockText).toBe(OLD);
    const outside = await ask(workspace, { inputs: { lockfile: '../../agentgate.lock' } });
    expect(outside.asked?.base?.lockText).toBeNull();
  });

  it('does not take characters of the path for a pattern', async () => {
    const workspace = makeWorkspace({ base: { 'a.lock': OLD } });
    const { asked } = await ask(workspace, { inputs: { lockfile: ':(glob)*.lock' } });
    expect(asked?.base?.lockText).toBeNull();
  });

  it('runs no program that the repository names', async () => {
    const workspace = makeWorkspace({
      base: { 'agentgate.lock': OLD, '.gitattributes': '*.lock diff=x filter=x\n' },
      head: { 'agentgate.lock': NEW },
    });
    const { asked } = await ask(workspace, { env: { GIT_EXTERNAL_DIFF: '/bin/false', GIT_DIR: '/nowhere' } });
    expect(asked?.base?.lockText).toBe(OLD);
  });
});

describe('the base of a merge group', () => {
  it('is the one that the event names', async () => {
    const workspace = makeWorkspace(lockChange);
    const { asked } = await ask(workspace, { event: mergeGroupEvent(workspace.merge, workspace.base) });
    expect(asked?.base).toEqual({ commit: workspace.base, lockText: OLD });
  });
});

describe('events without a base', () => {
  it.each(['push', 'schedule', 'workflow_dispatch'])('%s asks for none', async (name) => {
    const { asked, requests } = await ask(makeWorkspace(lockChange), { event: plainEvent(name) });
    expect(asked?.base).toBeUndefined();
    expect(requests).toEqual([]);
  });
});

describe('the base of a pull request, from the API', () => {
  it('is read whole, also above 1 MiB, where there is no git', async () => {
    const here = await startGithubApi();
    try {
      const big = `${JSON.stringify({ text: 'x'.repeat(1_500_000) })}\n`;
      const pull = await openPullRequest(here, { 'agentgate.lock': big, '.mcp.json': '{"old":1}' });
      const workspace = makeWorkspace({ ...lockChange, checkout: 'plain' });
      const { asked, result } = await ask(workspace, { event: pullRequestEvent(pull), env: here.env });
      expect(asked?.base?.lockText === big).toBe(true);
      expect(asked?.baseConfig).toBe('{"old":1}');
      expect(result.annotations).toEqual([]);
      const contents = here.requests.filter(({ path }) => path.includes('/contents/'));
      expect(contents.every(({ accept }) => accept === 'application/vnd.github.raw+json')).toBe(true);
    } finally {
      await here.close();
    }
  });

  it('is asked for by the commit that the shallow merge commit names', async () => {
    const workspace = makeWorkspace({ ...lockChange, checkout: 'shallow' });
    const { requests } = await ask(workspace);
    expect(requests[0]?.path).toBe(`/repos/acme/app/contents/agentgate.lock?ref=${workspace.base}`);
  });

  it('has no lock where the API has none', async () => {
    const here = await startGithubApi();
    try {
      const pull = await openPullRequest(here);
      const workspace = makeWorkspace({ base: { 'agentgate.lock': NEW }, checkout: 'plain' });
      const { asked } = await ask(workspace, { event: pullRequestEvent(pull), env: here.env });
      expect(asked?.base).toEqual({ commit: pull.base, lockText: null });
    } finally {
      await here.close();
    }
  });

  it.each([
    ['is refused', 403, { message: 'Resource not accessible by integration' }],
    ['does not know the commit', 404, { message: 'No commit found for the ref abc' }],
  ])('is left out, and said so, when the API %s', async (_, status, body) => {
    const here = await startGithubApi();
    try {
      here.faults.push({ path: /\/contents\//, status, body });
      const workspace = makeWorkspace({ ...lockChange, checkout: 'plain' });
      const { asked, result } = await ask(workspace, { env: here.env });
      expect(asked?.base).toBeUndefined();
      expect(result.outputs.verdict).toBe('clean');
      expect(result.log).toContain('what this pull request accepts is not shown');
    } finally {
      await here.close();
    }
  });

  it('is left out without a token', async () => {
    const workspace = makeWorkspace({ ...lockChange, checkout: 'plain' });
    const { asked, requests } = await ask(workspace, { inputs: { 'github-token': '' } });
    expect(asked?.base).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('understands a server that does not know the raw media type', async () => {
    const here = await startGithubApi();
    try {
      const content = Buffer.from(OLD).toString('base64');
      here.faults.push({
        path: /\/contents\/agentgate\.lock/,
        status: 200,
        body: { encoding: 'base64', content },
      });
      const workspace = makeWorkspace({ ...lockChange, checkout: 'plain' });
      const { asked } = await ask(workspace, { env: here.env });
      expect(asked?.base?.lockText).toBe(OLD);
    } finally {
      await here.close();
    }
  });
});
