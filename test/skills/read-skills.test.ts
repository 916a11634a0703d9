import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatLock } from '../../src/lock/format.ts';
import { parseLock } from '../../src/lock/read.ts';
import { findSkillsFolders } from '../../src/skills/find-folders.ts';
import { leavesFolder } from '../../src/skills/link.ts';
import { pinSkillsFolder } from '../../src/skills/pin-skills.ts';
import { readSkillsFolder } from '../../src/skills/read-skills.ts';
import { lockOf } from '../lock/support.ts';
import { type SkillProject, skillMd, skillProject } from './support.ts';

const FOLDER = '.claude/skills';

async function pin(repo: SkillProject, folder = FOLDER) {
  return pinSkillsFolder(folder, await readSkillsFolder(repo.dir, folder));
}

async function refused(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  return await work.then(
    () => expect.fail('nothing was refused'),
    (error) => error,
  );
}

describe('the folders that are looked at', () => {
  test('every client’s, at the root, deeper, and those of plugins', async () => {
    const repo = skillProject({
      '.claude/skills/a/SKILL.md': skillMd('a', ''),
      '.agents/skills/b/SKILL.md': skillMd('b', ''),
      'packages/api/.cursor/skills/c/SKILL.md': skillMd('c', ''),
      'tools/plugin/.claude-plugin/plugin.json': '{}',
      'tools/plugin/skills/d/SKILL.md': skillMd('d', ''),
      'skills/e/SKILL.md': skillMd('e', ''),
      'node_modules/x/.claude/skills/f/SKILL.md': skillMd('f', ''),
    });
    expect(await findSkillsFolders(repo.dir, undefined)).toEqual([
      '.agents/skills',
      '.claude/skills',
      'packages/api/.cursor/skills',
      'tools/plugin/skills',
    ]);
    expect(await findSkillsFolders(repo.dir, ['skills', './skills/'])).toEqual(['skills']);
    expect(await findSkillsFolders(join(repo.dir, 'packages'), ['.'])).toEqual(['.']);
  });

  test('one that is not there, and one outside', async () => {
    const repo = skillProject();
    expect(await refused(findSkillsFolders(repo.dir, ['none']))).toMatchObject({ code: 'E_SKILLS_MISSING' });
    expect(await refused(findSkillsFolders(repo.dir, ['..']))).toMatchObject({ code: 'E_SKILLS_OUTSIDE' });
    mkdirSync(join(repo.home, 'elsewhere/skills'), { recursive: true });
    repo.link('away', '../elsewhere');
    expect(await refused(findSkillsFolders(repo.dir, ['away/skills']))).toMatchObject({
      code: 'E_SKILLS_OUTSIDE',
    });
    repo.link('.codex', '../elsewhere');
    expect(await refused(findSkillsFolders(repo.dir, undefined))).toMatchObject({ code: 'E_SKILLS_OUTSIDE' });
  });
});

