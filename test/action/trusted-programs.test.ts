import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPullRequest, plainEvent, pullRequestEvent } from '../support/github/events.ts';
import { type GithubApi, startGithubApi } from '../support/github/github-api.ts';
import { lockOf, serverFiles } from '../support/github/notes-server.ts';
import { ACTION, runAction } from '../support/github/run-action.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

const OLD = serverFiles('Lists all notes.');
const oldLock = lockOf(OLD);
const PROGRAMS = ['git', 'docker', 'node', 'npx', 'sudo', 'setpriv', 'unshare'];

let api: GithubApi;
let number: number;
beforeAll(async () => {
  api = await startGithubApi();
  ({ number } = await openPullRequest(api));
});
afterAll(() => api.close());

/** Servers whose launchers are looked up on the PATH; what a stranger's program writes is seen outside of its sandbox only. */
const config = {
  mcpServers: {
    notes: { command: process.execPath, args: ['server.mjs'] },
    image: { command: 'docker', args: ['run', '-i', 'example.invalid/image'] },
    package: { command: 'npx', args: ['-y', '@fake/absent@1.0.0'] },
  },
};

describe.skipIf(process.platform === 'win32')('programs of the checkout', () => {
  it.each([
    ['its folder', (workspace: string) => `${join(workspace, 'tools')}:${process.env.PATH}`],
    ['a relative folder', () => `tools:${process.env.PATH}`],
  ])('never run with the rights of the job, also with %s first on the PATH', async (_, path) => {
    const marks = mkdtempSync(join(tmpdir(), 'marks-'));
    const program = `#!/bin/sh\ncase $0 in *tools/*) : >${marks}/$(basename "$0");; esac\necho v99.0.0\n`;
    const workspace = makeWorkspace({
      base: { ...OLD, 'agentgate.lock': oldLock },
      head: {
        '.mcp.json': JSON.stringify(config),
        ...Object.fromEntries(PROGRAMS.map((name) => [`tools/${name}`, program])),
      },
    });
    for (const name of PROGRAMS) chmodSync(join(workspace.path, 'tools', name), 0o755);
    const result = await runAction({
      entry: ACTION,
      event: pullRequestEvent({ number, head: workspace.head, base: workspace.base }),
      workspace: workspace.path,
      env: { ...api.env, PATH: path(workspace.path) },
    });
    expect(result.log).toContain('notes: done, 1 tool');
    expect(readdirSync(marks)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('places of the report', () => {
  const run = (files: Record<string, string>, links: [string, string][], report: string) => {
    const workspace = makeWorkspace({ base: { ...OLD, 'agentgate.lock': oldLock, ...files }, links });
    return runAction({
      entry: ACTION,
      event: plainEvent('push'),
      workspace: workspace.path,
      inputs: { report },
    });
  };

  it('a link of the checkout is replaced, not written through', async () => {
    const result = await run({}, [['/dev/full', 'out.json']], 'out.json');
    expect(result.exitCode).toBe(0);
    expect(result.outputs.report).toMatch(/out\.json$/);
  });

  it('makes no folder where a link of the checkout leads', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    const result = await run({}, [[outside, 'out']], 'out/a/b/report.json');
    expect(result.exitCode).toBe(2);
    expect(existsSync(join(outside, 'a'))).toBe(false);
  });
});
