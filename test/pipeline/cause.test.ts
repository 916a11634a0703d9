import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Base } from '../../src/base-files.ts';
import { check } from '../../src/check.ts';
import { writeLock } from '../../src/lock/write.ts';
import { planRelock } from '../../src/relock.ts';
import type { Report, ServerReport } from '../../src/report/model.ts';
import { renderText } from '../../src/report/text.ts';
import type { SurveyOptions } from '../../src/survey.ts';
import { config, environment, launch, Project, tool } from '../cli/support.ts';
import { type FakePackage, type FakeRegistry, startRegistry } from '../support/registry.ts';
import { type HttpServer, startHttp } from '../support/servers/http-servers.ts';

/** A server as a package: its one tool says `words`, a text or an expression. */
function served(name: string, version: string, words: string, more: object = {}): FakePackage {
  const code = `#!/usr/bin/env node
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '9' } },
    'tools/list': { tools: [{ name: 'note', description: ${words}, inputSchema: { type: 'object' } }] },
  };
  const error = { code: -32601, message: 'Method not found' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(results[method] ? { result: results[method] } : { error }) }));
});
`;
  return { name, version, manifest: { bin: 'bin/run.js', ...more }, files: { 'bin/run.js': code } };
}

const npx = (...args: string[]): object => ({ command: 'npx', args: ['-y', ...args] });
const says = (description: string, more: object = {}): object => ({
  tools: [tool('look', { description })],
  ...more,
});

let repo: Project;
let registry: FakeRegistry;
let remote: HttpServer;
let remoteText = 'Looks far away.';
let report: Report;

