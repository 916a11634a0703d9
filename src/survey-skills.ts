import type { CaptureError } from './capture/types.ts';
import { serverPolicy } from './config/policy.ts';
import type { Policy } from './config/types.ts';
import type { LockedServer } from './lock/types.ts';
import { findSkillsFolders } from './skills/find-folders.ts';
import { pinSkillsFolder } from './skills/pin-skills.ts';
import { SKILLS_PREFIX } from './skills/prefix.ts';
import { readSkillsFolder } from './skills/read-skills.ts';
import { AgentGateError, messageOf } from './util/errors.ts';

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
 * Reads and pins the repository's agent skills: of the usual folders with `true`, else of the given ones. A folder that
 * cannot be pinned is data; throws as `findSkillsFolders` does.
 */
export async function surveySkills(
  cwd: string,
  skills: readonly string[] | true,
  policy: Policy,
): Promise<SkillsSurvey> {
  const folders = await findSkillsFolders(cwd, skills === true ? undefined : skills);
  const survey: SkillsSurvey = { folders: [], complete: skills === true, info: [] };
  for (const folder of folders) {
    const key = SKILLS_PREFIX + folder;
    const { skip } = serverPolicy(policy, key);
    if (skip !== undefined) {
      survey.folders.push({ key, folder, result: { state: 'skipped', reason: skip } });
      continue;
    }
    try {
      const found = await readSkillsFolder(cwd, folder);
      for (const note of found.notes)
        survey.info.push({ code: 'skills-skipped', server: key, message: note });
      survey.folders.push({
        key,
        folder,
        result: { state: 'listed', entry: pinSkillsFolder(folder, found) },
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
