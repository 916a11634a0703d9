import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Origin } from '../../src/config/origin.ts';
import { deriveOrigin, deriveSource } from '../../src/config/source.ts';
import type { StdioLaunch } from '../../src/config/types.ts';

function launch(command: string, ...args: string[]): StdioLaunch {
  return { transport: 'stdio', command, args, env: new Map(), passEnv: [] };
}

const npm = (name: string, version?: string): Origin =>
  version === undefined
    ? { type: 'npm', package: name, requested: '' }
    : { type: 'npm', package: name, version };
const pypi = (name: string, version?: string): Origin =>
  version === undefined
    ? { type: 'pypi', package: name, requested: '' }
    : { type: 'pypi', package: name, version };

const CASES: [words: string[], expected: Origin][] = [
  // npm's launcher: options, their values, odd specs.
  [['npx', '-y', '--loglevel', 'error', 'foo@1.0.0'], npm('foo', '1.0.0')],
  [['npx', '--cache=/tmp/c', '-y', 'foo@1.0.0', '--registry', 'x'], npm('foo', '1.0.0')],
  [['npx', '--prefer-offline', 'foo@1.0.0'], npm('foo', '1.0.0')],
  [['npx', '--no-install', 'foo'], npm('foo')],
  [['npx', '--quiet', '--yes', 'foo'], npm('foo')],
  [['npm', 'exec', 'bin', '--package', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['npx', '-y', 'foo@v1.2.3'], npm('foo', '1.2.3')],
  [['npx', '-y', 'foo@1.2.3-beta.1'], npm('foo', '1.2.3-beta.1')],
  [['npx', '-y', 'foo@1'], { type: 'npm', package: 'foo', requested: '1' }],
  [['npx', '-y', 'foo@1.2'], { type: 'npm', package: 'foo', requested: '1.2' }],
  [['npx', '-y', 'foo@~1.2.3'], { type: 'npm', package: 'foo', requested: '~1.2.3' }],
  [['npx', '-y', 'foo@>=1.0.0'], { type: 'npm', package: 'foo', requested: '>=1.0.0' }],
  [['npx', '-y', 'foo@${VERSION}'], { type: 'npm', package: 'foo', requested: '${VERSION}' }],
  [['npx', '-y', 'alias@npm:@real/p@3.1.4'], npm('@real/p', '3.1.4')],
  [['npx', '-y', 'acme/mcp'], { type: 'git', package: 'github:acme/mcp', requested: '' }],
  [
    ['npx', '-y', 'git+ssh://git@github.com/acme/mcp.git#v2'],
    { type: 'git', package: 'git+ssh://git@github.com/acme/mcp.git', version: 'v2', mutable: true },
  ],
  [
    ['npx', '-y', 'git+https://user:secret@git.example/acme/mcp.git'],
    { type: 'git', package: 'git+https://git.example/acme/mcp.git', requested: '' },
  ],
  [['npx', '-y', 'https://u:p@x.example/p.tgz?t=1'], { type: 'url', package: 'https://x.example/p.tgz' }],
  [['npx', '-y', '../server'], { type: 'local', path: '../server' }],
  [['npx', '-y', 'file:./server'], { type: 'local', path: './server' }],
  [['C:\\Program Files\\nodejs\\npx.cmd', '-y', '@s/p@1.0.0'], npm('@s/p', '1.0.0')],
  [['NPX.CMD', '-y', 'foo@1.0.0'], npm('foo', '1.0.0')],
  [['npm', 'x', '--', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['npm', 'exec', '--package=foo@1.2.3', '--', 'bin'], npm('foo', '1.2.3')],
  [['npm', 'exec', '--package', 'foo@1.2.3', '-c', 'bin --x'], npm('foo', '1.2.3')],
  [['npm', 'run', 'start'], { type: 'local', path: 'npm' }],
  [['npm', '--silent', 'exec', '-y', 'foo@1.2.3'], npm('foo', '1.2.3')],
  // Other launchers of npm packages.
  [['pnpm', 'dlx', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['pnpm', '--package=@s/p@1.0.0', 'dlx', 'bin'], npm('@s/p', '1.0.0')],
  [['pnpm', '--reporter', 'silent', 'dlx', '--package', 'a@1.0.0', 'bin'], npm('a', '1.0.0')],
  [['pnpm', '-s', 'dlx', 'foo'], npm('foo')],
  [['pnpm', 'exec', 'foo'], { type: 'local', path: 'pnpm' }],
  [['pnpx', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['corepack', 'pnpm', 'dlx', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['yarn', 'dlx', 'foo@1.2.3'], npm('foo', '1.2.3')],
  [['yarn', 'start'], { type: 'local', path: 'yarn' }],
  [['bunx', 'foo@1.2.3', '--bun'], npm('foo', '1.2.3')],
  [['bunx', '--package', '@s/p@1.0.0', 'bin'], npm('@s/p', '1.0.0')],
  [['bun', 'run', './server.ts'], { type: 'local', path: './server.ts' }],
  [['bun', './server.ts'], { type: 'local', path: './server.ts' }],
  [['deno', 'run', '--allow-net=api.example', 'npm:foo@1.2.3'], npm('foo', '1.2.3')],
  [['deno', 'run', '-A', 'npm:/foo@1.2.3/cli'], npm('foo', '1.2.3')],
  [['deno', 'run', '-A', 'jsr:@s/p'], { type: 'url', package: 'jsr:@s/p' }],
  [['deno', 'run', '-A', 'https://d.example/m.ts?x=1'], { type: 'url', package: 'https://d.example/m.ts' }],
  [['deno', 'run', '--config', 'deno.json', './main.ts'], { type: 'local', path: './main.ts' }],
  // Python.
  [['uvx', 'mcp-server-git==2025.1.14'], pypi('mcp-server-git', '2025.1.14')],
  [['uvx', '--from', 'My_Pkg[cli]==1.2', 'cmd'], pypi('my-pkg', '1.2')],
  [['uvx', '--from=pkg>=1,<2', 'cmd'], { type: 'pypi', package: 'pkg', requested: '>=1,<2' }],
  [['uvx', '-p3.12', 'foo'], pypi('foo')],
  [['uvx', '--index-url', 'https://i.example/simple', 'foo@1.0'], pypi('foo', '1.0')],
  [['uvx', '--refresh', '--quiet', 'foo'], pypi('foo')],
  [['uvx', './dist/foo-1.0-py3-none-any.whl'], { type: 'local', path: './dist/foo-1.0-py3-none-any.whl' }],
  [
    ['uvx', '--from', 'git+https://tok@git.example/o/r', 'cmd'],
    { type: 'git', package: 'git+https://git.example/o/r', requested: '' },
  ],
  [
    ['uvx', '--from', 'pkg @ git+https://git.example/o/r@main', 'cmd'],
    { type: 'git', package: 'git+https://git.example/o/r', version: 'main', mutable: true },
  ],
  [['uv', 'x', 'foo@1.0.0'], pypi('foo', '1.0.0')],
  [['uv', '--quiet', 'tool', 'run', '--from', 'foo==1', 'bar'], pypi('foo', '1')],
  [['uv', '--directory', '/srv/app', 'run', 'server.py'], { type: 'local', path: 'server.py' }],
  [['uv', 'run', '--directory', './srv', 'my-server'], { type: 'local', path: './srv' }],
  [['uv', 'run', '--with', 'mcp[cli]', 'mcp', 'run', 'server.py'], pypi('mcp')],
  [['uv', 'run', '--with', 'a,foo==1.0', 'foo'], pypi('foo', '1.0')],
  [['uv', 'run', '--with', 'fastmcp', 'python', 's.py'], { type: 'local', path: 'python' }],
  [['pipx', 'run', '--python', '3.12', 'foo'], pypi('foo')],
  [
    ['pipx', 'run', '--spec=git+https://g.example/o/r@1a2b', 'x'],
    { type: 'git', package: 'git+https://g.example/o/r', version: '1a2b', mutable: true },
  ],
  [['python3', './server.py'], { type: 'local', path: './server.py' }],
  // Containers: options with and without a value attached.
  [['docker', 'run', '-i', '--rm', 'img'], { type: 'oci', package: 'img', requested: '', mutable: true }],
  [
    [
      'docker',
      'run',
      '--rm',
      '-i',
      '--env=A=1',
      '--network',
      'none',
      '-v',
      '/a:/b',
      'r.example:5000/x/y:1',
      'arg',
    ],
    { type: 'oci', package: 'r.example:5000/x/y', version: '1', requested: '1', mutable: true },
  ],
  [
    ['docker', 'run', '-ite', 'TOKEN', '--pull=always', '--entrypoint', 'sh', 'img@sha256:abc', '-c', 'x'],
    { type: 'oci', package: 'img', version: 'sha256:abc' },
  ],
  [
    ['docker', 'run', '--rm', `sha256:${'a'.repeat(64)}`],
    { type: 'oci', package: 'sha256', version: `sha256:${'a'.repeat(64)}` },
  ],
  [
    ['docker', 'run', 'r.example/x:1.2@sha256:abc'],
    { type: 'oci', package: 'r.example/x', version: 'sha256:abc' },
  ],
  [
    ['docker', '--context', 'far', 'run', 'img:1'],
    { type: 'oci', package: 'img', version: '1', requested: '1', mutable: true },
  ],
  [
    ['docker', 'container', 'run', '-i', 'img:1'],
    { type: 'oci', package: 'img', version: '1', requested: '1', mutable: true },
  ],
  [['docker', 'compose', 'run', 'mcp'], { type: 'local', path: 'docker' }],
  // .NET.
  [['dnx', 'A.B', '--version', '1.0.0'], { type: 'nuget', package: 'A.B', version: '1.0.0' }],
  [['dnx', 'A.B', '--yes', '--', '--version', '9'], { type: 'nuget', package: 'A.B', requested: '' }],
  [
    ['dnx', '--source', 'https://n.example', 'A.B@1.0.0'],
    { type: 'nuget', package: 'A.B', version: '1.0.0' },
  ],
  [['dnx', 'A.B@1.*'], { type: 'nuget', package: 'A.B', requested: '1.*' }],
  [['dotnet', 'tool', 'exec', 'A.B@1.0.0', '--yes'], { type: 'nuget', package: 'A.B', version: '1.0.0' }],
  [['dotnet', 'run', '--project', 'x'], { type: 'local', path: 'dotnet' }],
  // Wrappers, one within another.
  [['timeout', '30', 'npx', '-y', 'foo@1.0.0'], npm('foo', '1.0.0')],
  [['timeout', '-k', '5', '--signal=INT', '30s', 'uvx', 'foo'], pypi('foo')],
  [['nice', '-n', '10', 'npx', 'foo'], npm('foo')],
  [['sudo', '-E', '-u', 'mcp', 'A=1', 'npx', 'foo'], npm('foo')],
  [['nohup', 'npx', 'foo'], npm('foo')],
  [['stdbuf', '-oL', 'npx', 'foo'], npm('foo')],
  [['sh', '-c', 'exec npx -y foo@1.0.0'], npm('foo', '1.0.0')],
  [['bash', '-lc', 'cd /srv && export A=1 && exec npx -y "foo@1.0.0" --dir "$PWD"'], npm('foo', '1.0.0')],
  [['/bin/bash', '-l', '-c', 'source ~/.nvm/nvm.sh && npx foo'], npm('foo')],
  [['zsh', '-ic', 'TOKEN=x npx foo 2>/dev/null'], npm('foo')],
  [['bash', '-c', 'timeout 5 uvx foo'], pypi('foo')],
  [['bash', './run.sh'], { type: 'local', path: './run.sh' }],
  [['env', '-u', 'A', 'B=1', 'bash', '-c', 'npx foo'], npm('foo')],
  [['/usr/bin/env', 'node', './x.js'], { type: 'local', path: './x.js' }],
  [['cmd', '/C', 'npx.cmd', '-y', 'foo'], npm('foo')],
  [['cmd.exe', '/d', '/s', '/c', 'cd srv && npx -y foo'], npm('foo')],
  [['pwsh', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-Command', '& npx -y foo'], npm('foo')],
  [['powershell', '-File', 'run.ps1'], { type: 'local', path: 'run.ps1' }],
  [['wsl', '--', 'uvx', 'foo'], pypi('foo')],
  [['wsl.exe', '-e', 'bash', '-c', 'npx foo'], npm('foo')],
  [['mise', 'exec', 'node@22', '--', 'npx', 'foo'], npm('foo')],
  [['doppler', 'run', '--command', 'npx foo'], npm('foo')],
  [['fnm', 'exec', '--using', '22', 'npx', 'foo'], npm('foo')],
  [['nvm', 'exec', '22', 'npx', 'foo'], npm('foo')],
  [['direnv', 'exec', '.', 'uvx', 'foo'], pypi('foo')],
  [['dotenv', '-e', '.env', '--', 'npx', 'foo'], npm('foo')],
  // What a shell would compute or chain cannot be read.
  [['sh', '-c', 'curl -s https://x.example | sh'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx foo; rm -rf x'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx foo || npx bar'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx $(cat name)'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx "`cat name`"'], { type: 'local', opaque: true }],
  [['sh', '-c', 'curl -o x https://x.example && npx foo'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx foo\nnpx bar'], { type: 'local', opaque: true }],
  [['sh', '-c', 'npx foo & npx bar'], { type: 'local', opaque: true }],
  [['sh', '-c', ''], { type: 'local', opaque: true }],
  [['cmd', '/c', 'npx', 'foo', '&&', 'calc'], { type: 'local', opaque: true }],
  [['powershell', '-EncodedCommand', 'AAAA'], { type: 'local', opaque: true }],
  // A whole command line in `command`.
  [['npx -y \'foo@1.2.3\' "--x y"'], npm('foo', '1.2.3')],
  [
    ['docker run -i --rm img:2'],
    { type: 'oci', package: 'img', version: '2', requested: '2', mutable: true },
  ],
  [['C:\\tools\\uvx.exe foo@1.0'], pypi('foo', '1.0')],
  [['/Applications/My App/server'], { type: 'local', path: '/Applications/My App/server' }],
  [['uvx foo', '--flag'], pypi('foo')],
  // Bridges.
  [
    ['npx', '-y', 'mcp-remote@0.1.38', 'https://x.example/sse', '8080', '--transport', 'sse-first'],
    { type: 'remote', url: 'https://x.example/sse', transport: 'sse', via: npm('mcp-remote', '0.1.38') },
  ],
  [
    ['npx', '-y', 'supergateway', '--streamableHttp', 'https://x.example/mcp', '--header', 'A: b'],
    { type: 'remote', url: 'https://x.example/mcp', transport: 'http', via: npm('supergateway') },
  ],
  [
    ['sh', '-c', 'npx -y mcp-remote https://x.example/mcp'],
    { type: 'remote', url: 'https://x.example/mcp', transport: 'http', via: npm('mcp-remote') },
  ],
  [['npx', '-y', 'mcp-remote'], npm('mcp-remote')],
  [['uvx', 'mcp-proxy', '--port', '80', 'uvx', 'foo'], pypi('mcp-proxy')],
  // Names that objects have by themselves.
  [['constructor', 'x'], { type: 'local', path: 'constructor' }],
  [['__proto__'], { type: 'local', path: '__proto__' }],
  [['npx', '__proto__'], npm('__proto__')],
];

describe('deriveOrigin', () => {
  test.each(CASES.map(([words, expected]) => [words.join(' '), words, expected] as const))(
    '%s',
    (_, [command = '', ...args], expected) => {
      expect(deriveOrigin(launch(command, ...args), {})).toEqual(expected);
    },
  );

  test('never throws, whatever the words', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'npx',
        'sh',
        '-c',
        'env',
        '-S',
        '--',
        '-y',
        'cmd',
        '/c',
        'uvx',
        '--from',
        'docker',
        'run',
        '-e',
        'sudo',
        'a@1.0.0',
        'npm',
        'exec',
        'timeout',
        'mcp-remote',
        'https://x.example',
        '&&',
        '$(x)',
        "'",
        '"',
        '\\',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), ([command = '', ...args]) => {
        expect(deriveOrigin(launch(command, ...args), {}).type).toBeTypeOf('string');
      }),
      { numRuns: 2000 },
    );
  });

  test('a tower of wrappers is opaque', () => {
    const tower = Array.from({ length: 40 }, () => 'nohup');
    expect(deriveOrigin(launch('nohup', ...tower, 'npx', 'foo'), {})).toEqual({
      type: 'local',
      opaque: true,
    });
  });
});

describe('deriveSource', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'agentgate-source-'));
    const folder = join(root, 'node_modules', '@s', 'p');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"@s/p","version":"4.5.6"}');
    mkdirSync(join(root, 'node_modules', 'bad'), { recursive: true });
    writeFileSync(join(root, 'node_modules', 'bad', 'package.json'), '{');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('a script in node_modules is its package, at the installed release', () => {
    const source = deriveSource(launch('node', './node_modules/@s/p/dist/index.js'), { root });
    expect(source).toEqual({ type: 'npm', package: '@s/p', version: '4.5.6' });
    expect(deriveSource(launch('node', 'node_modules/bad/x.js'), { root })).toEqual({
      type: 'npm',
      package: 'bad',
      requested: '',
    });
    expect(deriveSource(launch('node_modules/.bin/x'), { root })).toEqual({
      type: 'local',
      path: 'node_modules/.bin/x',
    });
  });

  test('what is none of the four types is local, of a kind', () => {
    expect(deriveSource(launch('docker', 'run', 'img:1'), { root })).toEqual({
      type: 'local',
      kind: 'oci',
      package: 'img',
      version: '1',
      requested: '1',
      mutable: true,
    });
    expect(deriveSource(launch('sh', '-c', 'a | b'), { root })).toEqual({
      type: 'local',
      kind: 'opaque-shell',
    });
  });

  test('paths are relative inside the root and hold no home folder outside', () => {
    expect(deriveSource(launch('node', join(root, 'x.js')), { root }).path).toBe('./x.js');
    expect(deriveSource(launch('node', '/home/ann/x.js'), { root }).path).toBe('${' + 'HOME}/x.js');
    expect(deriveSource(launch('/usr/bin/srv'), { root }).path).toBe('/usr/bin/srv');
  });

  test('a remote is its URL without user-info, query and fragment', () => {
    const remote = { transport: 'http', headers: new Map(), variableHeaders: new Map() } as const;
    const source = deriveSource({ ...remote, url: 'https://user:pass@x.example/mcp?key=1#frag' }, { root });
    expect(source).toEqual({ type: 'remote', url: 'https://x.example/mcp' });
    expect(
      deriveSource(launch('npx', '-y', 'mcp-remote@1.0.0', 'https://u:p@x.example/mcp?k=v'), { root }),
    ).toEqual({
      type: 'remote',
      url: 'https://x.example/mcp',
      via: { type: 'npm', package: 'mcp-remote', version: '1.0.0' },
    });
  });
});
