import { lstat, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { slashed } from '../util/paths.ts';
import { SKILL_LIMITS, SKIPPED } from './limits.ts';
import { namesIn, readBundle, refusal } from './read-bundle.ts';
import type { SkillsFolder } from './types.ts';

/**
 * Reads all skills of a skills folder: every folder in it, up to six levels down, that holds a file `SKILL.md`, and the
 * folder itself. A folder's entry that is a link to a folder of the working directory is a skill too (some clients share
 * skills that way): it is read where it leads, and the link itself is pinned as the file `.`.
 *
 * `cwd` is absolute, `folder` is relative to it and `/`-separated. Throws as `readBundle` does, and `E_SKILL_LINK` for
 * an entry that leaves the working directory, `E_SKILL_LARGE` for more than 1,000 skills or 128 MiB.
 */
export async function readSkillsFolder(cwd: string, folder: string): Promise<SkillsFolder> {
  const reader = new FolderReader(cwd, folder);
  await reader.look(join(cwd, folder), '', 0);
  return reader.found;
}

class FolderReader {
  readonly found: SkillsFolder = { skills: [], notes: [] };
  private readonly cwd: string;
  private readonly folder: string;
  private bytes = 0;

  constructor(cwd: string, folder: string) {
    this.cwd = cwd;
    this.folder = folder;
  }

  async look(absolute: string, path: string, depth: number): Promise<void> {
    const names = await namesIn(absolute, this.shown(path));
    if (names.includes('SKILL.md')) await this.read(absolute, path);
    if (depth === SKILL_LIMITS.depth) return;
    for (const name of names) {
      if (SKIPPED.has(name)) continue;
      const below = path === '' ? name : `${path}/${name}`;
      const child = join(absolute, name);
      const stats = await lstat(child).catch(() => undefined);
      if (stats?.isDirectory()) await this.look(child, below, depth + 1);
      else if (stats?.isSymbolicLink() && depth === 0) await this.lookThrough(child, below);
    }
  }

  /** A link in the skills folder itself; one that leads to no folder is no skill. */
  private async lookThrough(link: string, path: string): Promise<void> {
    const target = await stat(link).catch(() => undefined);
    if (!target?.isDirectory()) return;
    const [real, root] = [await realpath(link), await realpath(this.cwd)];
    const inside = relative(root, real);
    if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside))
      throw refusal(
        'E_SKILL_LINK',
        this.shown(path),
        '',
        'is a link that leaves the working directory, so that the skill behind it cannot be pinned; put the skill itself there',
      );
    const names = await namesIn(real, this.shown(path));
    if (names.includes('SKILL.md')) await this.read(real, path, slashed(inside));
  }

  private async read(absolute: string, path: string, link?: string): Promise<void> {
    const { skills, notes } = this.found;
    const shown = this.shown(path);
    if (skills.length >= SKILL_LIMITS.skills)
      throw refusal('E_SKILL_LARGE', this.folder, '', `holds more than ${SKILL_LIMITS.skills} skills`);
    const { files, bytes, skipped } = await readBundle(absolute, shown);
    this.bytes += bytes;
    if (this.bytes > SKILL_LIMITS.totalBytes)
      throw refusal(
        'E_SKILL_LARGE',
        this.folder,
        '',
        `holds skills of more than ${SKILL_LIMITS.totalBytes / 1024 / 1024} MiB`,
      );
    if (files.get('SKILL.md')?.mode === 'link')
      throw new AgentGateError('E_SKILL_LINK', `${shown}/SKILL.md is a link; put the file itself there.`, {
        file: `${shown}/SKILL.md`,
      });
    // No file is called so.
    if (link !== undefined) files.set('.', { mode: 'link', bytes: Buffer.from(link) });
    for (const each of skipped) notes.push(`${shown}/${each} is not pinned`);
    skills.push({ name: path === '' ? (this.folder.split('/').at(-1) ?? '') : path, folder: shown, files });
  }

  private shown(path: string): string {
    return path === '' ? this.folder : this.folder === '.' ? path : `${this.folder}/${path}`;
  }
}
