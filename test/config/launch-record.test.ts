import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchRecord } from '../../src/config/launch-record.ts';
import { maskPaths } from '../../src/config/mask-paths.ts';
import { isSecretName } from '../../src/config/redact-launch.ts';
import type { LaunchRecord } from '../../src/config/types.ts';
import { onlyServer, ROOT } from './support.ts';

const V = (inner: string): string => `\${${inner}}`;

function record(entry: object, variables: string[] = [], redact = (text: string) => text): LaunchRecord {
  const server = onlyServer('.mcp.json', { mcpServers: { srv: entry } });
  return launchRecord(server, { cwd: ROOT, home: '/home/me', variables, redact });
}

const args = (...words: string[]): string[] | undefined => record({ command: 'x', args: words }).args;

describe('launchRecord', () => {
  test('the declared form, names only and sorted', () => {
    expect(
      record({ command: 'npx', args: ['-y', 'foo@1.0.0', V('DIR:-.')], env: { Z: 'secret', A: V('B') } }, [
        'B',
        'DIR',
      ]),
    ).toEqual({ command: 'npx', args: ['-y', 'foo@1.0.0', V('DIR:-.')], env: ['A', 'B', 'DIR', 'Z'] });
    expect(record({ command: 'x' })).toEqual({ command: 'x', args: [] });
    expect(
      record({ type: 'http', url: 'https://x.example/mcp', headers: { 'X-Z': 'v', Authorization: 'v' } }, [
        'T',
      ]),
    ).toEqual({
      url: 'https://x.example/mcp',
      headers: ['authorization', 'x-z'],
      env: ['T'],
    });
  });

  test('URLs lose user-info, query and fragment, wherever they stand', () => {
    const url = (text: string) => record({ type: 'http', url: text }).url;
    expect(url('https://u:p@x.example/mcp?key=s#f')).toBe('https://x.example/mcp');
    expect(url(`https://x.example/${V('T')}/mcp?k=${V('K')}`)).toBe(`https://x.example/${V('T')}/mcp`);
    expect(args('https://u:p@x.example/a?b=c', '--db=postgres://u:p#ss@h/db', 'x@1.0.0')).toEqual([
      'https://x.example/a',
      '--db=postgres://h/db',
      'x@1.0.0',
    ]);
    expect(args('git+https://tok@g.example/o/r#abc', 'git+ssh://git@g.example/o/r')).toEqual([
      'git+https://g.example/o/r#abc',
      'git+ssh://git@g.example/o/r',
    ]);
  });

  test('values of secret options, variables and headers are left out; references and the rest stay', () => {
    expect(args('--token', 's3cret', '--api-key=s3cret', '--github-token', V('T'), '--verbose')).toEqual([
      '--token',
      '<redacted>',
      '--api-key=<redacted>',
      '--github-token',
      V('T'),
      '--verbose',
    ]);
    expect(
      args('--header', 'X-Team: s3cret', '-H', `Authorization: Bearer ${V('T')}`, '--header=A:b'),
    ).toEqual([
      '--header',
      'X-Team: <redacted>',
      '-H',
      `Authorization: Bearer ${V('T')}`,
      '--header=A:<redacted>',
    ]);
    expect(args('Authorization: Bearer s3cret', 'authorization:Basic s3cret')).toEqual([
      'Authorization: Bearer <redacted>',
      'authorization:Basic <redacted>',
    ]);
    expect(args('-e', 'API_KEY=s3cret', '-e', 'LEVEL=debug', '-e', 'API_KEY')).toEqual([
      '-e',
      'API_KEY=<redacted>',
      '-e',
      'LEVEL=debug',
      '-e',
      'API_KEY',
    ]);
    expect(
      args('--token', '--verbose', '--max-tokens', '100', '--no-auth', 'x', '--token-file', 'f'),
    ).toEqual(['--token', '--verbose', '--max-tokens', '100', '--no-auth', 'x', '--token-file', 'f']);
    expect(
      args('-c', `TOKEN=s3cret npx foo --api-key 's3 cret' --pass-thru ${V('X')} --secret "${V('S')}"`),
    ).toEqual([
      '-c',
      `TOKEN=<redacted> npx foo --api-key <redacted> --pass-thru ${V('X')} --secret "${V('S')}"`,
    ]);
    expect(args('-c', 'TOKEN=s3cret npx foo')).toEqual(['-c', 'TOKEN=<redacted> npx foo']);
    expect(args('PASSPHRASE=four words of it')).toEqual(['PASSPHRASE=<redacted>']);
    expect(record({ command: 'npx foo --token s3cret' }).command).toBe('npx foo --token <redacted>');
  });

  test('the given redactor sees every text', () => {
    const seen = record({ command: 'c', args: ['a ghp_x'], cwd: '/ghp_x' }, [], (text) =>
      text.replaceAll('ghp_x', '***'),
    );
    expect(seen).toEqual({ command: 'c', args: ['a ***'], cwd: '/***' });
  });

  test('host paths are masked', () => {
    expect(
      record({
        command: `${ROOT}/bin/x`,
        args: [
          '/home/me/data',
          `--dir=${ROOT}`,
          '-v/home/me/x:/x',
          '/Users/ann/x',
          'C:\\Users\\ann\\x',
          '/srv',
        ],
        cwd: 'sub',
      }),
    ).toEqual({
      command: `${V('CWD')}/bin/x`,
      args: [
        `${V('HOME')}/data`,
        `--dir=${V('CWD')}`,
        `-v${V('HOME')}/x:/x`,
        `${V('HOME')}/x`,
        `${V('HOME')}\\x`,
        '/srv',
      ],
      cwd: `${V('CWD')}/sub`,
    });
  });
});

describe('maskPaths', () => {
  const masks = [
    { path: '/home/me/proj/', name: 'CWD' },
    { path: '/home/me', name: 'HOME' },
  ];

  test.each([
    ['/home/me/proj', V('CWD')],
    ['/home/me/projects', `${V('HOME')}/projects`],
    ['"/home/me/proj" /home/me:', `"${V('CWD')}" ${V('HOME')}:`],
    ['file:///home/me/proj/a', `file://${V('CWD')}/a`],
    ['x/home/me', 'x/home/me'],
    ['/home/me2', V('HOME')],
    ['/homer/me', '/homer/me'],
  ])('%s is %s', (text, expected) => expect(maskPaths(text, masks)).toBe(expected));

  test('masking twice is masking once, and no masked path is left', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('/home/me', '/home/me/proj', '/', ' ', '"', '/Users/a', '-v', '='),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = maskPaths(pieces.join(''), masks);
        expect(maskPaths(once, masks)).toBe(once);
        expect(` ${once} `).not.toMatch(/ \/home\/me[ /"]/);
      }),
    );
  });

  test("the file system's root is not masked", () => {
    expect(maskPaths('/a b/', [{ path: '/', name: 'CWD' }])).toBe('/a b/');
  });
});

test.each([
  ['--token', true],
  ['--github-token', true],
  ['apiKey', true],
  ['DB_PASSWORD', true],
  ['--api-key', true],
  ['PAT', true],
  ['--sort-key', false],
  ['--max-tokens', false],
  ['--path', false],
  ['--no-token', false],
  ['--tokenizer', false],
  ['', false],
])('%s as a name of a secret: %s', (name, expected) => expect(isSecretName(name)).toBe(expected));