describe('a skills folder', () => {
  test('its skills by their folder, nested ones too, with all their files', async () => {
    const repo = skillProject();
    repo.write({
      '.claude/skills/team/plan/SKILL.md': skillMd('plan', 'body'),
      '.claude/skills/team/README.md': 'no skill',
      '.claude/skills/lower/skill.md': skillMd('lower', 'no skill'),
      '.claude/skills/report/.hidden': 'seen',
    });
    const entry = await pin(repo);
    expect([...(entry.skills?.keys() ?? [])]).toEqual(['report', 'team/plan']);
    const files = entry.skills?.get('report')?.files;
    expect([...(files?.keys() ?? [])]).toEqual([
      '.hidden',
      'SKILL.md',
      'references/format.md',
      'scripts/build.sh',
    ]);
    expect(entry).toMatchObject({ transport: 'skills', source: { type: 'local', path: FOLDER } });
  });

  test('what is not looked into is said', async () => {
    const repo = skillProject();
    repo.write({
      '.claude/skills/report/node_modules/x/index.js': '1',
      '.claude/skills/report/.git/HEAD': '1',
    });
    const found = await readSkillsFolder(repo.dir, FOLDER);
    expect(found.notes).toEqual([
      '.claude/skills/report/.git is not pinned',
      '.claude/skills/report/node_modules is not pinned',
    ]);
    expect([...(found.skills[0]?.files.keys() ?? [])]).not.toContain('.git/HEAD');
  });

  test('modes, links, and texts up to a bound', async () => {
    const repo = skillProject();
    repo.mode('.claude/skills/report/scripts/build.sh', 0o755);
    repo.link('.claude/skills/report/run', 'scripts/build.sh');
    repo.bytes('.claude/skills/report/logo.png', Uint8Array.of(0x89, 0x50, 0, 1));
    repo.write({ '.claude/skills/report/long.txt': 'x'.repeat(200_000) });
    const files = (await pin(repo)).skills?.get('report')?.files;
    expect(files?.get('scripts/build.sh')).toMatchObject({
      mode: 'executable',
      text: '#!/bin/sh\necho building\n',
    });
    expect(files?.get('run')).toEqual({ hash: expect.any(String), mode: 'link', link: 'scripts/build.sh' });
    expect(files?.get('logo.png')).toEqual({ hash: expect.any(String), mode: 'file', size: 4 });
    expect(files?.get('long.txt')).toEqual({ hash: expect.any(String), mode: 'file', size: 200_000 });
    expect(files?.get('SKILL.md')).toMatchObject({
      head: expect.stringContaining('name: report'),
      mode: 'file',
    });
  });

  test('any byte, any mode, any name moves the hash over the bundle, and nothing else does', async () => {
    const repo = skillProject();
    const hash = async (): Promise<string | undefined> => (await pin(repo)).skills?.get('report')?.bundleHash;
    const seen = [await hash()];
    expect(await hash()).toBe(seen[0]);
    repo.write({ '.claude/skills/report/scripts/build.sh': '#!/bin/sh\necho buildinG\n' });
    seen.push(await hash());
    repo.mode('.claude/skills/report/scripts/build.sh', 0o755);
    seen.push(await hash());
    repo.link('.claude/skills/report/run', 'scripts/build.sh');
    seen.push(await hash());
    repo.write({ '.claude/skills/report/empty': '' });
    seen.push(await hash());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a skill that is shared by a link is read where it leads', async () => {
    const repo = skillProject({ '.agents/skills/shared/SKILL.md': skillMd('shared', 'once') });
    repo.link('.claude/skills/shared', '../../.agents/skills/shared');
    const record = (await pin(repo)).skills?.get('shared');
    expect(record?.files?.get('.')).toMatchObject({ mode: 'link', link: '.agents/skills/shared' });
    expect(record?.definition).toMatchObject({ body: 'once' });
  });
});

