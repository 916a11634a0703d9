import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedDir } from '../support/shared.ts';
import { config, launch, type Project, project, type Ran, tool, twoServers } from './support.ts';

const shared = sharedDir();
const BAD_CONFIG = '{\n  "mcpServers": {\n    "alpha": { "command": }\n  }\n}\n';

/** One line, ours, with a code; no stack. */
function oneSentence(ran: Ran, code: string): string {
  expect(ran.code).toBe(2);
  const lines = ran.stderr.trimEnd().split('\n');
  const line = lines.at(-1) ?? '';
  expect(line).toMatch(new RegExp(`^agentgate: .+ \\(${code}\\)$`));
  expect(ran.stderr).not.toMatch(/^\s+at /m);
  return line;
}

/** Writes the lock of two servers that work. */
async function locked(): Promise<Project> {
  const repo = project(twoServers());
  expect((await repo.run(['lock', '--starts', '1'])).code).toBe(0);
  return repo;
}

describe('configs', () => {
  test('none: said, and nothing is written', async () => {
    const repo = project({});
    for (const command of ['lock', 'init']) {
      const line = oneSentence(await repo.run([command]), 'E_NO_CONFIG');
      expect(line).toContain('There is no MCP config here (looked for .mcp.json,');
    }
    const ci = await repo.run(['ci']);
    expect(ci.code).toBe(2);
    expect(ci.stdout).toContain('E_NO_CONFIG');
    expect(ci.stdout).toContain('There is no agentgate.lock: run "agentgate lock" and commit the file.');
    expect(repo.files()).toEqual([]);
  });

  test('a syntax error: line and column', async () => {
    const repo = project({ '.mcp.json': BAD_CONFIG });
    expect(oneSentence(await repo.run(['lock']), 'E_CONFIG_SYNTAX')).toBe(
      'agentgate: .mcp.json:3:27 is not JSON: a value is missing (E_CONFIG_SYNTAX)',
    );
    const ci = await repo.run(['ci']);
    expect(ci.code).toBe(2);
    expect(ci.stdout).toContain('.mcp.json:3:27 is not JSON: a value is missing. E_CONFIG_SYNTAX');
    expect(repo.files()).toEqual(['.mcp.json']);
  });

  test('a syntax error in one of two keeps the lock, and says nothing of servers that are gone', async () => {
    const repo = await locked();
    const before = repo.read('agentgate.lock');
    repo.write({ '.cursor/mcp.json': BAD_CONFIG });
    oneSentence(await repo.run(['lock', '--yes']), 'E_CONFIG_SYNTAX');
    const ci = await repo.run(['ci', '--format', 'json']);
    expect(ci.code).toBe(2);
    expect(JSON.parse(ci.stdout)).toMatchObject({
      verdict: 'unchecked',
      errors: [{ code: 'E_CONFIG_SYNTAX', file: '.cursor/mcp.json', line: 3, column: 27 }],
      changes: [],
    });
    expect(repo.read('agentgate.lock')).toBe(before);
  });

  test('one name declared differently in two files names both and the way out', async () => {
    const repo = project(twoServers());
    repo.write({
      '.cursor/mcp.json': config({ alpha: launch('surface-server.mjs', 'beta.json') }),
      'agentgate.lock': { lockfileVersion: 1, servers: {} },
    });
    const ci = await repo.run(['ci', '--format', 'json']);
    expect(ci.code).toBe(2);
    const alpha = JSON.parse(ci.stdout).servers.find((server: { key: string }) => server.key === 'alpha');
    expect(alpha.status).toBe('unchecked');
    expect(alpha.error.code).toBe('E_DUPLICATE_SERVER');
    for (const word of ['.mcp.json', '.cursor/mcp.json', '--all-clients'])
      expect(alpha.error.message).toContain(word);
    const all = await repo.run(['lock', '--all-clients', '--yes', '--starts', '1']);
    expect(all.code).toBe(0);
    expect(Object.keys(JSON.parse(repo.read('agentgate.lock')).servers)).toEqual([
      'claude-code:alpha',
      'claude-code:beta',
      'cursor:alpha',
    ]);
  });

  test('one that declares nothing', async () => {
    const repo = project({ '.mcp.json': config({}) });
    expect(oneSentence(await repo.run(['lock']), 'E_NO_SERVERS')).toContain('declare no MCP server');
    expect(repo.files()).toEqual(['.mcp.json']);
  });

  test('a policy with a wrong key: line and column', async () => {
    const repo = project({
      ...twoServers(),
      'agentgate.yml': 'version: 1\nservers:\n  alpha:\n    timout: 3\n',
    });
    const line = oneSentence(await repo.run(['lock']), 'E_POLICY');
    expect(line).toContain('agentgate.yml:4:5');
    expect(line).toContain('"timout"');
  });
});

