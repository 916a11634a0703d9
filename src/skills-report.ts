import { compareServer } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import type { Lock, LockedServer } from './lock/types.ts';
import type { Report, ServerReport } from './report/model.ts';
import { SKILLS_PREFIX } from './skills/prefix.ts';
import type { SkillsSurvey, SurveyedSkills } from './survey-skills.ts';

/** What the report says of a skills folder before it is compared with the lock. */
export function skillsReport(
  { key, folder, result }: SurveyedSkills,
  locked: LockedServer | undefined,
): ServerReport {
  const entry = result.state === 'listed' ? result.entry : locked;
  const report: ServerReport = {
    key,
    status: 'match',
    source: { type: 'local', path: folder },
    lockedSource: locked?.source,
    transport: 'skills',
    tools: 0,
    skills: entry?.skills?.size ?? 0,
  };
  if (result.state === 'skipped') return { ...report, status: 'skipped', reason: result.reason };
  return result.state === 'failed' ? { ...report, status: 'unchecked', error: result.error } : report;
}

/** A skills folder against its entry in the lock. */
export function compareSkillsFolder(
  folder: SurveyedSkills,
  locked: LockedServer | undefined,
): { report: ServerReport; changes: Change[]; info: Report['info'] } {
  const report = skillsReport(folder, locked);
  if (folder.result.state !== 'listed') return { report, changes: [], info: [] };
  const { changes, info } = compareServer(folder.key, locked, folder.result.entry, { accepted: false });
  if (changes.length > 0) report.status = locked ? 'drift' : 'new';
  return { report, changes, info };
}

/** Keys of skills folders that a lock pins and that were not looked at: they are neither gone nor checked. */
export function unseenSkills(lock: Lock | undefined, skills: SkillsSurvey | undefined): string[] {
  if (skills?.complete === true) return [];
  const seen = new Set(skills?.folders.map(({ key }) => key));
  return [...(lock?.servers.keys() ?? [])].filter((key) => key.startsWith(SKILLS_PREFIX) && !seen.has(key));
}

/** Says so for each of them. */
export function unseenInfo(keys: readonly string[]): Report['info'] {
  return keys.map((key) => ({
    code: 'skills-unchecked',
    server: key,
    message: 'the lock pins these skills, and they were not checked: give --skills, or the input skills',
  }));
}
