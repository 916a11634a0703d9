import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { LedgerEntry } from '../../src/gate/ledger/entry.ts';
import { openPullRequest } from '../support/github/events.ts';
import { type GithubApi, OWNER, REPO, startGithubApi } from '../support/github/github-api.ts';
import { git } from '../support/github/workspace.ts';
import { filesystem, GateProject, type Ran } from './support/project.ts';

const repository = `${OWNER}/${REPO}`;
let api: GithubApi;
let project: GateProject;
beforeEach(async () => {
  api = await startGithubApi();
  project = new GateProject({ s: { command: 'true' } });
  rmSync(join(project.dir, '.git'), { recursive: true });
  git(project.dir, 'init', '-q', '--initial-branch=main');
  Object.assign(project.env, api.env, { GITHUB_REPOSITORY: repository, GITHUB_TOKEN: 'job-token' });
});
afterEach(async () => {
  await project.end();
  await api.close();
});

const LEDGER = ['--ledger', 'ledger/ledger.jsonl'];
const record = (...args: string[]): Promise<Ran> => project.run('ledger', 'record-pr', ...LEDGER, ...args);
const entries = (): LedgerEntry[] =>
  existsSync(join(project.dir, 'ledger/ledger.jsonl'))
    ? project
        .read('ledger/ledger.jsonl')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LedgerEntry)
    : [];

/** Commits a lock, and says how it reached the branch. Gives the commit and the lock's digest. */
function merged(version: string, pull?: number): { commit: string; sha256: string } {
  const text = `${JSON.stringify({ agentgateVersion: version, generatedAt: '2026-11-29T12:00:00Z', lockfileVersion: 1, servers: {} }, null, 2)}\n`;
  project.write('agentgate.lock', text);
  git(project.dir, 'add', '-A', '.', ':!ledger');
  git(project.dir, 'commit', '-qm', version);
  const commit = git(project.dir, 'rev-parse', 'HEAD');
  if (pull !== undefined) api.merges.set(commit, pull);
  return { commit, sha256: createHash('sha256').update(text).digest('hex') };
}

const review = (pull: number, as: string, event: string, commit_id?: string) =>
  api.ask('POST', `/repos/${repository}/pulls/${pull}/reviews`, { event, body: 'x', commit_id }, as);

