import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatLock } from '../../src/lock/format.ts';
import { countLock, parseLock } from '../../src/lock/read.ts';
import { readLock } from '../../src/lock/read-file.ts';
import { jcs, sha } from './independent.ts';
import { lockOf, pinned, thrown, tool } from './support.ts';

const FILE = 'agentgate.lock';
const fail = (text: string) => thrown(() => parseLock(text, FILE));

const lock = lockOf({
  notes: pinned({
    tools: [tool('read', { _meta: { a: 1 } }), tool('write'), tool('10'), tool('9'), tool('__proto__')],
    prompts: [{ name: 'p', description: 'e\u0301', _meta: { b: 2 } }],
    resources: [{ uri: 'a:/', name: 'a' }],
    resourceTemplates: [{ uriTemplate: 'a:/{x}', name: 'a' }],
    instructions: 'Be kind.',
  }),
  other: pinned({}),
});
const good = formatLock(lock);

/** A lock with only the fields of the base specification. */
const seed = {
  lockfileVersion: 1,
  generatedAt: '2026-08-03T12:00:00Z',
  agentgateVersion: '0.1.0',
  servers: {
    filesystem: {
      source: { type: 'npm', package: '@modelcontextprotocol/server-filesystem', version: '2025.7.1' },
      transport: 'stdio',
      toolSurfaceHash: sha(jcs([sha('1')])),
      tools: {
        read_file: {
          hash: sha('1'),
          nameHash: sha(jcs('read_file')),
          descriptionHash: sha('2'),
          inputSchemaHash: sha('3'),
        },
      },
    },
  },
};

describe('reading a lock', () => {
  it('gives what was written', () => {
    expect(parseLock(good, FILE)).toEqual(lock);
    expect([...(parseLock(good, FILE).servers.get('notes')?.tools?.keys() ?? [])].sort()).toEqual(
      ['10', '9', '__proto__', 'read', 'write'].sort(),
    );
  });

  it('takes a BOM and CRLF', () => {
    expect(parseLock(`\uFEFF${good.replaceAll('\n', '\r\n')}`, FILE)).toEqual(lock);
  });

  it('takes a lock with the fields of the base specification only', () => {
    const read = parseLock(JSON.stringify(seed), FILE);
    const server = read.servers.get('filesystem');
    expect(server?.tools?.get('read_file')).toEqual({
      ...seed.servers.filesystem.tools.read_file,
      extra: {},
    });
    // Not pinned, unlike none.
    expect(server?.prompts).toBeUndefined();
    expect(server?.instructions).toBeUndefined();
    expect(parseLock(formatLock(read), FILE)).toEqual(read);
  });

  it('keeps unknown members of the lock, a server, a capability and the instructions', () => {
    const json = JSON.parse(good);
    json.zebra = { __proto__: 1, a: [1] };
    Object.defineProperty(json.zebra, '__proto__', { value: 2, enumerable: true });
    json.servers.notes.owner = 'team';
    json.servers.notes.tools.read.reviewedBy = ['ada'];
    json.servers.notes.prompts.p.nameHash = 'not ours here';
    json.servers.notes.instructions.note = null;
    json.servers.notes.source.mirror = 'x';
    const read = parseLock(JSON.stringify(json), FILE);
    expect(Object.keys(read.extra.zebra ?? {})).toContain('__proto__');
    expect(read.servers.get('notes')).toMatchObject({ extra: { owner: 'team' }, source: { mirror: 'x' } });
    expect(read.servers.get('notes')?.tools?.get('read')?.extra).toEqual({ reviewedBy: ['ada'] });
    const again = JSON.parse(formatLock(read));
    expect(again).toEqual(json);
  });

  it('counts what it checked', () => {
    expect(countLock(parseLock(good, FILE))).toEqual({
      servers: 2,
      tools: 5,
      prompts: 1,
      resources: 1,
      resourceTemplates: 1,
      skills: 0,
      instructions: 1,
      hashOnly: 0,
    });
    expect(countLock(parseLock(JSON.stringify(seed), FILE))).toMatchObject({
      servers: 1,
      tools: 1,
      hashOnly: 1,
    });
  });
});

