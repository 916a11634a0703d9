import type { CaptureError } from './capture/types.ts';
import { serverPolicy } from './config/policy.ts';
import type { Policy } from './config/types.ts';
import type { LockedServer } from './lock/types.ts';
import { findSkillsFolders } from './skills/find-folders.ts';
import { pinSkillsFolder } from './skills/pin-skills.ts';
import { SKILLS_PREFIX } from './skills/prefix.ts';
import { readSkillsFolder } from './skills/read-skills.ts';
import { AgentGateError, messageOf } from './util/errors.ts';
import { byCodeUnit } from './util/order.ts';

/** One skills folder after the survey. */
export interface SurveyedSkills {
  /** `skills:` and the folder's path relative to the working directory. */
  key: string;
  folder: string;
  result:
    | { state: 'listed'; entry: LockedServer }
    | { state: 'failed'; error: CaptureError }
    | { state: 'skipped'; reason: string };
}

export interface SkillsSurvey {
  folders: SurveyedSkills[];
  /** True when a folder that is not in `folders` is not there; false when others were not looked for. */
  complete: boolean;
  info: { code: string; server?: string; message: string }[];
}

/**
 * Reads and pins the repository's agent skills: of the usual folders with `true`, and of those that the lock pins and
 * that are there, else of the given ones. A folder that cannot be pinned is data; throws as `findSkillsFolders` does.
 *
 * @param pinned - keys of the lock
 */
export async function surveySkills(
  cwd: string,
  skills: readonly string[] | true,
  policy: Policy,
  pinned: Iterable<string> = [],
): Promise<SkillsSurvey> {
  const found = await findSkillsFolders(cwd, skills === true ? undefined : skills);
  const folders = skills === true ? await withPinned(cwd, found, pinned) : found;
  const survey: SkillsSurvey = { folders: [], complete: skills === true, info: [] };
  for (const folder of folders) {
    const key = SKILLS_PREFIX + folder;
    const { skip } = serverPolicy(policy, key);
    if (skip !== undefined) {
      survey.folders.push({ key, folder, result: { state: 'skipped', reason: skip } });
      continue;
    }
    try {
      const read = await readSkillsFolder(cwd, folder);
      for (const note of read.notes) survey.info.push({ code: 'skills-skipped', server: key, message: note });
      survey.folders.push({
        key,
        folder,
        result: { state: 'listed', entry: pinSkillsFolder(folder, read) },
      });
    } catch (error) {
      const code = error instanceof AgentGateError ? error.code : 'E_INTERNAL';
      survey.folders.push({
        key,
        folder,
        result: { state: 'failed', error: { code, message: messageOf(error) } },
      });
    }
  }
  if (folders.length === 0)
    survey.info.push({ code: 'no-skills', message: 'there is no skills folder here' });
  return survey;
}

/** A folder that the lock pins and that is still there is not gone, wherever it is. */
async function withPinned(cwd: string, found: string[], pinned: Iterable<string>): Promise<string[]> {
  const folders = new Set(found);
  for (const key of pinned) {
    if (!key.startsWith(SKILLS_PREFIX)) continue;
    // What is not there, or leads out of the working directory, is no folder of this repository any more.
    const there = await findSkillsFolders(cwd, [key.slice(SKILLS_PREFIX.length)]).catch(() => []);
    for (const folder of there) folders.add(folder);
  }
  return [...folders].sort(byCodeUnit);
}