/** Options with a home of their own, as on a fresh runner: npm's cache is empty. */
function options(home: string, env: { [name: string]: string } = {}): SurveyOptions {
  const folder = join(repo.home, home);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}\n`);
  return {
    cwd: repo.dir,
    allClients: false,
    isolation: 'none',
    starts: 1,
    env: environment(repo, { HOME: folder, ...env }),
  };
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], {
    cwd: repo.dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function declared(more: object = {}): object {
  return config({
    pinned: npx('pinned-notes@1.2.0'),
    replaced: npx('replaced-notes@1.0.0'),
    floating: npx('floating-notes'),
    bumped: npx('bumped-notes@1.0.0'),
    quiet: npx('quiet-notes@1.0.0'),
    edited: launch('surface-server.mjs', 'edited.json'),
    swapped: launch('surface-server.mjs', 'swapped.json'),
    keyed: { ...launch('surface-server.mjs', 'keyed.json'), env: { PLAN: '${NOTES_PLAN:-}' } },
    older: launch('surface-server.mjs', 'older.json'),
    local: launch('surface-server.mjs', 'local.json'),
    far: { type: 'http', url: `${remote.origin}/mcp` },
    ...more,
  });
}

function of(key: string): ServerReport {
  const server = report.servers.find((one) => one.key === key);
  if (server === undefined) throw new Error(`no server ${key}`);
  return server;
}

beforeAll(async () => {
  registry = await startRegistry([
    served('pinned-notes', '1.2.0', "require('words')", { dependencies: { words: '^1.0.0' } }),
    { name: 'words', version: '1.0.0', files: { 'index.js': "module.exports = 'Takes a note.';" } },
    served('replaced-notes', '1.0.0', "'Takes a note.'"),
    served('floating-notes', '1.0.0', "'Takes a note.'"),
    served('bumped-notes', '1.0.0', "'Takes a note.'"),
    served('bumped-notes', '2.0.0', "'Takes a note and sends it on.'"),
    served('quiet-notes', '1.0.0', "'Takes a note.'"),
    served('quiet-notes', '1.0.1', "'Takes a note.'"),
  ]);
  remote = await startHttp((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body || '{}');
      const results: { [method: string]: object } = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'far', version: '1' },
        },
        'tools/list': { tools: [tool('look', { description: remoteText })] },
      };
      if (request.method !== 'POST') response.writeHead(405).end();
      else if (id === undefined) response.writeHead(202).end();
      else {
        const result = results[method];
        const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      }
    });
  });
  repo = new Project({});
  repo.write({
    '.mcp.json': declared(),
    'edited.json': says('Looks.'),
    'swapped.json': says('Looks.'),
    'keyed.json': says('Looks on plan ${PLAN}.'),
    'older.json': says('Looks.', { protocolVersion: '2025-06-18' }),
    'local.json': says('Looks.'),
  });
  const plan = await planRelock({ ...options('laptop', { NOTES_PLAN: 'gold' }), lockfile: 'agentgate.lock' });
  expect(
    plan.surveyed.servers.flatMap(({ result }) => (result.state === 'failed' ? [result.error] : [])),
  ).toEqual([]);
  await writeLock(plan.path, plan.after);
  git('init', '-q');
  git('add', '.mcp.json', 'agentgate.lock');
  git('commit', '-qm', 'base');
  const commit = git('rev-parse', 'HEAD').trim();
  const show = async (path: string): Promise<string | null> => {
    try {
      return git('show', `${commit}:${path}`);
    } catch {
      return null;
    }
  };
  const base: Base = { commit, lockText: await show('agentgate.lock'), readConfig: show };

  registry.publish({
    name: 'words',
    version: '1.1.0',
    files: { 'index.js': "module.exports = 'Takes a note, twice.';" },
  });
  registry.publish(served('replaced-notes', '1.0.0', "'Takes a note, or something else.'"));
  registry.publish(served('floating-notes', '1.1.0', "'Takes a note, and reads yours.'"));
  remoteText = 'Looks far away and remembers.';
  repo.write({
    '.mcp.json': declared({
      bumped: npx('bumped-notes@2.0.0'),
      quiet: npx('quiet-notes@1.0.1'),
      edited: launch('surface-server.mjs', 'edited.json', '--reverse'),
      swapped: { command: 'npx', args: ['-y', 'quiet-notes@1.0.0'] },
    }),
    'older.json': says('Looks by a newer protocol.', { protocolVersion: '2025-11-25' }),
    'local.json': says('Looks and copies.'),
  });
  ({ report } = await check({ ...options('runner'), lockfile: 'agentgate.lock', base }));
  expect(report.servers.flatMap((server) => server.error ?? [])).toEqual([]);
});

afterAll(async () => {
  await registry?.close();
  await remote?.stop();
  repo?.remove();
});

describe('why a server drifted, with real processes, a registry and a git base', () => {
  test.each([
    [
      'pinned',
      'same-release',
      false,
      /Release 1\.2\.0 of npm pinned-notes is the same, yet it now says something else/,
    ],
    ['floating', 'floating-release', false, /that was 1\.0\.0 when it was locked and is 1\.1\.0 now/],
    ['bumped', 'release-changed', true, /from 1\.0\.0 to 2\.0\.0, bumped in this pull request/],
    ['edited', 'launch-changed', true, /other arguments, edited in this pull request/],
    [
      'swapped',
      'launch-changed',
      true,
      /something else under this name: .+ before, npm quiet-notes now, edited in this/,
    ],
    ['keyed', 'credentials-changed', false, /environment variables or headers had a value/],
    ['older', 'protocol-changed', false, /protocol 2025-11-25, the lock was made with 2025-06-18/],
    ['local', 'unknown', false, /The server is local: its code changed/],
    ['far', 'remote-changed', false, /The URL is the same and the remote server now says something else/],
  ])('%s: %s', (key, cause, touched, words) => {
    expect(of(key)).toMatchObject({ status: 'drift', cause, touched });
    expect(of(key).causeText).toMatch(words);
  });

  test('a replaced package behind the same version is told by its integrity', () => {
    expect(of('replaced')).toMatchObject({ status: 'drift', cause: 'same-release' });
    expect(of('replaced').causeText).toMatch(/integrity differs.+the package was replaced/);
  });

  test('the same release that says something else weighs high', () => {
    const change = report.changes.find(({ server }) => server === 'pinned');
    expect(change).toMatchObject({ kind: 'tool', name: 'note', severity: 'high' });
  });

  test('a new release with an equal surface is no drift, and is said', () => {
    expect(of('quiet')).toMatchObject({ status: 'match', touched: true });
    expect(report.info).toContainEqual({
      code: 'release-changed',
      server: 'quiet',
      message: 'release 1.0.0 became 1.0.1',
    });
  });

  test('credentials: only names of variables are told', () => {
    const change = report.changes.find(({ server, kind }) => server === 'keyed' && kind === 'server');
    expect(change?.fields).toMatchObject([{ pointer: '/launch/env', before: ['NOTES_PLAN', 'PLAN'] }]);
    expect(JSON.stringify(change)).not.toContain('gold');
  });

  test('the text leads with the cause of each', () => {
    const text = renderText(report, { width: 200 });
    // What its row says whole is not said again.
    for (const { key, causeText } of report.servers)
      if (causeText && key !== 'bumped') expect(text).toContain(causeText);
    expect(text).toMatch(/bumped +npm 1\.0\.0 → 2\.0\.0, bumped in this pull request/);
  });
});