describe('servers', () => {
  const MODES = {
    exits: [
      'E_SERVER_EXIT',
      'server exited with code 3 before answering initialize',
      'fatal: no licence file',
    ],
    hangs: ['E_TIMEOUT', 'server did not answer initialize within 3 s', 'raise its timeout in agentgate.yml'],
    prints: ['E_TIMEOUT', 'server did not answer initialize within 3 s', 'It is listening on nothing.'],
    floods: ['E_TOO_LARGE', '16 MiB', 'skip it with a reason in agentgate.yml'],
    loops: ['E_CURSOR_LOOP', 'the same nextCursor of tools/list', 'tell its author'],
    errs: ['E_LIST', 'answered tools/list with error -32603: the database is away', 'tell its author'],
    doubles: ['E_DUPLICATE_NAME', 'tool "a"', 'tell its author'],
    nameless: ['E_NO_NAME', 'its /name is missing', 'tell its author'],
    unset: ['E_VARIABLE', 'NO_SUCH_VARIABLE', 'agentgate.yml'],
    absent: ['E_COMMAND_NOT_FOUND', 'no-such-program', 'install it'],
  } as const;
  const declared: { [key: string]: object } = {
    ...Object.fromEntries(Object.keys(MODES).map((mode) => [mode, launch('bad-server.mjs', mode)])),
    unset: { ...launch('bad-server.mjs'), env: { KEY: '${NO_SUCH_VARIABLE}' } },
    absent: { command: 'no-such-program', args: [] },
  };

  test('each failure is one sentence with a next step; the first lock writes nothing', async () => {
    // 16 MiB take longer than 3 s on a machine with much else to do.
    const policy = 'version: 1\nservers: { floods: { timeout: 60 } }\n';
    const repo = project({ '.mcp.json': config(declared), 'agentgate.yml': policy });
    const ran = await repo.run(['lock', '--timeout', '3', '--format', 'json']);
    expect(ran.code).toBe(2);
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ purpose: 'lock', verdict: 'unchecked', exitCode: 2 });
    for (const [mode, [code, ...words]] of Object.entries(MODES)) {
      const server = report.servers.find(({ key }: { key: string }) => key === mode);
      const { error } = server;
      expect(error.code, mode).toBe(code);
      for (const word of words) expect(error.message, mode).toContain(word);
      expect(error.message, mode).not.toContain('\n');
      if (mode === 'unset' || mode === 'absent') expect(server, mode).not.toHaveProperty('isolation');
      // Off a terminal, one line a server.
      expect(ran.stderr.split('\n').filter((line) => line.startsWith(`  ${mode}: failed: `))).toHaveLength(1);
    }
    expect(ran.stderr).toContain('agentgate.lock is not written: no server could be pinned.');
    expect(repo.files()).toEqual(['.mcp.json', 'agentgate.yml']);
  });

  test('beside one that works, only that one is pinned; the check is incomplete and says what it found', async () => {
    const repo = project({
      '.mcp.json': config({
        errs: launch('bad-server.mjs', 'errs'),
        exits: launch('bad-server.mjs', 'exits'),
        good: launch('surface-server.mjs', 'good.json'),
      }),
      'good.json': { tools: [tool('look')] },
    });
    const lock = await repo.run(['lock', '--starts', '1']);
    expect(lock.code).toBe(2);
    expect(lock.stderr).toContain('agentgate.lock written: 1 server pinned.');
    expect(lock.stderr).toContain('Not pinned, since they could not be checked: errs, exits.');
    repo.write({ 'good.json': { tools: [tool('look', { description: 'Does something else.' })] } });
    const ci = await repo.run(['ci']);
    expect(ci.code).toBe(2);
    expect(ci.stdout).toContain('1 of 3 servers is not what was reviewed, and 2 could not be checked');
    expect(ci.stdout).toContain('+ Does something else.');
    expect((await repo.run(['ci', '--fail-on', 'never'])).code).toBe(2);
  });

  test.skipIf(shared === undefined)('the odd servers of ../shared/peers', async () => {
    const peer = join(shared ?? '', 'peers/odd-stdio-server.mjs');
    const modes = {
      exit: 'E_SERVER_EXIT',
      'exit-later': undefined,
      hang: 'E_TIMEOUT',
      cursorloop: 'E_CURSOR_LOOP',
      cursorab: 'E_CURSOR_LOOP',
      listerr: 'E_LIST',
      neverlist: 'E_LIST',
      toolsnull: 'E_LIST',
      dup: 'E_DUPLICATE_NAME',
      garbage: undefined,
      bom: undefined,
      crlf: undefined,
    };
    const repo = project({
      '.mcp.json': config(
        Object.fromEntries(Object.keys(modes).map((mode) => [mode, { ...launch('x'), args: [peer, mode] }])),
      ),
    });
    const ran = await repo.run(['lock', '--timeout', '4', '--starts', '1', '--format', 'json']);
    const { servers } = JSON.parse(ran.stdout);
    const codes = Object.fromEntries(
      servers.map((server: { key: string; error?: { code: string } }) => [server.key, server.error?.code]),
    );
    expect(codes).toEqual(modes);
    expect(ran.code).toBe(2);
  });
});