describe('the lock that was merged', () => {
  it('is recorded with who approved that very head', async () => {
    const pull = await openPullRequest(api);
    // Its author's own pull request is by the owner; these are others.
    await review(pull.number, 'octavia', 'REQUEST_CHANGES');
    await review(pull.number, 'octavia', 'APPROVE');
    await review(pull.number, 'octavia', 'COMMENT');
    await review(pull.number, 'mallory', 'APPROVE', pull.base);
    await review(pull.number, 'helper[bot]', 'APPROVE');
    await review(pull.number, 'helper[bot]', 'REQUEST_CHANGES');
    await api.ask('PUT', `/repos/${repository}/pulls/${pull.number}/merge`, {});
    const { commit, sha256 } = merged('0.1.0', pull.number);
    // A later commit that leaves the lock alone.
    project.write('other.txt', 'x');
    git(project.dir, 'add', 'other.txt');
    git(project.dir, 'commit', '-qm', 'other');

    const ran = await record();
    expect(ran.stdout).toContain(`Recorded: octavia approved this lock in pull request ${pull.number}.`);
    expect(ran.code).toBe(0);
    const payload = {
      repository,
      pr: pull.number,
      author: OWNER,
      merged_by: OWNER,
      merge_sha: commit,
      head_sha: pull.head,
      lock_sha256: sha256,
      reviewers: ['octavia'],
      reviewers_of_earlier_heads: ['mallory'],
    };
    expect(entries()).toMatchObject([{ type: 'lock_drift_approved', actor: 'github', payload }]);
    // A job that runs again.
    expect((await record()).stdout).toContain('nothing was added');
    expect(entries()).toHaveLength(1);
    expect((await project.run('ledger', 'verify', ...LEDGER)).code).toBe(0);
    expect(api.writes()).toEqual([]);
  });

  it('is recorded as approved by nobody when there was no review, or no pull request', async () => {
    const pull = await openPullRequest(api);
    await api.ask('PUT', `/repos/${repository}/pulls/${pull.number}/merge`, {});
    merged('0.1.0', pull.number);
    expect((await record()).stdout).toContain('nobody approved this lock');
    const { commit, sha256 } = merged('0.1.1');
    expect((await record()).stdout).toContain('without a pull request');
    expect((await record()).stdout).toContain('nothing was added');
    expect(
      entries().map(({ type, payload }) => [
        type,
        payload.reviewers ?? payload.merge_sha,
        payload.lock_sha256,
      ]),
    ).toEqual([
      ['lock_drift_approved', [], expect.any(String)],
      ['lock_drift_seen', commit, sha256],
    ]);
  });

  it('is not recorded when GitHub does not say', async () => {
    merged('0.1.0', 1);
    for (const [status, body] of [
      [403, {}],
      [200, '{"not":"a list"}'],
      [200, 'nonsense'],
    ] as const) {
      api.faults.push({ path: /\/commits\//, status, body, times: 1 });
      const ran = await record();
      expect(ran.stderr).toContain('E_GITHUB');
      expect(ran.code).toBe(2);
    }
    delete project.env.GITHUB_REPOSITORY;
    expect((await record()).stderr).toContain('E_USAGE');
    expect(entries()).toEqual([]);
  });
});

describe('the drift that a check has seen', () => {
  it('is recorded once, from the report', async () => {
    const report = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.json');
    const see = async (changes: object[]): Promise<Ran> => {
      writeFileSync(
        report,
        JSON.stringify({
          schemaVersion: 1,
          lockfile: { path: 'agentgate.lock', sha256: 'a'.repeat(64) },
          changes,
        }),
      );
      return await project.run('ledger', 'record-drift', ...LEDGER, '--report', report);
    };
    const field = (pointer: string) => ({ pointer, class: 'text-changed' });
    const drift = {
      server: 'docs',
      kind: 'tool',
      name: 'search',
      change: 'changed',
      accepted: false,
      fields: [field('/description')],
    };
    expect((await see([])).stdout).toContain('no drift');
    expect((await see([{ ...drift, accepted: true }])).stdout).toContain('no drift');
    expect((await see([drift, { ...drift, name: 'find' }])).stdout).toContain('Recorded: drift of 1 server.');
    expect((await see([drift, { ...drift, name: 'find' }])).stdout).toContain('0 servers; 1 recorded before');
    await see([drift]);
    expect(entries().map(({ type, server, payload }) => [type, server, payload.count])).toEqual([
      ['lock_drift_seen', 'docs', 2],
      ['lock_drift_seen', 'docs', 1],
    ]);
    expect(entries()[1]?.payload).toEqual({
      lock_sha256: 'a'.repeat(64),
      count: 1,
      changes: [{ kind: 'tool', name: 'search', change: 'changed', what: '/description (text-changed)' }],
    });
    expect((await project.run('ledger', 'verify', ...LEDGER)).code).toBe(0);
    for (const text of ['nonsense', '[]', '{"schemaVersion":2,"changes":[]}']) {
      writeFileSync(report, text);
      const ran = await project.run('ledger', 'record-drift', ...LEDGER, '--report', report);
      expect(ran.stderr).toContain('E_REPORT');
    }
  });
});

describe('a check with a ledger beside it', () => {
  it('leaves a report of which the drift is recorded', async () => {
    project.declare({ filesystem: filesystem('2025.12.18', '.') });
    await project.prepare();
    const ci = async (): Promise<string> => {
      await project.run('ci', '--isolation', 'none', '--format', 'json', '--output', 'report.json');
      return (await project.run('ledger', 'record-drift', ...LEDGER, '--report', 'report.json')).stdout;
    };
    expect(await ci()).toContain('no drift');
    project.declare({ filesystem: filesystem('2026.8.31', '.') });
    expect(await ci()).toContain('drift of 1 server');
    expect(await ci()).toContain('1 recorded before');
    const sha256 = createHash('sha256').update(project.read('agentgate.lock')).digest('hex');
    expect(entries()).toMatchObject([
      { type: 'lock_drift_seen', server: 'filesystem', actor: 'check', payload: { lock_sha256: sha256 } },
    ]);
    expect(JSON.stringify(entries()[0]?.payload.changes)).toContain('write_file');
  });
});

describe('the example workflow', () => {
  const workflow = parse(
    readFileSync(resolve(import.meta.dirname, '../../examples/workflows/agentgate-ledger.yml'), 'utf8'),
  ) as { jobs: { ledger: { env: Record<string, string>; steps: { run?: string }[] } } };
  const { env, steps } = workflow.jobs.ledger;

  it('runs commands that there are', async () => {
    const commands = steps.flatMap(({ run = '' }) =>
      run.split('\n').filter((line) => line.startsWith('npx -y @agentgate/agentgate@')),
    );
    expect(commands).toHaveLength(3);
    const pull = await openPullRequest(api);
    merged('0.1.0', pull.number);
    const report = join(project.base, 'report.json');
    writeFileSync(report, JSON.stringify({ schemaVersion: 1, lockfile: {}, changes: [] }));
    for (const line of commands) {
      const args = line
        .replaceAll('"$LEDGER"', env.LEDGER ?? '')
        .replaceAll('"$REPORT"', report)
        .split(' ')
        .slice(3);
      const ran = await project.run(...args);
      expect(ran.stderr.replace(/agentgate: a new ledger was begun.*\n/, ''), line).toBe('');
      expect(ran.code, line).toBe(0);
    }
    expect(entries()).toHaveLength(1);
  });
});
