import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatJson, formatLock } from '../../src/lock/format.ts';
import { pinSurface } from '../../src/lock/pin.ts';
import { parseLock } from '../../src/lock/read.ts';
import type { Lock } from '../../src/lock/types.ts';
import { isSameContent, lockTime, mergeLock, writeLock } from '../../src/lock/write.ts';
import { hasHidden } from '../../src/util/hidden.ts';
import { type Json, type JsonObject, setOwn } from '../../src/util/json.ts';
import { jcs } from './independent.ts';
import { lockOf, NOW, pinned, pinOptions, surface, tool } from './support.ts';

const vectors = JSON.parse(readFileSync(new URL('../vectors/format.json', import.meta.url), 'utf8')) as {
  vectors: { name: string; input: string; text: string }[];
};

describe('the text of a lock', () => {
  it.each(vectors.vectors)('vector: $name', ({ input, text }) => {
    expect(formatJson(JSON.parse(input) as Json)).toBe(text);
  });

  it('has the members of the specification, in order', () => {
    const lock = lockOf({
      b: pinned({ tools: [tool('x', { _meta: {} })], instructions: 'i' }),
      a: pinned({}),
    });
    const text = formatLock(lock);
    expect(
      text.startsWith(
        '{\n  "agentgateVersion": "0.1.0",\n  "generatedAt": "2026-11-29T12:00:00Z",\n  "lockfileVersion": 1,\n  "servers": {\n    "a": {',
      ),
    ).toBe(true);
    expect(text.endsWith('}\n')).toBe(true);
    const server = JSON.parse(text).servers.b;
    expect(Object.keys(server)).toEqual([
      'config',
      'instructions',
      'launch',
      'prompts',
      'protocolVersion',
      'resourceTemplates',
      'resources',
      'skills',
      'source',
      'toolSurfaceHash',
      'tools',
      'transport',
    ]);
    expect(Object.keys(server.tools.x)).toEqual([
      'definition',
      'definitionHash',
      'descriptionHash',
      'hash',
      'inputSchemaHash',
      'meta',
      'metaHash',
      'nameHash',
    ]);
  });

  it('orders names that JavaScript would reorder, and keeps those that it would lose', () => {
    const names = ['a', '10', '9', '__proto__', 'constructor', 'toString', 'Z'];
    const entry = pinned({ tools: names.map((name) => tool(name)) });
    const servers = new Map(names.map((name) => [name, entry]));
    const lock = mergeLock(undefined, servers, { keep: [], version: '0.1.0', now: NOW });
    const text = formatLock(lock);
    const written = [...text.matchAll(/^ {4}"(.*?)": \{$/gm)].map((match) => match[1]);
    expect(written).toEqual(['10', '9', 'Z', '__proto__', 'a', 'constructor', 'toString']);
    expect(parseLock(text, 'x')).toEqual(lock);
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 20 });
  const hiddenText = fc.string({
    unit: fc.constantFrom(
      'a',
      'é',
      '\u200b',
      '\u202e',
      '\u2028',
      '\ufeff',
      '\u{e0041}',
      '\ufe0f',
      '⚙',
      '\u0000',
      '\u009b',
      '\n',
      '"',
    ),
    maxLength: 12,
  });
  const texts = fc.oneof(anyText, hiddenText);
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      texts,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.oneof(texts, fc.constantFrom('__proto__', '10', '9')), tie('value')), {
          maxLength: 4,
        })
        .map((entries) => {
          const object: JsonObject = {};
          for (const [key, value] of entries) setOwn(object, key, value);
          return object;
        }),
    ),
  })).value;

  it('holds any definition, reads back equal, and never shows a hidden character raw', () => {
    fc.assert(
      fc.property(texts, json, json, json, texts, (name, schema, odd, meta, instructions) => {
        const definition = { name, inputSchema: schema, odd, _meta: meta };
        const { entry, problems } = pinSurface(surface({ tools: [definition], instructions }), pinOptions);
        // Random keys of one object can be equal after NFC; the tests of pinning are about that.
        fc.pre(problems.length === 0);
        const lock = lockOf({ [`s${name}`]: entry });
        const text = formatLock(lock);
        const read = parseLock(text, 'x');
        expect(formatLock(read)).toBe(text);
        const record = read.servers.get(`s${name}`)?.tools?.get(name);
        expect(jcs(record?.definition ?? null)).toBe(jcs({ name, inputSchema: schema, odd }));
        expect(hasHidden(text)).toBe(false);
        expect(formatLock(parseLock(text.replaceAll('\n', '\r\n'), 'x'))).toBe(text);
      }),
    );
  });
});

