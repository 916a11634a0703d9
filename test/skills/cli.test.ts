import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Report, reportSchema } from '../../src/report/model.ts';
import { type Ran, twoServers } from '../cli/support.ts';
import { oneSkill, type SkillProject, skillMd, skillProject } from './support.ts';

const KEY = 'skills:.claude/skills';

async function ci(repo: SkillProject, ...args: string[]): Promise<Report> {
  const ran = await repo.run(['ci', '--isolation', 'none', '--format', 'json', ...args]);
  return reportSchema.parse(JSON.parse(ran.stdout));
}

function lock(repo: SkillProject, ...args: string[]): Promise<Ran> {
  return repo.run(['lock', '--isolation', 'none', '--starts', '1', ...args]);
}

function keys(repo: SkillProject): string[] {
  return Object.keys(JSON.parse(repo.read('agentgate.lock')).servers);
}

describe('a repository with skills only', () => {
  test('locked, checked, drifted, accepted', async () => {
    const repo = skillProject();
    expect((await lock(repo, '--skills')).code).toBe(0);
    expect(keys(repo)).toEqual([KEY]);
    expect((await repo.run(['verify'])).stdout).toContain('1 capability');
    const clean = await ci(repo, '--skills');
    expect(clean).toMatchObject({ verdict: 'clean', exitCode: 0, info: [] });
    expect(clean.servers).toMatchObject([{ key: KEY, status: 'match', transport: 'skills', skills: 1 }]);
    repo.mode('.claude/skills/report/scripts/build.sh', 0o755);
    const drift = await ci(repo, '--skills');
    expect(drift).toMatchObject({ verdict: 'drift', exitCode: 1 });
    expect(drift.servers).toMatchObject([{ key: KEY, status: 'drift' }]);
    expect(drift.changes).toMatchObject([
      {
        kind: 'skill',
        name: 'report',
        fields: [{ pointer: '/files/scripts~1build.sh', after: 'executable' }],
      },
    ]);
    expect(drift.changes[0]?.lockLine).toBeGreaterThan(1);
    const text = await repo.run(['ci', '--skills']);
    expect(text.stdout).toContain('a file of the skill became executable');
    // Named as a server, it is looked at without the option.
    const unasked = await lock(repo, KEY);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    expect((await lock(repo, KEY, '--yes')).code).toBe(0);
    expect((await ci(repo, '--skills', '.claude/skills')).verdict).toBe('clean');
    expect((await ci(repo, '--server', KEY)).verdict).toBe('clean');
  });

  test('the same skills are the same bytes', async () => {
    const repo = skillProject();
    await lock(repo, '--skills');
    const before = statSync(join(repo.dir, 'agentgate.lock')).mtimeMs;
    expect((await lock(repo, '--skills')).code).toBe(0);
    expect(statSync(join(repo.dir, 'agentgate.lock')).mtimeMs).toBe(before);
  });

  test('a diff of two locks, and every format, tell of the file', async () => {
    const repo = skillProject();
    await lock(repo, '--skills', '--lockfile', 'old.lock');
    repo.write({ '.claude/skills/report/scripts/build.sh': '#!/bin/sh\necho other\n' });
    await lock(repo, '--skills', '--lockfile', 'new.lock');
    for (const format of ['text', 'markdown', 'json', 'sarif']) {
      const ran = await repo.run(['diff', 'old.lock', 'new.lock', '--format', format]);
      expect(ran.code).toBe(1);
      expect(ran.stdout).toContain('build.sh');
      if (format === 'text') expect(ran.stdout).toMatch(/- echo building\n\s*\+ echo other/);
    }
  });
});

test('folders that the lock pins are looked at with the usual ones, and are no servers', async () => {
  const repo = skillProject({ ...oneSkill(), 'tools/skills/x/SKILL.md': skillMd('x', 'Do x.\n') });
  const first = await lock(repo, '--skills');
  expect(first.stdout.split('\n')[0]).toBe('✅ AgentGate lock: 1 new skills folder');
  expect(first.stderr).toContain('agentgate.lock written: 1 skills folder pinned.');
  expect((await lock(repo, '--skills', 'tools/skills')).code).toBe(0);
  expect((await repo.run(['verify'])).stdout).toContain('is whole: 2 skills folders, 2 capabilities.');
  const both = await ci(repo, '--skills', 'true');
  expect(both).toMatchObject({ verdict: 'clean', info: [], scope: { skills: true } });
  expect(both.servers.map(({ key }) => key)).toEqual([KEY, 'skills:tools/skills']);
  expect((await lock(repo, '--skills')).code).toBe(0);
  expect(keys(repo)).toEqual([KEY, 'skills:tools/skills']);
  rmSync(join(repo.dir, 'tools'), { recursive: true });
  const gone = await repo.run(['ci', '--isolation', 'none', '--skills']);
  expect(gone.stdout).toContain('1 of 2 skills folders is reviewed, but no longer declared');
  expect(gone.stdout).toContain('npx @agentgate/agentgate lock --skills\n');
});

