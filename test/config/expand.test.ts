import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveServer } from '../../src/config/expand.ts';
import { defaultServerPolicy } from '../../src/config/policy.ts';
import { splitReferences } from '../../src/config/references.ts';
import type { ResolvedRemote, ResolvedServer, ResolvedStdio, ServerPolicy } from '../../src/config/types.ts';
import { folder, onlyServer, parseWith, ROOT } from './support.ts';

/** Writes a reference without tripping over this language's own templates. */
const V = (inner: string): string => `\${${inner}}`;

interface Given {
  env?: Record<string, string>;
  policy?: Partial<ServerPolicy>;
}

function resolve(file: string, config: object, given: Given = {}): ResolvedServer {
  const policy = { ...defaultServerPolicy(), ...given.policy };
  return resolveServer(onlyServer(file, config), { env: given.env ?? {}, policy, cwd: ROOT });
}

const ROOTS: Record<string, string> = {
  '.vscode/mcp.json': 'servers',
  '.zed/settings.json': 'context_servers',
  'opencode.json': 'mcp',
};

function stdioOf(file: string, entry: object, given: Given = {}, more: object = {}): ResolvedStdio {
  const { launch } = resolve(file, { [ROOTS[file] ?? 'mcpServers']: { srv: entry }, ...more }, given);
  if (launch.transport !== 'stdio') throw new Error('not stdio');
  return launch;
}

function argOf(file: string, arg: string, given: Given = {}, more: object = {}): string | undefined {
  return stdioOf(file, { command: 'x', args: [arg] }, given, more).args[0];
}

function remoteOf(entry: object, given: Given = {}, file = '.mcp.json'): ResolvedRemote {
  const { launch } = resolve(
    file,
    { mcpServers: { srv: { type: 'http', url: 'https://x.example', ...entry } } },
    given,
  );
  if (launch.transport === 'stdio') throw new Error('stdio');
  return launch;
}

const env = { X: 'value', EMPTY: '', HOME: '/home/me' };