describe('locks', () => {
  const NEWER = { lockfileVersion: 2, agentgateVersion: '9.1.0', servers: {} };
  const cases: [what: string, code: string, words: string[], text: (whole: string) => string][] = [
    ['newer', 'E_LOCK_NEWER', ['lockfileVersion 2', '9.1.0'], () => JSON.stringify(NEWER)],
    ['truncated', 'E_LOCK_SYNTAX', ['agentgate.lock:'], (whole) => whole.slice(0, whole.length / 2)],
    ['empty', 'E_LOCK_SYNTAX', ['restore it from git'], () => ''],
    [
      'in conflict',
      'E_LOCK_CONFLICT',
      ['merge conflict markers', ':4:1'],
      (whole) =>
        whole.replace('\n  "lockfileVersion"', '\n<<<<<<< HEAD\n=======\n>>>>>>> other\n  "lockfileVersion"'),
    ],
    [
      'edited by hand',
      'E_LOCK_EDITED',
      ['was edited by hand', 'alpha: tool "look"', 'line '],
      (whole) => whole.replace('"Does look."', '"Does nothing."'),
    ],
    [
      'of toolprint',
      'E_LOCK_TOOLPRINT',
      ['a lock of toolprint', 'or move it away and run'],
      () => JSON.stringify({ toolprintVersion: 1, servers: {} }),
    ],
    [
      'of npm mcp-agentgate',
      'E_LOCK_MCP_AGENTGATE',
      ['npm package mcp-agentgate'],
      () => JSON.stringify({ version: 1, generatedBy: 'mcp-agentgate', servers: { alpha: { tools: [] } } }),
    ],
    ['a list', 'E_LOCK_INVALID', ['not a JSON object'], () => '[]'],
  ];

  test('each is named by every command, and never overwritten', async () => {
    const repo = await locked();
    const whole = repo.read('agentgate.lock');
    await Promise.all(
      cases.map(async ([what, code, words, text], index) => {
        const file = `locks/${index}.lock`;
        repo.write({ [file]: text(whole) });
        const { mtimeMs } = statSync(join(repo.dir, file));
        const [verify, lock, ci] = await Promise.all([
          repo.run(['verify', '--lockfile', file]),
          repo.run(['lock', '--yes', '--lockfile', file]),
          repo.run(['ci', '--format', 'json', '--lockfile', file]),
        ]);
        for (const ran of [verify, lock]) {
          const line = oneSentence(ran, code);
          for (const word of words) expect(line, what).toContain(word.replace('agentgate.lock:', `${file}:`));
        }
        expect(ci.code, what).toBe(2);
        expect(JSON.parse(ci.stdout).errors[0].code, what).toBe(code);
        expect(repo.read(file), what).toBe(text(whole));
        expect(statSync(join(repo.dir, file)).mtimeMs, what).toBe(mtimeMs);
      }),
    );
  });

  test('missing', async () => {
    const repo = project(twoServers());
    expect(oneSentence(await repo.run(['verify']), 'E_LOCK_MISSING')).toBe(
      'agentgate: There is no agentgate.lock: run "agentgate lock" and commit the file (E_LOCK_MISSING)',
    );
    const line = oneSentence(await repo.run(['diff', 'a.lock', 'b.lock']), 'E_LOCK_MISSING');
    expect(line).toContain('there is no file a.lock');
  });
});

