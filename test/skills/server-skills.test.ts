import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/types.ts';
import { compareServer } from '../../src/drift/compare.ts';
import { findIn } from '../../src/findings/findings.ts';
import { formatLock } from '../../src/lock/format.ts';
import { pinSurface } from '../../src/lock/pin.ts';
import { parseLock } from '../../src/lock/read.ts';
import { bytesHash } from '../../src/lock/skill-record.ts';
import type { LockedServer } from '../../src/lock/types.ts';
import { lockOf, pinOptions, surface } from '../lock/support.ts';
import { captureNode } from '../support/capture-it.ts';
import { captureScript, result } from '../support/script-it.ts';
import { type SkillProject, skillMd, skillProject } from './support.ts';

const SERVER = join(import.meta.dirname, '../support/servers/skill-server.mjs');

/** Three skills: two pages of the list. */
function catalog(): SkillProject {
  return skillProject({
    'skills/plan/SKILL.md': skillMd('plan', '# Plan\n\nThink first.\n', 'allowed-tools: Read\n'),
    'skills/plan/scripts/go.sh': '#!/bin/sh\necho go\n',
    'skills/review/SKILL.md': skillMd('review', '# Review\n'),
    'skills/write/SKILL.md': skillMd('write', '# Write\n'),
  });
}

function capture(repo: SkillProject, ...flags: string[]): Promise<Capture> {
  return captureNode([SERVER, join(repo.dir, 'skills'), ...flags]);
}

function pin(captured: Capture): { entry: LockedServer; problems: { code: string; message: string }[] } {
  if (!captured.ok) throw new Error(`${captured.error.code}: ${captured.error.message}`);
  return pinSurface(captured.surface, pinOptions);
}

describe('skills that a server of the MCP SDK offers', () => {
  test('all pages, every file read and pinned; the same again is no drift', async () => {
    const repo = catalog();
    const first = await capture(repo);
    const { entry, problems } = pin(first);
    expect(problems).toEqual([]);
    expect([...(entry.skills?.keys() ?? [])]).toEqual([
      'skill://plan/SKILL.md',
      'skill://review/SKILL.md',
      'skill://write/SKILL.md',
    ]);
    const plan = entry.skills?.get('skill://plan/SKILL.md');
    expect(plan).toMatchObject({
      definition: {
        body: '# Plan\n\nThink first.\n',
        frontmatter: { name: 'plan', description: 'Helps with plan.', 'allowed-tools': 'Read' },
      },
    });
    expect(plan?.files?.get('scripts/go.sh')).toEqual({
      hash: bytesHash('#!/bin/sh\necho go\n'),
      mode: 'file',
      size: 18,
      text: '#!/bin/sh\necho go\n',
    });
    const locked = parseLock(formatLock(lockOf({ notes: entry })), 'agentgate.lock').servers.get('notes');
    const again = pin(await capture(repo)).entry;
    expect(compareServer('notes', locked, again, { accepted: false })).toEqual({ changes: [], info: [] });
  });

  test('a changed file is shown in words', async () => {
    const repo = catalog();
    const before = pin(await capture(repo)).entry;
    repo.write({ 'skills/plan/scripts/go.sh': '#!/bin/sh\necho gone\n' });
    const { changes } = compareServer('notes', before, pin(await capture(repo)).entry, { accepted: false });
    expect(changes).toMatchObject([
      {
        kind: 'skill',
        name: 'skill://plan/SKILL.md',
        fields: [
          { pointer: '/files/scripts~1go.sh', class: 'text-changed', after: '#!/bin/sh\necho gone\n' },
        ],
      },
    ]);
  });

  test('dynamic: pinned by its entry, and a finding says that this is all', async () => {
    const { entry, problems } = pin(await capture(catalog(), '--dynamic'));
    expect(problems).toEqual([]);
    const plan = entry.skills?.get('skill://plan/SKILL.md');
    expect(plan?.definition).toMatchObject({ resources: 'dynamic', frontmatter: { name: 'plan' } });
    expect(plan?.bundleHash).toBeUndefined();
    const found = findIn(new Map([['notes', entry]]), []).filter(({ rule }) => rule === 'AG-SK-005');
    expect(found.map(({ name, severity }) => [name, severity])).toEqual([
      ['skill://plan/SKILL.md', 'low'],
      ['skill://review/SKILL.md', 'low'],
      ['skill://write/SKILL.md', 'low'],
    ]);
  });

  test('from digests to dynamic is drift', async () => {
    const repo = catalog();
    const before = pin(await capture(repo)).entry;
    const after = pin(await capture(repo, '--dynamic')).entry;
    const { changes } = compareServer('notes', before, after, { accepted: false });
    const skills = changes.filter(({ kind }) => kind === 'skill');
    expect(skills).toHaveLength(3);
    expect(skills[0]?.fields.map(({ pointer }) => pointer).sort()).toEqual(['/body', '/files', '/resources']);
  });

  test.each([
    ['digest', 'E_SKILL_DIGEST', '/resources/0/digest is not the digest of the file that the server gives'],
    ['size', 'E_SKILL_DIGEST', '/resources/0/size is not the size of the file that the server gives'],
    ['frontmatter', 'E_SKILL_FRONTMATTER', '/frontmatter/description is not what the front matter'],
  ])('a claim that is not true (%s) makes it unpinnable', async (lie, code, message) => {
    const { problems } = pin(await capture(catalog(), `--lie=${lie}`));
    expect(problems).toMatchObject([{ code }, { code }, { code }]);
    expect(problems[0]?.message).toContain(message);
  });
});

