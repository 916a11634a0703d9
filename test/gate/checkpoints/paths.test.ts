import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeclaredServer, Source } from '../../../src/config/types.ts';
import { resolvePaths } from '../../../src/gate/checkpoints/paths.ts';
import { ReversibleCall } from '../../../src/gate/checkpoints/reversible.ts';
import { type ServerPlaces, serverPlaces } from '../../../src/gate/checkpoints/server-places.ts';
import { keepFiles } from '../../../src/gate/checkpoints/take.ts';
import { Ledger } from '../../../src/gate/ledger/ledger.ts';
import type { JsonObject } from '../../../src/util/json.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'gate-paths-')));
const root = join(base, 'repo');
const gate = {
  ledger: join(root, '.agentgate/ledger.jsonl'),
  own: ['agentgate.lock', 'agentgate.yml', '.github/agentgate.yml'].map((file) => join(root, file)),
};
let places: ServerPlaces;

beforeAll(() => {
  for (const folder of ['notes/sub', 'docs', '.git', '.agentgate'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['a.txt', 'notes/a.txt', 'docs/b.txt', 'agentgate.yml'])
    writeFileSync(join(root, file), file);
  places = { root, bases: [root, join(root, 'notes')] };
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const paths = (args: JsonObject, at = places): string[] => resolvePaths(args, at, gate);
const why = (args: JsonObject, at = places): string => {
  try {
    return `kept: ${paths(args, at).join(' ')}`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('the paths that a call may mean', () => {
  it('are those from every folder', () => {
    expect(paths({ path: 'a.txt' })).toEqual(['a.txt', 'notes/a.txt']);
    expect(paths({ path: join(root, 'a.txt') })).toEqual(['a.txt']);
    expect(paths({ path: 'notes/../a.txt' })).toEqual(['a.txt', 'notes/a.txt']);
  });

  it.each<[string, JsonObject, string[]]>([
    ['arrays', { paths: ['x', 'y'] }, ['notes/x', 'notes/y', 'x', 'y']],
    [
      'source and destination',
      { source: 'a.txt', destination: 'c' },
      ['a.txt', 'c', 'notes/a.txt', 'notes/c'],
    ],
    [
      'nested objects',
      { edits: [{ file_path: 'x' }], options: { outputFile: 'y' } },
      ['notes/x', 'notes/y', 'x', 'y'],
    ],
    ['names of members', { files: { 'x.txt': 'content' } }, ['notes/x.txt', 'x.txt']],
    ['folders', { directory: 'docs' }, ['docs', 'notes/docs']],
    ['URIs', { uri: pathToFileURL(join('/', root, 'a b')).href }, ['a b']],
    ['percent-encoding', { path: 'a%2Etxt' }, ['a%2Etxt', 'a.txt', 'notes/a%2Etxt', 'notes/a.txt']],
    [
      'other separators',
      { path: 'docs\\b.txt' },
      ['docs/b.txt', 'docs\\b.txt', 'notes/docs/b.txt', 'notes/docs\\b.txt'],
    ],
    ['quotes and blanks', { path: ' "a" ' }, [' "a" ', 'a', 'notes/ "a" ', 'notes/a']],
    [
      'members that no name tells',
      { path: 'x', log: 'docs/b.txt', other: 'nothing' },
      ['docs/b.txt', 'notes/x', 'x'],
    ],
  ])('come from %s', (_, args, expected) => {
    expect(paths(args)).toEqual(expected);
  });

  it('are refused when one of them cannot be kept', () => {
    expect(why({ text: 'docs/b.txt' })).toBe('its arguments name no file');
    expect(why({ path: '../x' })).toContain('an absolute path is clear');
    expect(why({ path: 'x', backup: '/etc/hostname' })).toContain('lies outside');
    for (const path of ['.git/hooks/x', '.GIT/config']) expect(why({ path })).toContain('git’s own folder');
    for (const path of ['agentgate.yml', 'agentgate.lock', '.agentgate/ledger.jsonl', '.agentgate'])
      expect(why({ path })).toContain('belongs to the gate');
    for (const path of ['.', join(root, 'docs/..')]) expect(why({ path })).toContain('is the whole folder');
    expect(why({ path: 'a\nb' })).toContain('control character');
    expect(why({ path: '' })).toContain('empty');
    expect(why({ path: 'https://example.org/a' })).toContain('is no file');
    expect(why({ path: 'file://host/%zz' })).toContain('cannot be read');
    expect(why({ path: '{a,b}.txt' })).toContain('pattern');
    expect(why({ paths: 'a.txt, docs/b.txt' })).toContain('several');
    expect(why({ path: 'C:\\a.txt' })).toContain('Windows');
    expect(why({ path: 'a/'.repeat(3_000) })).toContain('too long');
  });

  it('follow links to their end, also where nothing is', () => {
    symlinkSync('nowhere.txt', join(root, 'docs/dangling'));
    symlinkSync('loop', join(root, 'docs/loop'));
    symlinkSync('../notes/sub', join(root, 'docs/down'));
    expect(paths({ path: join(root, 'docs/dangling') })).toEqual(['docs/dangling', 'docs/nowhere.txt']);
    expect(why({ path: join(root, 'docs/loop') })).toContain('round in links');
    // A program takes ".." from the text, the system from where the link leads to.
    expect(paths({ path: `${root}/docs/down/../a.txt` })).toEqual(['docs/a.txt', 'notes/a.txt']);
  });

  it('are not guessed for a server whose folder is not known', () => {
    const server = (launch: object, source: Source = { type: 'local' }): ServerPlaces =>
      serverPlaces({ declared: { root } as DeclaredServer, launch } as never, source);
    const http = (url: string): ServerPlaces => server({ transport: 'http', url, headers: new Map() });
    const stdio = (...args: string[]): object => ({
      transport: 'stdio',
      command: 'node',
      args,
      env: new Map([['STORE', 'docs']]),
      cwd: root,
    });
    expect(why({ path: 'a.txt' }, http('https://mcp.example.org/mcp'))).toContain('another machine');
    expect(why({ path: 'a.txt' }, http('http://127.0.0.1:3000/mcp'))).toContain('not known to which folder');
    expect(paths({ path: join(root, 'a.txt') }, http('http://127.0.0.1:3000/mcp'))).toEqual(['a.txt']);
    expect(why({ path: 'a.txt' }, server(stdio(), { type: 'local', kind: 'oci' }))).toContain('container');
    expect(server(stdio('--root=notes', '--dir', join(root, 'notes/sub'), '-x', 'nothing')).bases).toEqual(
      ['', 'docs', 'notes', 'notes/sub']
        .map((path) => join(root, path))
        .map((path) => path.replace(/\/$/, '')),
    );
    expect(server(stdio('-c', 'cd notes && exec server')).bases).toContain(join(root, 'notes'));
  });

  it('are not guessed for a server that may ask the client for its folders', async () => {
    const begin = (path: string) =>
      Ledger.open(gate.ledger).then((ledger) =>
        ReversibleCall.begin({
          ledger,
          gate: { ledger: gate.ledger, inputRequests: new Map([['s', new Set(['roots'])]]) } as never,
          own: gate.own,
          server: 's',
          tool: 'write',
          arguments: { path },
          rule: { kind: 'tier', tier: 1 },
          places,
          actor: 'test',
        }),
      );
    await expect(begin('a.txt')).rejects.toThrow('not known to which folder');
    expect((await begin(join(root, 'a.txt'))).id).toMatch(/^chk_/);
  });

  it('cannot be kept with other names', async () => {
    writeFileSync(join(root, 'docs/one'), '1');
    linkSync(join(root, 'docs/one'), join(root, 'docs/two'));
    await expect(keepFiles(['docs/one'], root, gate.ledger)).rejects.toThrow('hard links');
  });
});
