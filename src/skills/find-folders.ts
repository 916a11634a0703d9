import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { byCodeUnit } from '../util/order.ts';
import { slashed } from '../util/paths.ts';
import { SKILL_LIMITS, SKIPPED } from './limits.ts';

/**
 * Folders in which clients look for a folder `skills` of the project: the cross-client `.agents` (agentskills.io), and
 * those of Claude Code, Copilot, Gemini CLI, Cline, Codex, Cursor and OpenCode.
 */
const HOMES: ReadonlySet<string> = new Set([
  '.agents',
  '.claude',
  '.cline',
  '.clinerules',
  '.codex',
  '.cursor',
  '.gemini',
  '.github',
  '.opencode',
]);

/** A plugin brings its skills in the folder `skills`. */
const PLUGIN = '.claude-plugin';

/**
 * The skills folders of a working directory, relative to it, `/`-separated, in code-unit order: those that are given,
 * else every folder that clients look into, at the root and in folders up to six levels down, and `skills` of plugins.
 *
 * Throws `E_SKILLS_MISSING` when a given folder is none, `E_SKILLS_OUTSIDE` when it, or one that is found, does not lie
 * inside of the working directory, and `E_SKILLS_SEARCH` when there are too many folders to search.
 */
export async function findSkillsFolders(
  cwd: string,
  given: readonly string[] | undefined,
): Promise<string[]> {
  if (given !== undefined) {
    const folders = await Promise.all(given.map((each) => givenFolder(cwd, each)));
    return [...new Set(folders)].sort(byCodeUnit);
  }
  const found = new Set<string>();
  await search(cwd, '', 0, found, { visits: 0 });
  for (const folder of found) await assertInside(cwd, folder, folder);
  return [...found].sort(byCodeUnit);
}

async function givenFolder(cwd: string, given: string): Promise<string> {
  const path = slashed(relative(cwd, resolve(cwd, given))) || '.';
  if (path.split('/')[0] === '..' || isAbsolute(path)) throw outside(given);
  const found = await stat(join(cwd, path)).catch(() => undefined);
  if (!found?.isDirectory())
    throw new AgentGateError(
      'E_SKILLS_MISSING',
      `There is no skills folder ${visibleLine(given)}: correct it, or leave it out to search the usual folders.`,
    );
  await assertInside(cwd, path, given);
  return path;
}

/** A skills folder may be a link (to another client's, as a rule), but not to somewhere else. */
async function assertInside(cwd: string, path: string, shown: string): Promise<void> {
  const inside = relative(await realpath(cwd), await realpath(join(cwd, path)));
  if (inside.split(sep)[0] === '..' || isAbsolute(inside)) throw outside(shown);
}

function outside(given: string): AgentGateError {
  return new AgentGateError(
    'E_SKILLS_OUTSIDE',
    `The skills folder ${visibleLine(given)} leads out of the working directory: name one inside of it.`,
  );
}

async function search(
  folder: string,
  path: string,
  depth: number,
  found: Set<string>,
  budget: { visits: number },
): Promise<void> {
  if (++budget.visits > SKILL_LIMITS.visits)
    throw new AgentGateError(
      'E_SKILLS_SEARCH',
      `There are more than ${SKILL_LIMITS.visits} folders to search for skills: name the skills folder.`,
    );
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const { name } = entry;
    if (SKIPPED.has(name) || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
    const below = path === '' ? name : `${path}/${name}`;
    if (HOMES.has(name) && (await isFolder(join(folder, name, 'skills')))) found.add(`${below}/skills`);
    if (name === PLUGIN && (await isFolder(join(folder, 'skills'))))
      found.add(path === '' ? 'skills' : `${path}/skills`);
    if (entry.isDirectory() && depth < SKILL_LIMITS.depth)
      await search(join(folder, name), below, depth + 1, found, budget);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