describe('skills that were not asked for', () => {
  test('stay in the lock, are no drift, and are said to be unchecked', async () => {
    const repo = skillProject({ ...oneSkill(), ...twoServers() });
    expect((await lock(repo, '--skills')).code).toBe(0);
    expect(keys(repo)).toEqual(['alpha', 'beta', KEY]);
    const report = await ci(repo);
    expect(report).toMatchObject({ verdict: 'clean', exitCode: 0 });
    expect(report.info).toMatchObject([{ code: 'skills-unchecked', server: KEY }]);
    const relocked = await lock(repo, '--format', 'json');
    expect(relocked.code).toBe(0);
    expect(keys(repo)).toEqual(['alpha', 'beta', KEY]);
    expect(JSON.parse(relocked.stdout).info).toMatchObject([{ code: 'skills-unchecked', server: KEY }]);
    // One server alone says nothing about any other.
    expect((await ci(repo, '--server', 'alpha')).info).toEqual([]);
  });

  test('another folder than the given one is unchecked too', async () => {
    const repo = skillProject({ ...oneSkill(), 'more/extra/SKILL.md': skillMd('extra', 'x') });
    await lock(repo, '--skills');
    await lock(repo, '--skills', 'more');
    expect(keys(repo)).toEqual([KEY, 'skills:more']);
    expect((await ci(repo, '--skills', 'more')).info).toMatchObject([
      { code: 'skills-unchecked', server: KEY },
    ]);
  });
});

test('a skills folder that is gone is drift, and dropped by the next lock', async () => {
  const repo = skillProject({ ...oneSkill(), '.agents/skills/kept/SKILL.md': skillMd('kept', 'x') });
  await lock(repo, '--skills');
  repo.delete('.claude');
  const report = await ci(repo, '--skills');
  expect(report).toMatchObject({ verdict: 'drift', exitCode: 1 });
  expect(report.changes).toMatchObject([{ server: KEY, kind: 'server', change: 'removed' }]);
  const relocked = await lock(repo, '--skills', '--yes');
  expect(relocked.stderr).toContain(KEY);
  expect(keys(repo)).toEqual(['skills:.agents/skills']);
});

test('a folder that cannot be pinned is unchecked, keeps its entry and hides nothing else', async () => {
  const repo = skillProject({ ...oneSkill(), ...twoServers() });
  await lock(repo, '--skills');
  const before = repo.read('agentgate.lock');
  repo.link('.claude/skills/report/out', '/etc/passwd');
  const report = await ci(repo, '--skills');
  expect(report).toMatchObject({ verdict: 'unchecked', exitCode: 2 });
  expect(report.servers).toMatchObject([
    { key: 'alpha', status: 'match' },
    { key: 'beta', status: 'match' },
    { key: KEY, status: 'unchecked', error: { code: 'E_SKILL_LINK' } },
  ]);
  expect((await lock(repo, '--skills')).code).toBe(2);
  expect(repo.read('agentgate.lock')).toBe(before);
});

test('a folder that is not there is an error that says so', async () => {
  const repo = skillProject();
  await lock(repo, '--skills');
  const report = await ci(repo, '--skills', 'nowhere');
  expect(report).toMatchObject({ verdict: 'unchecked', exitCode: 2 });
  expect(report.errors).toMatchObject([{ code: 'E_SKILLS_MISSING' }]);
  expect((await lock(repo, '--skills', 'nowhere')).stderr).toContain('E_SKILLS_MISSING');
});

test('findings in skills gate like those of servers', async () => {
  const repo = skillProject({
    '.claude/skills/deploy/SKILL.md': skillMd('deploy', 'Now: !`git push`\n', 'allowed-tools: Bash\n'),
  });
  expect((await lock(repo, '--skills')).code).toBe(2);
  const report = await ci(repo, '--skills');
  expect(report).toMatchObject({ verdict: 'findings', exitCode: 1 });
  expect(report.findings.map(({ rule, kind, pointer }) => [rule, kind, pointer])).toEqual([
    ['AG-SK-001', 'skill', '/body'],
    ['AG-SK-002', 'skill', '/frontmatter/allowed-tools'],
  ]);
});

test('a folder that the policy skips, with its reason', async () => {
  const repo = skillProject({
    ...oneSkill(),
    '.cursor/skills/other/SKILL.md': '---\nname: a\nname: b\n---\n',
    'agentgate.yml': 'version: 1\nservers: { "skills:.cursor/skills": { skip: made by a tool } }\n',
  });
  expect((await lock(repo, '--skills')).code).toBe(0);
  const report = await ci(repo, '--skills');
  expect(report).toMatchObject({ verdict: 'clean', exitCode: 0 });
  expect(report.servers).toMatchObject([
    { key: KEY, status: 'match' },
    { key: 'skills:.cursor/skills', status: 'skipped', reason: 'made by a tool' },
  ]);
});
