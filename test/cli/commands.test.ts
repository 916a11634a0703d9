import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/settings.ts';
import { config, launch, type Project, project, tool, twoServers } from './support.ts';

const QUICK = ['--starts', '1'];
const CHANGED = { tools: [tool('count', { description: 'Counts, and keeps the number.' })] };

async function locked(): Promise<Project> {
  const repo = project(twoServers());
  expect((await repo.run(['lock', ...QUICK])).code).toBe(0);
  return repo;
}

describe('diff', () => {
  test('live against the lock is the check', async () => {
    const repo = await locked();
    expect((await repo.run(['diff'])).code).toBe(0);
    repo.write({ 'beta.json': CHANGED });
    const ran = await repo.run(['diff', '--server', 'beta']);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('+ Counts, and keeps the number.');
  });

  test('two files, without starting anything and without a config', async () => {
    const repo = await locked();
    repo.write({ 'old.lock': repo.read('agentgate.lock'), 'beta.json': CHANGED });
    await repo.run(['lock', '--yes', ...QUICK]);
    const alone = project({
      'old.lock': repo.read('old.lock'),
      'new.lock': repo.read('agentgate.lock'),
      'empty.lock': { lockfileVersion: 1, servers: {} },
    });
    const ran = await alone.run(['diff', 'old.lock', 'new.lock']);
    expect(ran.code).toBe(1);
    expect(ran.stdout.split('\n')[0]).toBe('❌ AgentGate diff: 1 server differs, 1 server is equal');
    expect(ran.stdout).toMatch(/- Does count\.\n {2}\+ Counts, and keeps the number\./);
    for (const word of ['running servers', 'To accept', 'pull request'])
      expect(ran.stdout).not.toContain(word);
    expect(ran.stderr).toBe('');
    expect((await alone.run(['diff', 'old.lock', 'new.lock', '--fail-on', 'high'])).code).toBe(0);
    const same = await alone.run(['diff', 'old.lock', 'old.lock']);
    expect(same).toMatchObject({ code: 0 });
    expect(same.stdout.split('\n')[0]).toBe('✅ AgentGate diff: 2 servers are equal');
    const fresh = await alone.run(['diff', 'empty.lock', 'new.lock']);
    expect(fresh.code).toBe(1);
    expect(fresh.stdout).toContain('2 servers only in the new lock');
    const gone = await alone.run(['diff', 'new.lock', 'empty.lock', '--format', 'json']);
    expect(JSON.parse(gone.stdout)).toMatchObject({
      purpose: 'diff',
      verdict: 'drift',
      servers: [{ status: 'gone' }, { status: 'gone' }],
    });
  });
});

