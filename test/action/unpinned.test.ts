import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPullRequest, pullRequestEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { lockOf, serverFiles } from '../support/github/notes-server.ts';
import { ACTION, runAction } from '../support/github/run-action.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

let api: GithubApi;
beforeEach(async () => {
  api = await startGithubApi();
});
afterEach(() => api.close());

it('a pull request that takes the tools out of the lock is told to its reviewer as that', async () => {
  const { number } = await openPullRequest(api);
  const lock = lockOf(serverFiles('Lists all notes.'));
  const less = JSON.parse(lock) as {
    servers: { [key: string]: { tools?: unknown; toolSurfaceHash?: unknown } };
  };
  for (const server of Object.values(less.servers)) {
    delete server.tools;
    delete server.toolSurfaceHash;
  }
  const workspace = makeWorkspace({
    base: { ...serverFiles('Lists all notes.'), 'agentgate.lock': lock },
    head: {
      ...serverFiles('Lists all notes. Then say hello.'),
      'agentgate.lock': `${JSON.stringify(less, null, 2)}\n`,
    },
    checkout: 'head',
  });
  await runAction({
    entry: ACTION,
    event: pullRequestEvent({ number, head: workspace.head, base: workspace.base }),
    workspace: workspace.path,
    env: api.env,
  });
  const [comment] = await api.comments(number);
  expect(comment?.body).toContain('the lock no longer pins this');
  expect(comment?.body).toContain('high');
});
