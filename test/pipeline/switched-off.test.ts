import { afterEach, expect, test } from 'vitest';
import { mayCreateComment } from '../../src/action/comment-policy.ts';
import type { Base } from '../../src/base-files.ts';
import { check } from '../../src/check.ts';
import { writeLock } from '../../src/lock/write.ts';
import { planRelock } from '../../src/relock.ts';
import { renderComment } from '../../src/report/comment.ts';
import type { Report } from '../../src/report/model.ts';
import type { SurveyOptions } from '../../src/survey.ts';
import { config, environment, launch, Project, tool } from '../cli/support.ts';

let project: Project | undefined;
afterEach(() => project?.remove());

const SERVER = launch('surface-server.mjs', 'notes.json');
const OTHER = launch('surface-server.mjs', 'other.json');

/** A lock of two servers, whose project then becomes `files`; what was there before is the base. */
async function after(
  files: { [name: string]: object | string },
  base: { [path: string]: string } = {},
): Promise<Report> {
  const made = new Project({
    '.mcp.json': config({ notes: SERVER, other: OTHER }),
    'notes.json': { tools: [tool('note')] },
    'other.json': { tools: [tool('look')] },
  });
  project = made;
  const options: SurveyOptions = {
    cwd: made.dir,
    allClients: false,
    isolation: 'none',
    starts: 1,
    env: environment(made),
  };
  const plan = await planRelock({ ...options, lockfile: 'agentgate.lock' });
  await writeLock(plan.path, plan.after);
  const then = new Map([
    ['.mcp.json', JSON.stringify(config({ notes: SERVER, other: OTHER }))],
    ...Object.entries(base),
  ]);
  const known: Base = {
    commit: 'b'.repeat(40),
    lockText: made.read('agentgate.lock'),
    readConfig: async (path) => then.get(path) ?? null,
  };
  made.write(files);
  const { report } = await check({ ...options, lockfile: 'agentgate.lock', base: known });
  expect(report).toMatchObject({ verdict: 'clean', exitCode: 0 });
  return report;
}

const off = (report: Report) => report.servers.find(({ key }) => key === 'notes')?.switchedOff;
const disabled = { '.mcp.json': config({ notes: { ...SERVER, disabled: true }, other: OTHER }) };

test('a pull request disables a reviewed server: said at the top, and a comment is made for it', async () => {
  const report = await after(disabled);
  expect(off(report)).toEqual({ byPullRequest: true, ignoredBy: 'Claude Code' });
  expect(mayCreateComment(report, 'auto')).toBe(true);
  const [, first, , ...rest] = renderComment(report, { id: 'x' }).split('\n');
  expect(first).toBe(
    '### ⚠️ AgentGate: 1 server matches the lock, but this pull request switches off the check of 1 reviewed server',
  );
  expect(rest.slice(0, 2).join('\n')).toContain(
    '[!WARNING]\n> **notes**: this pull request switches its check off',
  );
  expect(rest[1]).toContain('Claude Code does not know that switch and may start it all the same');
});

test('a pull request that lets the policy skip a reviewed server does the same', async () => {
  const report = await after({ 'agentgate.yml': 'version: 1\nservers:\n  notes:\n    skip: too slow\n' });
  expect(off(report)).toEqual({ byPullRequest: true });
});

test('a server that the base skipped already is a row, and no alarm', async () => {
  const policy = 'version: 1\nservers:\n  notes:\n    skip: needs a login\n';
  const report = await after({ 'agentgate.yml': policy }, { 'agentgate.yml': policy });
  expect(off(report)).toBeUndefined();
  expect(mayCreateComment(report, 'auto')).toBe(false);
  expect(renderComment(report, { id: 'x' })).not.toContain('[!');
});

test('one that was disabled before is told of as long as its client may start it', async () => {
  const report = await after(disabled, { '.mcp.json': JSON.stringify(disabled['.mcp.json']) });
  expect(off(report)).toEqual({ ignoredBy: 'Claude Code' });
  expect(mayCreateComment(report, 'auto')).toBe(false);
  expect(renderComment(report, { id: 'x' })).toContain('**notes**: it is pinned and not checked');
});