describe('init', () => {
  test('writes a workflow, a policy and the first lock, and never overwrites', async () => {
    const repo = project(twoServers());
    const ran = await repo.run(['init', ...QUICK]);
    expect(ran.code).toBe(0);
    expect(repo.files()).toEqual([
      '.github/workflows/agentgate.yml',
      '.mcp.json',
      'agentgate.lock',
      'agentgate.yml',
      'alpha.json',
      'beta.json',
    ]);
    expect(repo.read('.github/workflows/agentgate.yml')).toContain('uses: agentgate/action@v1');
    expect((await repo.run(['ci'])).code).toBe(0);
    repo.write({ 'agentgate.yml': 'version: 1\n# mine\n', '.github/workflows/agentgate.yml': '# mine\n' });
    const again = await repo.run(['init', ...QUICK]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('agentgate.yml is there already, left as it is.');
    expect(repo.read('agentgate.yml')).toBe('version: 1\n# mine\n');
    expect(repo.read('.github/workflows/agentgate.yml')).toBe('# mine\n');
  });

  test('a policy in .github counts; json prints json alone', async () => {
    const repo = project({ ...twoServers(), '.github/agentgate.yml': 'version: 1\n' });
    const ran = await repo.run(['init', ...QUICK, '--format', 'json']);
    expect(JSON.parse(ran.stdout).purpose).toBe('lock');
    expect(repo.has('agentgate.yml')).toBe(false);
    expect(repo.has('.github/workflows/agentgate.yml')).toBe(true);
  });
});

describe('init beside the usual', () => {
  const workflow = '.github/workflows/agentgate.yml';
  const steps = (repo: Project) => parse(repo.read(workflow)).jobs.agentgate.steps;

  test('the workflow looks at what the lock was made of, and is where it is run', async () => {
    const repo = project({
      'packages/a/.mcp.json': config({ a: launch('surface-server.mjs', 'a.json') }),
      'packages/a/a.json': { tools: [tool('look')] },
      'packages/a/.claude/skills/report/SKILL.md': '---\nname: report\ndescription: Reports.\n---\nWrite.\n',
    });
    const asked = ['--config', '**/.mcp.json', '--all-clients', '--skills'];
    expect((await repo.run(['init', ...asked, ...QUICK])).code).toBe(0);
    expect(steps(repo)[1].with).toEqual({ config: '**/.mcp.json', 'all-clients': true, skills: true });
    rmSync(join(repo.dir, workflow));
    rmSync(join(repo.dir, 'agentgate.lock'));
    const below = await repo.run(['init', '--lockfile', 'mcp.lock', ...QUICK], { cwd: 'packages/a' });
    expect(below.stdout).toContain('../../.github/workflows/agentgate.yml written.');
    expect(repo.has(`packages/a/${workflow}`)).toBe(false);
    expect(repo.has('packages/a/agentgate.yml')).toBe(true);
    expect(steps(repo)[1].with).toEqual({ 'working-directory': 'packages/a', lockfile: 'mcp.lock' });
  });

  test('what a check says to run looks at what the check looked at', async () => {
    const repo = project({
      'packages/a/.mcp.json': config({ a: launch('surface-server.mjs', 'a.json') }),
      'packages/a/a.json': { tools: [tool('look')] },
    });
    const asked = ['--config', '**/.mcp.json', '--all-clients'];
    expect((await repo.run(['lock', ...asked, ...QUICK])).code).toBe(0);
    repo.write({ 'packages/a/a.json': { tools: [tool('look', { description: 'Looks elsewhere.' })] } });
    const ran = await repo.run(['ci', ...asked]);
    const command = /npx @agentgate\/agentgate (lock .*)/.exec(ran.stdout)?.[1] ?? '';
    expect(command).toBe('lock packages/a/claude-code:a --config "**/.mcp.json" --all-clients');
    expect((await repo.run([...command.replaceAll('"', '').split(' '), '--yes', ...QUICK])).code).toBe(0);
    expect((await repo.run(['ci', ...asked])).code).toBe(0);
  });
});

describe('which configs, servers and lock', () => {
  test('globs of a monorepo, a working directory, and the nearest lock going up', async () => {
    const repo = project({
      'packages/a/.mcp.json': config({ a: launch('surface-server.mjs', 'a.json') }),
      'packages/a/a.json': { tools: [tool('look')] },
      'packages/b/.mcp.json': config({ b: launch('surface-server.mjs', 'b.json') }),
      'packages/b/b.json': { tools: [tool('find')] },
    });
    expect((await repo.run(['lock', '--config', '**/.mcp.json', ...QUICK])).code).toBe(0);
    const lock = JSON.parse(repo.read('agentgate.lock'));
    expect(Object.keys(lock.servers)).toEqual(['a', 'b']);
    expect(lock.servers.a.config).toBe('packages/a/.mcp.json');
    // The shell may have expanded the glob already.
    const two = ['--config', 'packages/a/.mcp.json', 'packages/b/.mcp.json'];
    expect((await repo.run(['ci', ...two])).code).toBe(0);
    const keyed = await repo.run(['ci', '--all-clients', '--config', '**/.mcp.json', '--format', 'json']);
    expect(JSON.parse(keyed.stdout).servers.map(({ key }: { key: string }) => key)).toEqual([
      'a',
      'b',
      'packages/a/claude-code:a',
      'packages/b/claude-code:b',
    ]);
    // Without the globs: what was not read is not simply gone.
    repo.write({ '.mcp.json': config({ a: launch('surface-server.mjs', 'packages/a/a.json') }) });
    for (const command of ['ci', 'lock']) {
      const unread = (await repo.run([command])).stdout.replace(/\s+/g, ' ');
      expect(unread).toContain('b: it was pinned from packages/b/.mcp.json, which is there and was not read');
      expect(unread).not.toContain('a: it was pinned');
    }
    rmSync(join(repo.dir, '.mcp.json'));
    // A file that other programs use too, and that declares nothing any more, was read.
    repo.write({ '.gemini/settings.json': config({ c: launch('surface-server.mjs', 'packages/a/a.json') }) });
    await repo.run(['lock', '--lockfile', 'c.lock', ...QUICK]);
    repo.write({ '.gemini/settings.json': {}, '.mcp.json': config({}) });
    const emptied = await repo.run(['ci', '--lockfile', 'c.lock']);
    expect(emptied.stdout).toContain('no longer declared');
    expect(emptied.stdout).not.toContain('was not read');
    rmSync(join(repo.dir, '.mcp.json'));
    const up = await repo.run(['ci', '--server', 'a'], { cwd: 'packages/a' });
    expect(up.stdout).toContain('1 server matches the lock');
    expect(up.code).toBe(0);
    expect((await repo.run(['ci', '--cwd', 'packages/a', '--server', 'a'])).code).toBe(0);
    expect((await repo.run(['verify'], { cwd: 'packages/b' })).stdout).toContain(
      '../../agentgate.lock is whole',
    );
    const own = ['--cwd', 'packages/b', '--lockfile', 'b.lock'];
    expect((await repo.run(['lock', ...own, ...QUICK])).code).toBe(0);
    expect(repo.has('packages/b/b.lock')).toBe(true);
    expect((await repo.run(['ci', ...own])).code).toBe(0);
  });

  test('skipped servers are told with their reason', async () => {
    const repo = await locked();
    repo.write({ 'agentgate.yml': 'version: 1\nservers:\n  beta:\n    skip: needs a login\n' });
    const ran = await repo.run(['ci']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('skipped: needs a login');
    expect(ran.stderr).toContain('  beta: skipped: needs a login\n');
  });
});

test('the demonstration catches the rug pull and writes the page', async () => {
  const repo = project({});
  const ran = await repo.run(['demo']);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('do not tell the');
  const url = /file:\S+comment\.html/.exec(ran.stdout)?.[0];
  expect(readFileSync(fileURLToPath(url ?? ''), 'utf8')).toContain('<!doctype html>');
  const folder = /servers: (\S+)/.exec(ran.stdout)?.[1] ?? '';
  expect(existsSync(join(folder, 'agentgate.lock'))).toBe(true);
  const again = await repo.run(['demo', '--output', 'page.html']);
  expect(again.code).toBe(0);
  expect(repo.read('page.html')).toContain('<!doctype html>');
});

describe('help', () => {
  test.each(['lock', 'ci', 'diff', 'verify', 'init', 'demo'])('%s --help', async (command) => {
    const ran = await project({}).run([command, '--help']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(new RegExp(`^Usage: agentgate ${command}`));
    for (const flag of ran.stdout.match(/(?<=\s)--[a-z-]+/g) ?? [])
      expect(
        ['--help', '--yes'].includes(flag) || SETTINGS.some((setting) => setting.flag?.startsWith(flag)),
        flag,
      ).toBe(true);
  });

  test('--help and --version', async () => {
    const repo = project({});
    const help = await repo.run(['--help']);
    expect(help.code).toBe(0);
    for (const { stdout } of [help, await repo.run(['ci', '--help']), await repo.run(['diff', '--help'])])
      expect(stdout).toContain('Exit codes: 0 clean, or below fail-on; 1 drift or findings');
    for (const command of ['lock|pin', 'ci|scan', 'diff', 'verify', 'init', 'demo'])
      expect(help.stdout).toContain(command);
    expect(await repo.run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });
});