describe('the new lock', () => {
  const first = lockOf({
    kept: pinned({ tools: [tool('a')] }),
    redone: pinned({ tools: [tool('a'), tool('b')], instructions: 'old' }),
    gone: pinned({}),
  });
  const withExtras: Lock = { ...first, extra: { team: 'x' } };
  const redone = withExtras.servers.get('redone');
  if (redone) {
    redone.extra = { owner: 'ada' };
    for (const record of redone.tools?.values() ?? []) record.extra = { reviewedBy: 'ada' };
    if (redone.instructions) redone.instructions.extra = { seen: true };
  }
  const merged = mergeLock(
    withExtras,
    new Map([
      ['redone', pinned({ tools: [tool('a', { title: 'new' }), tool('c')], instructions: 'new' })],
      ['fresh', pinned({})],
    ]),
    { keep: ['kept', 'never-there'], version: '0.2.0', now: NOW },
  );

  it('keeps failed servers, takes fresh ones, drops what is not declared', () => {
    expect([...merged.servers.keys()].sort()).toEqual(['fresh', 'kept', 'redone']);
    expect(merged.servers.get('kept')).toEqual(first.servers.get('kept'));
    expect([...(merged.servers.get('redone')?.tools?.keys() ?? [])]).toEqual(['a', 'c']);
    expect(merged).toMatchObject({
      agentgateVersion: '0.2.0',
      generatedAt: '2026-11-29T12:00:00Z',
      lockfileVersion: 1,
    });
  });

  it('keeps unknown members of what is still there', () => {
    expect(merged.extra).toEqual({ team: 'x' });
    expect(merged.servers.get('redone')).toMatchObject({
      extra: { owner: 'ada' },
      instructions: { text: 'new', extra: { seen: true } },
    });
    expect(merged.servers.get('redone')?.tools?.get('a')).toMatchObject({
      definition: { title: 'new' },
      extra: { reviewedBy: 'ada' },
    });
    expect(merged.servers.get('redone')?.tools?.get('c')?.extra).toEqual({});
  });

  it('is the same content whenever and by whatever release it is written', () => {
    expect(isSameContent(first, { ...first, generatedAt: 'later', agentgateVersion: '9' })).toBe(true);
    expect(isSameContent(first, { ...first, extra: { a: 1 } })).toBe(false);
    expect(isSameContent(first, merged)).toBe(false);
  });
});

describe('writing the file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentgate-write-'));
    path = join(folder, 'agentgate.lock');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const lock = lockOf({ s: pinned({ tools: [tool('a')] }) });

  it('writes once, and then nothing for another date or release', async () => {
    expect(await writeLock(path, lock)).toEqual({ written: true });
    await utimes(path, 1_000_000, 1_000_000);
    const later = { ...lock, generatedAt: '2030-01-01T00:00:00Z', agentgateVersion: '9.9.9' };
    expect(await writeLock(path, later)).toEqual({ written: false });
    expect(await readFile(path, 'utf8')).toBe(formatLock(lock));
    expect((await stat(path)).mtimeMs).toBe(1_000_000_000);
    const changed = lockOf({ s: pinned({ tools: [tool('b')] }) });
    expect(await writeLock(path, changed)).toEqual({ written: true });
    expect(await readFile(path, 'utf8')).toBe(formatLock(changed));
    expect(await readdir(folder)).toEqual(['agentgate.lock']);
  });

  it('never undoes what another run has written meanwhile, be it in the last moment', async () => {
    const [other, mine] = ['b', 'c'].map((name) => lockOf({ s: pinned({ tools: [tool(name)] }) }));
    if (!other || !mine) throw new Error('no locks');
    const refused = { code: 'E_LOCK_CHANGED' };
    await writeLock(path, lock);
    await expect(writeLock(path, mine, null)).rejects.toMatchObject(refused);
    const known = { lock, sha256: createHash('sha256').update(formatLock(lock)).digest('hex') };
    await writeLock(path, other);
    await expect(writeLock(path, mine, known)).rejects.toMatchObject(refused);
    expect(await writeLock(path, other, known)).toEqual({ written: false });
    await writeFile(path, formatLock(lock));
    const late = { ...mine, extra: {} };
    // Read when the file is formatted: by then the other run is done.
    Object.defineProperty(late, 'extra', {
      get: () => {
        writeFileSync(path, formatLock(other));
        return {};
      },
    });
    await expect(writeLock(path, late, known)).rejects.toMatchObject(refused);
    expect(await readFile(path, 'utf8')).toBe(formatLock(other));
    expect(await readdir(folder)).toEqual(['agentgate.lock']);
  });

  it('leaves a CRLF checkout of the same content alone', async () => {
    const crlf = formatLock(lock).replaceAll('\n', '\r\n');
    await writeFile(path, crlf);
    expect(await writeLock(path, lock)).toEqual({ written: false });
    expect(await readFile(path, 'utf8')).toBe(crlf);
  });

  it.each([
    ['{"lockfileVersion":1,"toolprintVersion":"0.3.0","servers":{}}', 'E_LOCK_TOOLPRINT'],
    ['{"lockfileVersion":9,"servers":{}}', 'E_LOCK_NEWER'],
    ['mine', 'E_LOCK_SYNTAX'],
  ])('never overwrites what it cannot read: %s', async (text, code) => {
    await writeFile(path, text);
    await expect(writeLock(path, lock)).rejects.toMatchObject({ code });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('leaves the old file, and nothing else, when it cannot write', async () => {
    await mkdir(path);
    await expect(writeLock(path, lock)).rejects.toMatchObject({ code: 'E_LOCK_UNREADABLE' });
    await expect(writeLock(join(folder, 'no', 'such', 'folder', 'x.lock'), lock)).rejects.toMatchObject({
      code: 'E_LOCK_WRITE',
      message: expect.stringMatching(/x\.lock cannot be written \(ENOENT\) and is as it was: check/),
    });
    expect(await readdir(folder)).toEqual(['agentgate.lock']);
  });
});

describe('the clock', () => {
  it('honours SOURCE_DATE_EPOCH', () => {
    expect(lockTime({ SOURCE_DATE_EPOCH: '1' }).toISOString()).toBe('1970-01-01T00:00:01.000Z');
    expect(lockTime({ SOURCE_DATE_EPOCH: '253402300799' }).getUTCFullYear()).toBe(9999);
  });

  it.each(['x', '-1', '1.5', '1e3', ' 1', '999999999999'])('refuses %j', (value) => {
    expect(() => lockTime({ SOURCE_DATE_EPOCH: value })).toThrow('SOURCE_DATE_EPOCH');
  });

  it('is now without it', () => {
    const before = Date.now();
    expect(lockTime({ SOURCE_DATE_EPOCH: '' }).getTime()).toBeGreaterThanOrEqual(before);
    expect(lockTime({}).getTime()).toBeGreaterThanOrEqual(before);
  });
});