describe('what is refused, naming the file', () => {
  const file = '.claude/skills/report';
  test.each([
    ['out by ..', `${file}/run`, '../../../secret'],
    ['an absolute link', `${file}/run`, '/etc/passwd'],
    ['out of a deeper folder', `${file}/scripts/run`, '../../other/x'],
    ['.. behind a name', `${file}/run`, 'scripts/../scripts/build.sh'],
    ['home', `${file}/run`, '~/x'],
  ])('a link that leaves the skill: %s', async (_, path, target) => {
    const repo = skillProject();
    repo.link(path, target);
    const error = await refused(pin(repo));
    expect(error.code).toBe('E_SKILL_LINK');
    expect(error.message).toContain(path);
    expect(error.message).toContain(target);
  });

  test('a shared skill that leaves the repository', async () => {
    const repo = skillProject();
    mkdirSync(join(repo.home, 'elsewhere'));
    repo.link('.claude/skills/away', '../../../elsewhere');
    const error = await refused(pin(repo));
    expect(error.code).toBe('E_SKILL_LINK');
    expect(error.message).toContain('.claude/skills/away is a link that leaves the working directory');
  });

  test('a SKILL.md that is a link', async () => {
    const repo = skillProject();
    repo.link('.claude/skills/other/SKILL.md', 'real.md');
    repo.write({ '.claude/skills/other/real.md': skillMd('other', '') });
    expect(await refused(pin(repo))).toMatchObject({ code: 'E_SKILL_LINK' });
  });

  test('bad YAML, with its line', async () => {
    const repo = skillProject();
    repo.write({ '.claude/skills/bad/SKILL.md': '---\nname: a\nname: b\n---\n' });
    const error = await refused(pin(repo));
    expect(error.code).toBe('E_SKILL_YAML');
    expect(error.message).toContain('.claude/skills/bad/SKILL.md has the key "name" twice');
    expect(error.message).toContain('(line 3, column 1)');
  });

  test.each([
    ['a number that is not finite', '---\nname: a\nx: .inf\n---\n', 'E_NUMBER'],
    ['two keys equal after NFC', '---\n"\u00e9": 1\n"e\u0301": 2\n---\n', 'E_KEYS_EQUAL'],
  ])('%s', async (_, text, code) => {
    const repo = skillProject({ '.claude/skills/bad/SKILL.md': text });
    expect(await refused(pin(repo))).toMatchObject({ code });
  });

  test('what no lock can hold: names that are equal after NFC; such texts are kept by their hash', async () => {
    const repo = skillProject();
    repo.write({ [`${file}/marks.txt`]: `a${'\u0301'.repeat(2_000)}` });
    const entry = await pin(repo);
    expect(entry.skills?.get('report')?.files?.get('marks.txt')).not.toHaveProperty('text');
    expect(() =>
      parseLock(formatLock(lockOf({ [`skills:${FOLDER}`]: entry })), 'agentgate.lock'),
    ).not.toThrow();
    repo.write({ [`${file}/\u00e9`]: '', [`${file}/e\u0301`]: '' });
    expect(await refused(pin(repo))).toMatchObject({ code: 'E_KEYS_EQUAL' });
  });

  test('a SKILL.md that is no UTF-8', async () => {
    const repo = skillProject();
    repo.bytes('.claude/skills/bad/SKILL.md', Uint8Array.of(0x2d, 0xff));
    expect(await refused(pin(repo))).toMatchObject({ code: 'E_SKILL_ENCODING' });
  });

  test.skipIf(process.platform === 'win32')('a pipe, which is not waited for', async () => {
    const repo = skillProject();
    expect(spawnSync('mkfifo', [join(repo.dir, file, 'pipe')]).status).toBe(0);
    expect(await refused(pin(repo))).toMatchObject({
      code: 'E_SKILL_FILE',
      message: `${file}/pipe is no regular file; remove it.`,
    });
  });

  test('too many files, too many bytes, too deep', async () => {
    const many = skillProject();
    many.write(Object.fromEntries(Array.from({ length: 512 }, (_, i) => [`${file}/data/${i}`, ''])));
    expect(await refused(pin(many))).toMatchObject({ code: 'E_SKILL_LARGE' });
    const large = skillProject();
    large.bytes(`${file}/a`, new Uint8Array(9 * 1024 * 1024));
    large.bytes(`${file}/b`, new Uint8Array(9 * 1024 * 1024));
    expect(await refused(pin(large))).toMatchObject({ code: 'E_SKILL_LARGE' });
    const deep = skillProject({ [`${file}/SKILL.md`]: '', [`${file}/1/2/3/4/5/6/x`]: '' });
    expect((await pin(deep)).skills?.size).toBe(1);
    deep.write({ [`${file}/1/2/3/4/5/6/7/x`]: '' });
    expect(await refused(pin(deep))).toMatchObject({ code: 'E_SKILL_DEEP' });
  });
});

test.each([
  ['run', 'scripts/x', false],
  ['a/run', '../scripts/x', false],
  ['a/run', '../../x', true],
  ['a/run', 'b/../../x', true],
  ['run', './x/./y', false],
  ['run', '..\\x', true],
  ['run', 'C:/x', true],
  ['run', '', true],
])('a link at %s to %s leaves: %s', (path, target, leaves) => {
  expect(leavesFolder(path, target)).toBe(leaves);
});