describe("each client's own syntax", () => {
  test.each([
    ['.mcp.json', V('X'), 'value'],
    ['.mcp.json', `a${V('X')}b${V('X')}`, 'avaluebvalue'],
    ['.mcp.json', V('EMPTY'), ''],
    ['.mcp.json', V('NOT_SET:-def'), 'def'],
    ['.mcp.json', V('EMPTY:-def'), ''],
    ['.mcp.json', V('NOT_SET:-'), ''],
    ['.mcp.json', V('NOT_SET:-a:-b'), 'a:-b'],
    ['.mcp.json', '$X', '$X'],
    ['.mcp.json', '{X} %X% $(X)', '{X} %X% $(X)'],
    ['.mcp.json', V('CLAUDE_PROJECT_DIR:-.'), '.'],
    ['.cursor/mcp.json', V('env:X'), 'value'],
    ['.cursor/mcp.json', `${V('workspaceFolder')}${V('/')}a`, join(ROOT, 'a')],
    ['.cursor/mcp.json', V('workspaceFolderBasename'), 'w'],
    ['.cursor/mcp.json', V('userHome'), '/home/me'],
    ['.vscode/mcp.json', V('env:X'), 'value'],
    ['.vscode/mcp.json', V('workspaceFolder:api'), ROOT],
    ['.github/mcp.json', V('X'), 'value'],
    ['.github/mcp.json', '$X', '$X'],
    ['.gemini/settings.json', '$X', 'value'],
    ['.gemini/settings.json', V('X:-d'), 'value'],
    ['gemini-extension.json', `${V('extensionPath')}${V('/')}s.js`, join(ROOT, 's.js')],
    ['cline_mcp_settings.json', V('env:X'), 'value'],
    ['.roo/mcp.json', `${V('workspaceFolder')}/${V('env:X')}`, `${ROOT}/value`],
    ['.kiro/settings/mcp.json', V('X'), 'value'],
    ['opencode.json', '{env:X}', 'value'],
    ['.continue/mcpServers/a.json', V('{ secrets.X }'), 'value'],
    ['.claude-plugin/plugin.json', V('CLAUDE_PLUGIN_ROOT'), ROOT],
    ['.amp/settings.json', V('X'), 'value'],
  ])('%s: %s is %j', (file, text, expected) => {
    if (file === '.amp/settings.json') {
      const { launch } = resolve(
        file,
        { 'amp.mcpServers': { srv: { command: 'x', args: [text] } } },
        { env },
      );
      expect(launch.transport === 'stdio' && launch.args).toEqual([expected]);
    } else if (file === 'opencode.json') {
      expect(stdioOf(file, { type: 'local', command: ['x', text] }, { env }).args).toEqual([expected]);
    } else expect(argOf(file, text, { env })).toBe(expected);
  });

  test.each([
    ['.cursor/mcp.json', V('X')],
    ['.vscode/mcp.json', V('X')],
    ['.vscode/mcp.json', V('command:x')],
    ['.zed/settings.json', V('X')],
    ['cline_mcp_settings.json', V('X')],
    ['claude_desktop_config.json', V('X')],
    ['opencode.json', V('X')],
    ['.mcp.json', V('env:X')],
    ['.mcp.json', V('')],
    ['.mcp.json', V('a b')],
    ['.mcp.json', V(`NOT_SET:-${V('X')}`)],
    ['.continue/mcpServers/a.json', V('X')],
    ['.continue/mcpServers/a.json', V('{ vars.X }')],
  ])('%s: %s is not replaced there, so the server does not start', (file, text) => {
    const entry = file === 'opencode.json' ? { command: ['x', text] } : { command: 'x', args: [text] };
    expect(() => stdioOf(file, entry, { env })).toThrowError(expect.objectContaining({ code: 'E_VARIABLE' }));
  });

  test.each([
    ['.mcp.json', V('NOT_SET')],
    ['.cursor/mcp.json', V('env:NOT_SET')],
    ['.gemini/settings.json', '$NOT_SET'],
    ['.roo/mcp.json', V('env:NOT_SET')],
    ['.kiro/settings/mcp.json', V('NOT_SET')],
    ['.mcp.json', V('constructor')],
    ['.mcp.json', V('__proto__')],
  ])('%s: %s is an error that names variable and server', (file, text) => {
    try {
      argOf(file, text, { env });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'E_VARIABLE',
        place: { server: 'srv', file, line: expect.any(Number) },
      });
      expect(String(error)).toMatch(/srv.*(NOT_SET|constructor|__proto__)/);
    }
  });

  test('a value is never expanded again', () => {
    expect(argOf('.mcp.json', V('A'), { env: { A: V('B'), B: 'no' } })).toBe(V('B'));
  });

  test('a reference without its end is text', () => {
    expect(argOf('.mcp.json', 'a${' + 'X', { env })).toBe('a${' + 'X');
  });

  test('headers nest in Claude Code, other places do not', () => {
    const headers = { A: V(`NOT_SET:-${V('X')}`) };
    expect(remoteOf({ headers }, { env }).headers.get('A')).toBe('value');
  });

  test('splitting loses nothing, for any text and client', () => {
    const clients = [
      'claude-code',
      'cursor',
      'vscode',
      'gemini',
      'opencode',
      'continue',
      'registry',
      'mcpb',
      'zed',
    ] as const;
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('${', '}', '{', 'env:X', '$X', ':-', '${{', '}}', 'secrets.A'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...clients), fc.array(piece), (client, pieces) => {
        const text = pieces.join('');
        expect(
          splitReferences(text, client, 'args')
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('inputs', () => {
  const entry = { command: 'x', args: [V('input:tok')] };
  const inputs = { inputs: [{ id: 'tok', type: 'promptString', password: true, default: 'd' }] };

  test("VS Code's inputs come from the policy, or are an error that says so", () => {
    expect(() => stdioOf('.vscode/mcp.json', entry, { env: { tok: 'x' } }, inputs)).toThrow(/agentgate\.yml/);
    const policy = { env: new Map([['tok', 'placeholder']]) };
    expect(stdioOf('.vscode/mcp.json', entry, { policy }, inputs).args).toEqual(['placeholder']);
  });

  test('what the policy sets by name needs no value from the config', () => {
    const policy = { env: new Map([['TOKEN', 'placeholder']]) };
    const launch = stdioOf('.vscode/mcp.json', { command: 'x', env: { TOKEN: V('input:tok') } }, { policy });
    expect([...launch.env]).toEqual([['TOKEN', 'placeholder']]);
  });

  test("a bundle's values: defaults, several arguments, the policy", () => {
    const bundle = (args: string[], given: Given = {}) => {
      const config = {
        manifest_version: '0.3',
        name: 'b',
        server: { mcp_config: { command: 'node', args } },
        user_config: {
          dirs: { multiple: true, default: [`${V('HOME')}/a`, '/b'] },
          key: { required: true, sensitive: true },
        },
      };
      const { launch } = resolve('b/manifest.json', config, { env, ...given });
      return launch.transport === 'stdio' ? launch.args : [];
    };
    expect(bundle([`${V('__dirname')}/i.js`, V('user_config.dirs')])).toEqual([
      `${join(ROOT, 'b')}/i.js`,
      '/home/me/a',
      '/b',
    ]);
    expect(() => bundle([V('user_config.key')])).toThrow(/"key"/);
    expect(bundle([V('user_config.key')], { policy: { env: new Map([['key', 'k']]) } })).toEqual(['k']);
    expect(() => bundle([V('user_config.constructor')])).toThrow();
  });

  test("the registry's variables: environment, default, error", () => {
    const remotes = [
      {
        type: 'streamable-http',
        url: 'https://{tenant}.example/{path}',
        variables: { tenant: { default: 'main' } },
      },
    ];
    const of = (given: Given) => {
      const { launch } = resolve('server.json', { name: 'n', remotes }, given);
      return launch.transport === 'stdio' ? '' : launch.url;
    };
    expect(of({ env: { path: 'p' } })).toBe('https://main.example/p');
    expect(of({ env: { path: 'p', tenant: 't' } })).toBe('https://t.example/p');
    expect(() => of({})).toThrow(/path/);
  });

  test('Copilot: names of its secrets in env, and env in args', () => {
    const launch = stdioOf(
      '.github/mcp.json',
      { command: 'x', args: [V('KEY'), '$COPILOT_MCP_A'], env: { KEY: 'COPILOT_MCP_A' } },
      { env: { COPILOT_MCP_A: 'secret' } },
    );
    expect(launch.args).toEqual(['secret', 'secret']);
    expect(launch.env.get('KEY')).toBe('secret');
  });
});

describe('what a server gets', () => {
  test('only what the config or the policy names', () => {
    const job = { ...env, GITHUB_TOKEN: 'ghs', NPM_TOKEN: 'npm', SECRET: 's' };
    const { launch, variables, secrets } = resolve(
      '.mcp.json',
      { mcpServers: { srv: { command: 'x', args: [V('X')], env: { A: V('X'), B: 'lit' } } } },
      { env: job, policy: { env: new Map([['P', '1']]), passEnv: ['NPM_TOKEN', 'NOT_SET'] } },
    );
    expect(launch.transport === 'stdio' && Object.fromEntries(launch.env)).toEqual({
      CLAUDE_PROJECT_DIR: ROOT,
      A: 'value',
      B: 'lit',
      NPM_TOKEN: 'npm',
      P: '1',
    });
    expect(variables.toSorted()).toEqual(['NPM_TOKEN', 'P', 'X']);
    expect(secrets).toEqual(['value']);
  });

  test('values of the environment of over three characters are secrets, those of the policy are not', () => {
    const { secrets } = resolve(
      '.mcp.json',
      { mcpServers: { srv: { command: 'x', args: [V('A'), V('B'), V('C')] } } },
      { env: { A: 'abc', B: 'abcd' }, policy: { env: new Map([['C', 'placeholder']]) } },
    );
    expect(secrets).toEqual(['abcd']);
  });

  test("a policy's value may name a variable of the job", () => {
    const policy = {
      env: new Map([
        ['T', `x-${V('JOB')}`],
        ['U', V('NO:-d')],
      ]),
    };
    const { launch, secrets } = resolve(
      '.mcp.json',
      { mcpServers: { srv: { command: 'x' } } },
      { env: { JOB: 'jobsecret' }, policy },
    );
    expect(launch.transport === 'stdio' && [launch.env.get('T'), launch.env.get('U')]).toEqual([
      'x-jobsecret',
      'd',
    ]);
    expect(secrets).toEqual(['jobsecret']);
    expect(() => resolve('.mcp.json', { mcpServers: { srv: { command: 'x' } } }, { policy })).toThrow(/JOB/);
  });

  test("Codex passes by name; an unset one is an error, the registry's optional one is not", () => {
    const toml = '[mcp_servers.srv]\ncommand = "x"\nenv_vars = ["A"]\n';
    const [server] = parseWith(toml, '.codex/config.toml', ROOT).servers;
    if (!server) throw new Error('no server');
    const { launch } = resolveServer(server, { env: { A: '1' }, cwd: ROOT });
    expect(launch.transport === 'stdio' && [...launch.env]).toEqual([['A', '1']]);
    expect(() => resolveServer(server, { env: {}, cwd: ROOT })).toThrow(/variable A/);
    const registry = {
      name: 'srv',
      packages: [{ registryType: 'npm', identifier: 'p', environmentVariables: [{ name: 'MAYBE' }] }],
    };
    const none = resolve('server.json', registry).launch;
    expect(none.transport === 'stdio' && [...none.env]).toEqual([]);
    const some = resolve('server.json', registry, { env: { MAYBE: 'm' } }).launch;
    expect(some.transport === 'stdio' && [...some.env]).toEqual([['MAYBE', 'm']]);
  });

  test('docker -e NAME takes the variable of that name', () => {
    const { launch, variables } = resolve(
      '.mcp.json',
      {
        mcpServers: {
          srv: {
            command: 'docker',
            args: ['run', '-i', '-e', 'A', '-eB', '--env=C', '-e', 'D=1', 'img', '-e', 'E'],
          },
        },
      },
      { env: { A: '1', B: '2', D: '4', E: '5' } },
    );
    expect(launch.transport === 'stdio' && Object.fromEntries(launch.env)).toEqual({
      A: '1',
      B: '2',
      CLAUDE_PROJECT_DIR: ROOT,
    });
    expect(variables.toSorted()).toEqual(['A', 'B']);
  });

  test('mcp-remote expands its headers itself: the secret stays out of the process list', () => {
    const args = [
      '-y',
      'mcp-remote',
      'https://x.example',
      '--header',
      `Authorization:${V('AUTH')}`,
      '--header',
      `X:${V('OWN')}`,
    ];
    const launch = stdioOf(
      '.mcp.json',
      { command: 'npx', args, env: { OWN: `Bearer ${V('X')}` } },
      { env: { AUTH: 'secret', X: 'v' } },
    );
    expect(launch.args).toEqual(args);
    expect(launch.env.get('AUTH')).toBe('secret');
    expect(launch.env.get('OWN')).toBe('Bearer v');
    expect(() => stdioOf('.cursor/mcp.json', { command: 'npx', args, env: { OWN: '1' } })).toThrow(/AUTH/);
  });

  test('a shell script keeps what its client leaves alone', () => {
    const args = ['-c', `exec srv --token "${V('X')}" --dir "${V('PWD')}"`];
    const launch = stdioOf('.zed/settings.json', { command: 'sh', args }, { env });
    expect(launch.args).toEqual(args);
    expect(launch.env.get('X')).toBe('value');
  });

  test('the working folder', () => {
    expect(stdioOf('.vscode/mcp.json', { command: 'x' }).cwd).toBe(ROOT);
    expect(stdioOf('.vscode/mcp.json', { command: 'x', cwd: 'srv' }).cwd).toBe(join(ROOT, 'srv'));
    expect(stdioOf('.vscode/mcp.json', { command: 'x', cwd: `${V('workspaceFolder')}/srv` }).cwd).toBe(
      `${ROOT}/srv`,
    );
  });
});

describe('remote', () => {
  test('url and headers are expanded', () => {
    const launch = remoteOf(
      { url: `https://${V('X')}.example/${V('NOT_SET:-mcp')}`, headers: { A: `Bearer ${V('X')}` } },
      { env },
    );
    expect(launch).toMatchObject({
      url: 'https://value.example/mcp',
      headers: new Map([['A', 'Bearer value']]),
    });
  });

  test('line breaks in a header, odd names and doubles are refused without the value', () => {
    for (const bad of ['a\nb', 'a\r\nX: y', 'a\0', 'ä€']) {
      expect(() => remoteOf({ headers: { A: V('X') } }, { env: { X: `topsecret${bad}` } })).toThrowError(
        expect.objectContaining({
          code: expect.stringMatching(/E_HEADER/),
          message: expect.not.stringContaining('topsecret'),
        }),
      );
    }
    expect(() => remoteOf({ headers: { 'A B': 'x' } })).toThrowError(
      expect.objectContaining({ code: 'E_HEADER' }),
    );
    expect(() => remoteOf({ headers: { 'x-a': '1', 'X-A': '2' } })).toThrowError(
      expect.objectContaining({ code: 'E_HEADER' }),
    );
  });

  test('only http and https', () => {
    for (const url of ['file:///etc/passwd', 'unix:///s', 'nope', '', 'javascript:1', 'ftp://x']) {
      expect(() => remoteOf({ url: V('U') }, { env: { U: url } })).toThrowError(
        expect.objectContaining({ code: 'E_URL' }),
      );
    }
  });

  test('user-info becomes the header that it stands for', () => {
    const { launch, secrets } = resolve(
      '.mcp.json',
      { mcpServers: { srv: { type: 'http', url: `https://me:${V('P')}@x.example/mcp?a=1` } } },
      { env: { P: 'pass word' } },
    );
    const basic = Buffer.from('me:pass word').toString('base64');
    expect(launch).toMatchObject({
      url: 'https://x.example/mcp?a=1',
      headers: new Map([['Authorization', `Basic ${basic}`]]),
    });
    expect(secrets).toContain(basic);
  });
});

describe('what a config holds literally', () => {
  const namesOf = (entry: object, env: Record<string, string> = {}): string[] => {
    const config = { mcpServers: { s: { command: 'x', ...entry } } };
    return [...resolve('.mcp.json', config, { env }).secretNames.values()];
  };

  test('is named with a digest: a value that a server repeats cannot be swapped unseen', () => {
    const [one, two] = ['harmless-value-1', 'do-something-else-2'].map((value) =>
      namesOf({ env: { API_TOKEN: value } }),
    );
    expect(one).toEqual([expect.stringMatching(/^API_TOKEN\.[0-9a-f]{16}$/)]);
    expect(two).not.toEqual(one);
  });

  test('a variable has its name alone, also within a longer text', () => {
    const env = { MY_TOKEN: 'value-of-a-variable-1' };
    expect(namesOf({ env: { API_TOKEN: V('MY_TOKEN') } }, env)).toEqual(['MY_TOKEN']);
    expect(namesOf({ env: { API_TOKEN: `prefix-${V('MY_TOKEN')}` } }, env)).toEqual([
      'MY_TOKEN',
      'API_TOKEN',
    ]);
  });
});

describe('files that a config names', () => {
  const server = (cwd: string, file: string, config: object) => {
    const [found] = parseWith(JSON.stringify(config), file, cwd).servers;
    if (!found) throw new Error('no server');
    return found;
  };

  test('envFile: below the working directory only; entries of env win', () => {
    const outside = folder({ '.env': 'A=stolen' });
    const cwd = folder({ '.env': '# c\nexport A="x y"\nB=\'$z\' \nC=1 # d\nBAD LINE\nD=file\n' });
    symlinkSync(join(outside, '.env'), join(cwd, 'link'));
    const of = (envFile: string) =>
      resolveServer(
        server(cwd, '.vscode/mcp.json', { servers: { s: { command: 'x', envFile, env: { D: 'own' } } } }),
        { env: {}, cwd },
      );
    const { launch, secrets } = of('.env');
    expect(launch.transport === 'stdio' && Object.fromEntries(launch.env)).toEqual({
      A: 'x y',
      B: '$z',
      C: '1',
      D: 'own',
    });
    expect(secrets).toEqual(['file']);
    expect(of(`${V('workspaceFolder')}/.env`).launch.transport).toBe('stdio');
    for (const file of ['link', 'gone', '../.env', join(outside, '.env'), '.']) {
      expect(() => of(file)).toThrowError(expect.objectContaining({ code: 'E_ENV_FILE' }));
    }
  });

  test('no file of the job: the token that a checkout leaves in .git, the credentials of a cloud', () => {
    const cwd = folder({
      '.git/config': '[http]\n  extraheader = AUTHORIZATION: basic c2VjcmV0\n',
      'sub/.git/config': 'extraheader = x\n',
      'gha-creds-1a2b.json': 'key=1\n',
    });
    symlinkSync('.git/config', join(cwd, 'plain'));
    for (const file of ['.git/config', '.GIT/config', 'plain', 'sub/.git/config', 'gha-creds-1a2b.json']) {
      const vscode = server(cwd, '.vscode/mcp.json', { servers: { s: { command: 'x', envFile: file } } });
      const opencode = server(cwd, 'opencode.json', { mcp: { s: { command: ['x', `{file:${file}}`] } } });
      for (const each of [vscode, opencode])
        expect(() => resolveServer(each, { env: {}, cwd })).toThrowError(/names the file/);
    }
  });

  test("opencode's {file:} likewise", () => {
    const cwd = folder({ 'sub/key': ' topsecret\n' });
    const of = (text: string) =>
      resolveServer(server(cwd, 'sub/opencode.json', { mcp: { s: { command: ['x', text] } } }), {
        env: {},
        cwd,
      });
    const { launch, secrets } = of('{file:./key}');
    expect(launch.transport === 'stdio' && launch.args).toEqual(['topsecret']);
    expect(secrets).toEqual(['topsecret']);
    expect(() => of('{file:../../etc/passwd}')).toThrow();
    expect(() => of('{file:~/.ssh/id_rsa}')).toThrow();
  });
});
