import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLock } from '../../src/lock/find.ts';
import { formatLock } from '../../src/lock/format.ts';
import { lockLines } from '../../src/lock/lines.ts';
import { lockOf, pinned, tool } from './support.ts';

describe('lines', () => {
  const names = ['read', '10', '__proto__', 'a"b\\c', 'x\u200by', 'servers', 'tools'];
  const text = formatLock(
    lockOf({
      s: pinned({
        tools: names.map((name) =>
          tool(name, { decoy: { servers: { s: { tools: { read: 1 } } } }, list: [{ read: {} }] }),
        ),
        prompts: [{ name: 'read' }],
        instructions: '"tools": {\n"read": {',
      }),
      tools: pinned({}),
    }),
  );

  it.each([
    ['as written', text],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['with a BOM', `\uFEFF${text}`],
    ['indented by tabs', text.replace(/^ +/gm, (spaces) => '\t'.repeat(spaces.length / 2))],
  ])('are those of the members, %s', (_title, written) => {
    const lines = lockLines(written);
    const rows = written.split('\n');
    const row = (line: number | undefined): string => (rows[(line ?? 0) - 1] ?? '').trim();
    expect(row(lines.server('s'))).toBe('"s": {');
    expect(row(lines.server('tools'))).toBe('"tools": {');
    for (const name of names) {
      const line = lines.capability('s', 'tool', name);
      expect(row(line)).toBe(`${JSON.stringify(name).replace('\u200b', '\\u200b')}: {`);
      // Inside the tools of s, not in a decoy.
      expect(line).toBeGreaterThan(lines.at(['servers', 's', 'tools']) ?? 0);
      expect(line).toBeLessThan(lines.at(['servers', 's', 'transport']) ?? 0);
    }
    expect(row(lines.capability('s', 'prompt', 'read'))).toBe('"read": {');
    expect(lines.capability('s', 'prompt', 'read')).toBeLessThan(lines.capability('s', 'tool', 'read') ?? 0);
    expect(row(lines.capability('s', 'instructions', ''))).toBe('"instructions": {');
    expect(lines.capability('s', 'server', '')).toBe(lines.server('s'));
  });

  it('are unknown for what is not there; `at` gives the nearest', () => {
    const lines = lockLines(text);
    expect(lines.server('nobody')).toBeUndefined();
    expect(lines.capability('s', 'tool', 'nobody')).toBeUndefined();
    expect(lines.at(['servers', 's', 'tools', 'nobody', 'x'])).toBe(lines.at(['servers', 's', 'tools']));
    expect(lines.at([])).toBeUndefined();
  });

  it('are right on one line, and survive what is no JSON', () => {
    expect(lockLines('{"servers":{"a":{"tools":{"t":{}}}}}').capability('a', 'tool', 't')).toBe(1);
    for (const broken of ['', '{', '"', '[{"servers":1}]', '{"servers":{"a"', ']]}}', '{"\\u12":{"a":1}}'])
      expect(lockLines(broken).capability('a', 'tool', 't')).toBeUndefined();
  });
});

describe('the nearest lock', () => {
  let root: string;
  const put = async (path: string): Promise<string> => {
    const full = join(root, path);
    await mkdir(join(full, '..'), { recursive: true });
    await writeFile(full, '{}');
    return full;
  };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'agentgate-find-'));
    await put('agentgate.lock');
    await put('repo/.git/HEAD');
    await put('repo/src/deep/er/x');
    await put('repo/part/agentgate.lock');
    await put('repo/part/a/b/x');
    await put('repo/folder/agentgate.lock/x');
    await put('worktree/.git');
    await put('worktree/a/x');
    await put('plain/a/b/x');
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ['repo/part/a/b', 'repo/part/agentgate.lock'],
    ['repo/part', 'repo/part/agentgate.lock'],
    ['plain/a/b', 'agentgate.lock'],
    ['plain/not/there', 'agentgate.lock'],
    ['repo/src/deep/er', undefined],
    ['repo', undefined],
    ['repo/folder', undefined],
    ['worktree/a', undefined],
  ])('from %s: %s', async (from, expected) => {
    expect(await findLock(join(root, from))).toBe(expected && join(root, expected));
  });

  it('is the one beside .git too', async () => {
    const path = await put('repo/agentgate.lock');
    expect(await findLock(join(root, 'repo/src/deep'))).toBe(path);
  });
});