describe('what else a server may answer', () => {
  const init = result(
    '{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"io.modelcontextprotocol/skills":{}}},"serverInfo":{"name":"s","version":"1"}}',
  );
  const asked = (answers: { [method: string]: string[][] }) =>
    captureScript({ answers: { initialize: [[init]], ...answers } });
  const file = (text: string) => ({ digest: bytesHash(text), size: Buffer.byteLength(text) });
  const SKILL_MD = '---\nname: a\ndescription: A.\n---\nbody';
  const entry = {
    uri: 'skill://a/SKILL.md',
    frontmatter: { name: 'a', description: 'A.' },
    resources: [{ uri: 'skill://a/SKILL.md', ...file(SKILL_MD) }],
  };

  test('a server that does not declare the extension is not asked', async () => {
    const { sent } = await captureScript({});
    expect(sent.some(({ method }) => method === 'skills/list')).toBe(false);
  });

  test('the method is missing: no skills', async () => {
    const { capture: captured } = await asked({});
    expect(pin(captured).entry.skills).toEqual(new Map());
  });

  test('a file is read once, and its URI goes with the request', async () => {
    const skills = JSON.stringify({ skills: [entry, { ...entry, uri: 'skill://a/b/SKILL.md' }] });
    const read = JSON.stringify({ contents: [{ uri: entry.uri, text: SKILL_MD }] });
    const { sent } = await asked({ 'skills/list': [[result(skills)]], 'resources/read': [[result(read)]] });
    const reads = sent.filter(({ method }) => method === 'resources/read');
    expect(reads.map(({ params }) => params)).toEqual([{ uri: entry.uri }]);
  });

  test.each([
    ['an error', '"error":{"code":-32602,"message":"no such file"}', 'E_SKILL_READ'],
    ['two contents', '"result":{"contents":[{"text":"a"},{"text":"b"}]}', 'E_SKILL_READ'],
    ['no base64', '"result":{"contents":[{"blob":"a b c"}]}', 'E_SKILL_READ'],
    ['a key twice', '"result":{"contents":[{"text":"a","text":"b"}]}', 'E_UNPINNABLE'],
  ])('reading a file gives %s', async (_, body, code) => {
    const { capture: captured } = await asked({
      'skills/list': [[result(JSON.stringify({ skills: [entry] }))]],
      'resources/read': [[`{"jsonrpc":"2.0","id":$ID,${body}}\n`]],
    });
    expect(captured).toMatchObject({ ok: false, error: { code } });
  });

  test.each([
    [
      'more than 512 files',
      Array.from({ length: 513 }, (_, i) => ({ uri: `skill://a/${i}`, size: 1 })),
      'E_TOO_MANY',
    ],
    ['more than 16 MiB', [{ uri: entry.uri, size: 16 * 1024 * 1024 + 1 }], 'E_TOO_LARGE'],
  ])('%s are not even read', async (_, resources, code) => {
    const { capture: captured, sent } = await asked({
      'skills/list': [[result(JSON.stringify({ skills: [{ ...entry, resources }] }))]],
    });
    expect(captured).toMatchObject({ ok: false, error: { code } });
    expect(sent.some(({ method }) => method === 'resources/read')).toBe(false);
  });

  test('an error of the list makes the server unchecked', async () => {
    const { capture: captured } = await asked({
      'skills/list': [['{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"later"}}\n']],
    });
    expect(captured).toMatchObject({ ok: false, error: { code: 'E_LIST' } });
  });

  const bytes = new Map([[entry.uri, Buffer.from(SKILL_MD)]]);
  const listed = (...skills: { entry: object; files?: Map<string, Uint8Array> }[]) =>
    pinSurface(surface({ skills: skills.map((one) => ({ files: bytes, ...one }) as never) }), pinOptions);

  test.each([
    ['no object', 4, 'E_NOT_AN_OBJECT'],
    ['a URI of another file', { ...entry, uri: 'skill://a/README.md' }, 'E_SKILL_URI'],
    ['no URI', { ...entry, uri: undefined }, 'E_SKILL_URI'],
    ['no resources', { ...entry, resources: undefined }, 'E_SKILL_RESOURCES'],
    ['other resources', { ...entry, resources: 'static' }, 'E_SKILL_RESOURCES'],
    ['resources without SKILL.md', { ...entry, resources: [] }, 'E_SKILL_RESOURCES'],
    ['front matter that is a text', { ...entry, frontmatter: 'name: a' }, 'E_SKILL_FRONTMATTER'],
    [
      'a file of another skill',
      { ...entry, resources: [...entry.resources, { uri: 'skill://b/x', ...file('') }] },
      'E_SKILL_URI',
    ],
    ['a file twice', { ...entry, resources: [...entry.resources, ...entry.resources] }, 'E_SKILL_URI'],
    [
      'a way out',
      { ...entry, resources: [...entry.resources, { uri: 'skill://a/../b/x', ...file('') }] },
      'E_SKILL_URI',
    ],
    [
      'allowed-tools that only SKILL.md lacks',
      { ...entry, frontmatter: { ...entry.frontmatter, 'allowed-tools': 'Bash' } },
      'E_SKILL_FRONTMATTER',
    ],
  ])('an entry with %s cannot be pinned', (_, bad, code) => {
    const { entry: pinned, problems } = listed({ entry: bad as object });
    expect(problems).toMatchObject([{ code, kind: 'skill' }]);
    expect(pinned.skills?.size).toBe(0);
  });

  test('one URI twice: neither is pinned', () => {
    const { entry: pinned, problems } = listed({ entry }, { entry });
    expect(problems).toMatchObject([{ code: 'E_DUPLICATE_NAME', name: entry.uri }]);
    expect(pinned.skills?.size).toBe(0);
  });

  test('members that no release knows are pinned, `_meta` apart, host paths masked', () => {
    const text = '---\nname: a\ndescription: A.\n---\nLook into /home/ada/project/src.';
    const more = {
      ...entry,
      priority: 1,
      _meta: { hidden: true },
      resources: [{ ...entry.resources[0], ...file(text), role: 'main' }],
    };
    const { entry: pinned, problems } = listed({
      entry: more,
      files: new Map([[entry.uri, Buffer.from(text)]]),
    });
    expect(problems).toEqual([]);
    const record = pinned.skills?.get(entry.uri);
    expect(record).toMatchObject({
      definition: {
        priority: 1,
        body: 'Look into ${CWD}/src.',
        resources: [{ uri: entry.uri, role: 'main' }],
      },
      meta: { hidden: true },
      masked: ['CWD'],
    });
    expect(() => parseLock(formatLock(lockOf({ notes: pinned })), 'agentgate.lock')).not.toThrow();
  });
});
