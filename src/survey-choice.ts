import type { ConfigProblem, DeclaredServer } from './config/types.ts';
import type { Survey } from './survey.ts';
import type { SkillsSurvey } from './survey-skills.ts';
import { AgentGateError } from './util/errors.ts';

/** Only the chosen folders. */
export function selectSkills(skills: SkillsSurvey, keys: string[] | undefined): SkillsSurvey {
  if (!keys || keys.length === 0) return skills;
  return { ...skills, folders: skills.folders.filter(({ key }) => keys.includes(key)), complete: false };
}

/** An entry's name is its key, but with `--all-clients`, where the key is not known before it was read. */
export function unreadableEntries(
  problems: readonly ConfigProblem[],
  chosen: readonly string[] | undefined,
): Survey['unreadable'] {
  const entries = new Map<string, Survey['unreadable'][number]>();
  for (const { server, file, line, column, code, message } of problems) {
    if (server === undefined || entries.has(server)) continue;
    if (chosen && chosen.length > 0 && !chosen.includes(server)) continue;
    entries.set(server, { key: server, config: file, line, column, error: { code, message } });
  }
  return [...entries.values()];
}

/** Only the chosen servers. Throws `E_UNKNOWN_SERVER` for a key that is neither declared nor in `unread`. */
export function selectServers(
  declared: DeclaredServer[],
  keys: string[] | undefined,
  unread: readonly string[],
): DeclaredServer[] {
  if (!keys || keys.length === 0) return declared;
  for (const key of keys) {
    if (declared.some((server) => server.key === key) || unread.includes(key)) continue;
    throw new AgentGateError(
      'E_UNKNOWN_SERVER',
      `No config declares a server with the key ${JSON.stringify(key)}; declared are: ${declared.map((server) => server.key).join(', ') || 'none'}`,
    );
  }
  return declared.filter((server) => keys.includes(server.key));
}
