import { expect, test } from 'vitest';
import { formatLock } from '../../src/lock/format.ts';
import { pinSkillsFolder } from '../../src/skills/pin-skills.ts';
import { readSkillsFolder } from '../../src/skills/read-skills.ts';
import { lockOf } from '../lock/support.ts';
import { plainEvent } from '../support/github/events.ts';
import { ACTION, runAction } from '../support/github/run-action.ts';
import { oneSkill, skillProject } from './support.ts';

const FOLDER = '.claude/skills';
const KEY = `skills:${FOLDER}`;

/** A repository with skills and their lock. */
async function locked() {
  const repo = skillProject(oneSkill());
  const entry = pinSkillsFolder(FOLDER, await readSkillsFolder(repo.dir, FOLDER));
  repo.write({ 'agentgate.lock': formatLock(lockOf({ [KEY]: entry })) });
  return repo;
}

const run = (workspace: string, skills: string) =>
  runAction({ entry: ACTION, event: plainEvent('push'), workspace, inputs: { skills, comment: 'never' } });

test.each(['true', '.claude/skills', './.claude/skills/'])('the input skills: %s', async (input) => {
  const repo = await locked();
  const clean = await run(repo.dir, input);
  expect(clean.outputs).toMatchObject({ verdict: 'clean', changes: '0' });
  repo.write({ [`${FOLDER}/report/scripts/build.sh`]: '#!/bin/sh\necho buildinG\n' });
  const drift = await run(repo.dir, input);
  expect(drift.exitCode).toBe(1);
  expect(drift.outputs).toMatchObject({ verdict: 'drift', changes: '1' });
  expect(drift.summary).toContain('+ echo buildinG');
  const [error] = drift.annotations.filter(({ command }) => command === 'error');
  expect(error?.properties.file).toBe('agentgate.lock');
  const line = repo.read('agentgate.lock').split('\n')[Number(error?.properties.line) - 1];
  expect(line).toContain('"report"');
});

test('an empty input looks at no skills, and says so of those in the lock', async () => {
  const repo = await locked();
  repo.write({ '.mcp.json': '{"mcpServers":{}}' });
  repo.mode(`${FOLDER}/report/scripts/build.sh`, 0o755);
  const { outputs, summary } = await run(repo.dir, 'false');
  expect(outputs).toMatchObject({ verdict: 'clean', changes: '0' });
  expect(summary).toContain('were not checked');
});

test('a folder outside of the workspace is an error', async () => {
  const repo = await locked();
  const { exitCode, outputs, log } = await run(repo.dir, repo.tmp);
  expect(exitCode).toBe(2);
  expect(outputs).toMatchObject({ verdict: 'unchecked' });
  expect(log).toContain('leads out of the working directory');
});