describe('a lock that is refused', () => {
  it.each([
    ['<<<<<<< HEAD', 4],
    ['=======', 9],
    ['>>>>>>> theirs', 12],
    ['||||||| base', 2],
  ])('with the conflict marker %s', (marker, line) => {
    for (const end of ['\n', '\r\n']) {
      const lines = good.split('\n');
      lines.splice(line - 1, 0, marker);
      expect(fail(lines.join(end))).toMatchObject({
        code: 'E_LOCK_CONFLICT',
        place: { file: FILE, line, column: 1 },
      });
    }
  });

  it('but not for text that looks like a marker', () => {
    const marked = formatLock(lockOf({ s: pinned({ instructions: 'a\n<<<<<<< b\n=======\n' }) }));
    expect(parseLock(marked, FILE).servers.size).toBe(1);
  });

  it.each([
    ['', 1, 1],
    ['{\n  "servers": {,}\n}', 2, 15],
    ['{\n  "lockfileVersion": 1,\n', 3, 1],
    ['{"lockfileVersion": 01}', 1, 22],
    ['// a comment\n{}', 1, 1],
    ['{"a":1,}', 1, 8],
    ['[', 1, 2],
  ])('as broken JSON: %j', (text, line, column) => {
    const error = fail(text);
    expect(error).toMatchObject({ code: 'E_LOCK_SYNTAX', place: { file: FILE, line, column } });
    expect(error.message).toContain(`line ${line}, column ${column}`);
  });

  it('of another program', () => {
    const toolprint = { lockfileVersion: 1, toolprintVersion: '0.3.0', servers: { a: { tools: {} } } };
    expect(fail(JSON.stringify(toolprint)).code).toBe('E_LOCK_TOOLPRINT');
    for (const other of [
      { lockfileVersion: 1, generatedBy: 'mcp-agentgate@0.67.0', servers: {} },
      { lockfileVersion: 2, generatedBy: 'mcp-agentgate@0.70.0', servers: {} },
      { lockfileVersion: 1, servers: { a: { surfaceHash: 'ab', tools: [{ name: 'x', nameHash: 'cd' }] } } },
    ])
      expect(fail(JSON.stringify(other)).code).toBe('E_LOCK_MCP_AGENTGATE');
  });

  it('of a newer format, naming who wrote it', () => {
    const error = fail(
      JSON.stringify({ ...seed, lockfileVersion: 2, agentgateVersion: '9.1.0', servers: [] }),
    );
    expect(error.code).toBe('E_LOCK_NEWER');
    expect(error.message).toMatch(/lockfileVersion 2 .*9\.1\.0/);
  });

  const change = (edit: (json: typeof seed) => unknown): string => {
    const json = structuredClone(seed);
    edit(json);
    return JSON.stringify(json, null, 2);
  };
  const at = (path: string[], value: unknown) =>
    change((json) => {
      let target = json as unknown as { [key: string]: unknown };
      for (const key of path.slice(0, -1)) target = target[key] as typeof target;
      target[path.at(-1) ?? ''] = value;
    });
  const server = ['servers', 'filesystem'];
  it.each<[string, string, string]>([
    ['no object', '[]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['no version', at(['lockfileVersion'], undefined), 'lockfileVersion'],
    ['version 0', at(['lockfileVersion'], 0), '/lockfileVersion'],
    ['a version that is a text', at(['lockfileVersion'], '1'), '/lockfileVersion'],
    ['version 1.5', at(['lockfileVersion'], 1.5), '/lockfileVersion'],
    ['no servers', at(['servers'], undefined), 'no servers'],
    ['servers as a list', at(['servers'], []), '/servers is not an object'],
    ['a server that is no object', at(server, 'x'), '/servers/filesystem is not an object'],
    ['tools as a text', at([...server, 'tools'], 'x'), '/servers/filesystem/tools is not an object'],
    [
      'a tool without hash',
      at([...server, 'tools', 'read_file'], {}),
      '/servers/filesystem/tools/read_file has no hash',
    ],
    ['a short hash', at([...server, 'tools', 'read_file', 'hash'], 'sha256:12'), '64 lower-case'],
    ['an upper-case hash', at([...server, 'toolSurfaceHash'], sha('1').toUpperCase()), '64 lower-case'],
    [
      'a definition that is a list',
      at([...server, 'tools', 'read_file', 'definition'], []),
      'definition is not an object',
    ],
    ['a source without type', at([...server, 'source'], {}), 'source has no type'],
    [
      'launch arguments that are no texts',
      at([...server, 'launch'], { args: [1] }),
      '/launch/args is not a list of strings',
    ],
    ['instructions as a text', at([...server, 'instructions'], 'x'), 'instructions is not an object'],
    [
      'a number beyond a double',
      change(() => 0).replace('"2025.7.1"', '1e999'),
      'number that no double can hold',
    ],
    ['a lone surrogate', change(() => 0).replace('2025.7.1', '\\ud800'), 'lone surrogate'],
    [
      'a key there twice',
      change(() => 0).replace('"transport"', '"source": {"type": "npm"},\n"transport"'),
      'there twice',
    ],
    [
      'keys equal after NFC',
      change(() => 0).replace('"transport"', '"é":1,"e\\u0301":2,\n"transport"'),
      'NFC',
    ],
    ['nesting', at(['x'], JSON.parse('['.repeat(300) + ']'.repeat(300))), 'nested deeper'],
    ['endless nesting', `{"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, ''],
  ])('for %s', (_title, text, words) => {
    const error = fail(text);
    expect(error.code).toBe('E_LOCK_INVALID');
    expect(error.message).toContain(words);
    expect(error.message.length).toBeLessThan(800);
  });

  it('with the line of what is wrong', () => {
    const text = at([...server, 'tools', 'read_file', 'hash'], 5);
    const line = text.split('\n').findIndex((row) => row.includes('"read_file"')) + 1;
    expect(fail(text).place).toEqual({ file: FILE, line });
  });
});

describe('a lock edited by hand', () => {
  type Any = { [key: string]: Any } & { [key: string]: unknown };
  const edited = (edit: (notes: Any) => void): string => {
    const json = JSON.parse(good);
    edit(json.servers.notes);
    return JSON.stringify(json, null, 2);
  };
  const zero = `sha256:${'0'.repeat(64)}`;
  it.each<[string, (notes: Any) => void, string]>([
    [
      'description',
      (s) => Object.assign(s.tools?.read?.definition ?? {}, { description: 'x' }),
      'tool "read" descriptionHash',
    ],
    [
      'schema',
      (s) => Object.assign(s.tools?.read?.definition?.inputSchema ?? {}, { x: 1 }),
      'tool "read" inputSchemaHash',
    ],
    [
      'annotation',
      (s) => Object.assign(s.tools?.read?.definition ?? {}, { annotations: {} }),
      'tool "read" definitionHash',
    ],
    [
      'planted _meta',
      (s) => Object.assign(s.tools?.read?.definition ?? {}, { _meta: {} }),
      'tool "read" definitionHash',
    ],
    [
      'name',
      (s) => Object.assign(s.tools?.read?.definition ?? {}, { name: 'write' }),
      'tool "read" definition/name',
    ],
    ['key', (s) => Object.assign(s.tools ?? {}, { evil: s.tools?.read }), 'tool "evil" definition/name'],
    ['meta', (s) => Object.assign(s.tools?.read ?? {}, { meta: 1 }), 'tool "read" meta'],
    ['metaHash taken out', (s) => delete s.tools?.read?.metaHash, 'tool "read" meta'],
    ['hash', (s) => Object.assign(s.tools?.read ?? {}, { hash: zero }), 'tool "read" hash'],
    [
      'hash of a member that is not there',
      (s) => delete s.tools?.read?.definition?.description,
      'tool "read" descriptionHash',
    ],
    [
      'name of a hash-only tool',
      (s) => delete Object.assign(s.tools ?? {}, { a: { hash: zero, nameHash: zero } }).x,
      'tool "a" nameHash',
    ],
    [
      'prompt',
      (s) => Object.assign(s.prompts?.p?.definition ?? {}, { description: 'x' }),
      'prompt "p" definition',
    ],
    ['prompt meta', (s) => Object.assign(s.prompts?.p ?? {}, { meta: null }), 'prompt "p" meta'],
    [
      'resource URI',
      (s) => Object.assign(s.resources?.['a:/']?.definition ?? {}, { uri: 'b:/' }),
      'resource "a:/" definition/uri',
    ],
    [
      'template',
      (s) => Object.assign(s.resourceTemplates?.['a:/{x}']?.definition ?? {}, { name: 'b' }),
      'resourceTemplate "a:/{x}" definition',
    ],
    ['instructions', (s) => Object.assign(s.instructions ?? {}, { text: 'Be rude.' }), 'instructions text'],
    ['surface hash', (s) => Object.assign(s, { toolSurfaceHash: zero }), 'toolSurfaceHash'],
    ['a tool taken out', (s) => delete s.tools?.write, 'toolSurfaceHash'],
    ['all tools taken out', (s) => delete s.tools, 'notes: tools'],
  ])('%s', (_title, edit, words) => {
    const text = edited(edit);
    const error = fail(text);
    expect(error.code).toBe('E_LOCK_EDITED');
    expect(error.message).toContain(words);
    expect(error.place.server).toBe('notes');
    const line = Number(error.place.line);
    expect(line).toBeGreaterThan(1);
    expect(error.message).toContain(`(line ${line})`);
  });

  it('names ten entries and counts the rest', () => {
    const many = lockOf({
      s: pinned({ tools: Array.from({ length: 25 }, (_, index) => tool(`t${index}`)) }),
    });
    const error = fail(formatLock(many).replaceAll('Does t', 'Does not t'));
    expect(error.message).toContain('and 15 more');
    expect(error.message.length).toBeLessThan(1_000);
  });

  it('shows hostile names safely', () => {
    const many = lockOf({ s: pinned({ tools: [tool('a\n\u202e::error::')] }) });
    const error = fail(formatLock(many).replaceAll('Does ', 'Does not '));
    expect(error.message).toContain('⟨U+000A⟩⟨U+202E⟩');
    expect(error.message).not.toContain('\u202e');
  });

  it('is fine with another normal form where the hash is of NFC, and only there', () => {
    const prompts = good.replaceAll('"e\u0301"', '"é"').replaceAll('"e\\u0301"', '"é"');
    expect(prompts).not.toBe(good);
    expect(parseLock(prompts, FILE).servers.size).toBe(2);
    const tools = formatLock(lockOf({ s: pinned({ tools: [tool('a', { description: 'e\u0301' })] }) }));
    expect(fail(tools.replaceAll('e\u0301', 'é')).code).toBe('E_LOCK_EDITED');
  });
});

describe('a lock in a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentgate-read-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('comes with its digest', async () => {
    const path = join(folder, FILE);
    await writeFile(path, good);
    expect(await readLock(path, FILE)).toMatchObject({ lock, sha256: sha(good).slice(7) });
  });

  it.each([
    ['missing', undefined, 'E_LOCK_MISSING'],
    ['latin1', Buffer.from('{"a":"\xe9"}', 'latin1'), 'E_LOCK_ENCODING'],
    ['utf16', Buffer.from(good, 'utf16le'), 'E_LOCK_SYNTAX'],
  ])('%s', async (name, bytes, code) => {
    const path = join(folder, name);
    if (bytes !== undefined) await writeFile(path, bytes);
    await expect(readLock(path, name)).rejects.toMatchObject({ code, place: { file: name } });
  });

  it.skipIf(process.platform === 'win32')('that is a link to a device without end', async () => {
    const path = join(folder, 'endless');
    await symlink('/dev/zero', path);
    await expect(readLock(path, FILE)).rejects.toMatchObject({ code: 'E_LOCK_UNREADABLE' });
  });

  it.skipIf(process.platform === 'win32')(
    'that is a pipe: read to its end, and not waited for when nobody writes',
    async () => {
      const path = join(folder, 'pipe');
      execFileSync('mkfifo', [path]);
      await expect(readLock(path, FILE)).rejects.toMatchObject({ code: 'E_LOCK_SYNTAX' });
      const both = openSync(path, 'r+');
      const read = readLock(path, FILE);
      const small = formatLock(lockOf({ other: pinned({}) }));
      writeSync(both, small);
      setTimeout(() => closeSync(both), 50);
      expect((await read).sha256).toBe(sha(small).slice(7));
    },
  );

  it('that is a folder', async () => {
    await expect(readLock(folder, FILE)).rejects.toMatchObject({ code: 'E_LOCK_UNREADABLE' });
  });
});