test('a server that is declared and not locked, and one that is locked and not declared: drift', async () => {
  const repo = await locked();
  repo.write({
    '.mcp.json': config({
      alpha: launch('surface-server.mjs', 'alpha.json'),
      gamma: launch('surface-server.mjs', 'beta.json'),
    }),
  });
  const ci = await repo.run(['ci', '--format', 'json']);
  expect(ci.code).toBe(1);
  const report = JSON.parse(ci.stdout);
  expect(report.verdict).toBe('drift');
  expect(
    report.servers.map(({ key, status }: { key: string; status: string }) => `${key} ${status}`),
  ).toEqual(['alpha match', 'beta gone', 'gamma new']);
  expect(report.changes).toMatchObject([
    { server: 'gamma', kind: 'server', name: '', change: 'added', accepted: false },
    { server: 'beta', kind: 'server', name: '', change: 'removed', accepted: false },
  ]);
  const chosen = await repo.run(['ci', '--server', 'alpha']);
  expect(chosen.code).toBe(0);
});

describe('calls', () => {
  test.each([
    [
      ['ci', '--format', 'xml'],
      "option '--format <format>' argument 'xml' is invalid; allowed choices are text,",
    ],
    [['ci', '--timeout', 'soon'], '--timeout takes a whole number from 1 to 86400, not "soon"'],
    [['ci', '--timeout', '0'], '--timeout takes'],
    [['ci', '--concurrency', '1.5'], '--concurrency takes'],
    [['lock', '--starts', '3'], '--starts takes a whole number from 1 to 2'],
    [['ci', '--isolation', 'some'], "argument 'some' is invalid"],
    [['ci', '--fail-on', 'all'], "argument 'all' is invalid"],
    [['ci', '--nope'], "unknown option '--nope'; see agentgate ci --help"],
    [['gate', 'show'], "missing required argument 'id'; see agentgate gate show --help"],
    [['ci', 'extra'], "too many arguments for 'ci'"],
    [['cii'], "unknown command 'cii'; (Did you mean ci?)"],
    [['diff', 'only.lock'], 'diff takes two lock files'],
    [['doctor', '--github'], 'or give --repo owner/name'],
  ])('%j', async (args, words) => {
    const ran = await project({}).run(args);
    expect(oneSentence(ran, 'E_USAGE')).toContain(words);
    expect(ran.stdout).toBe('');
  });

  test('an unknown server, folder or output', async () => {
    const repo = await locked();
    expect(oneSentence(await repo.run(['lock', 'delta']), 'E_UNKNOWN_SERVER')).toContain(
      'No config declares a server with the key "delta"; declared are: alpha, beta',
    );
    const ci = await repo.run(['ci', '--server', 'delta']);
    expect(ci.code).toBe(2);
    expect(ci.stdout).toContain('E_UNKNOWN_SERVER');
    expect(oneSentence(await repo.run(['ci', '--cwd', 'nowhere']), 'E_CWD')).toContain('nowhere');
    const out = await repo.run(['ci', '--output', 'nowhere/report.txt']);
    expect(oneSentence(out, 'E_OUTPUT')).toContain('cannot write nowhere/report.txt (ENOENT)');
    const folder = await repo.run(['ci', '--output', '.']);
    expect(oneSentence(folder, 'E_OUTPUT')).toContain('it is a folder: name a file in it');
    const report = await repo.run(['ledger', 'record-drift', '--report', 'nowhere']);
    expect(oneSentence(report, 'E_REPORT')).toContain('(ENOENT); give the file that "agentgate ci');
    const none = await repo.run(['ci', '--config', '**/x.json']);
    expect(none.code).toBe(2);
    expect(none.stdout.replace(/\s+/g, ' ')).toContain('The config "**/x.json" matches no file');
  });

  test('nothing at all prints the help and is an error', async () => {
    const ran = await project({}).run([]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Usage: agentgate');
    expect(ran.stdout).toBe('');
  });
});
