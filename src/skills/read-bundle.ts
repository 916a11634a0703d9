import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawSkillFile } from '../lock/skill-record.ts';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { byCodeUnit } from '../util/order.ts';
import { SKILL_LIMITS, SKIPPED } from './limits.ts';
import { leavesFolder } from './link.ts';

export interface Bundle {
  files: Map<string, RawSkillFile>;
  bytes: number;
  /** Folders that were not looked into, by path. */
  skipped: string[];
}

/**
 * Reads every file of a skill's folder: raw bytes, owner's right to execute, targets of links, which are not followed.
 * `shown` is the folder's name in messages.
 *
 * Throws `E_SKILL_LINK` (a link that leaves the folder), `E_SKILL_FILE` (unreadable, no regular file, no valid name),
 * `E_SKILL_LARGE` (512 files, 16 MiB) and `E_SKILL_DEEP` (6 levels of folders).
 */
export async function readBundle(folder: string, shown: string): Promise<Bundle> {
  const bundle: Bundle = { files: new Map(), bytes: 0, skipped: [] };
  await readFolder(folder, '', 0, shown, bundle);
  return bundle;
}

async function readFolder(
  folder: string,
  prefix: string,
  depth: number,
  shown: string,
  bundle: Bundle,
): Promise<void> {
  if (depth > SKILL_LIMITS.depth)
    throw refusal(
      'E_SKILL_DEEP',
      shown,
      prefix,
      `lies more than ${SKILL_LIMITS.depth} folders deep; move it up`,
    );
  for (const name of await namesIn(folder, `${shown}/${prefix}`)) {
    const path = prefix + name;
    const absolute = join(folder, name);
    const stats = await attempt(shown, path, lstat(absolute));
    if (stats.isDirectory()) {
      if (SKIPPED.has(name)) bundle.skipped.push(path);
      else await readFolder(absolute, `${path}/`, depth + 1, shown, bundle);
      continue;
    }
    if (bundle.files.size >= SKILL_LIMITS.files)
      throw refusal('E_SKILL_LARGE', shown, '', `has more than ${SKILL_LIMITS.files} files; split it`);
    const file = stats.isSymbolicLink()
      ? await readLink(absolute, path, shown)
      : await readRegular(absolute, path, shown, SKILL_LIMITS.bytes - bundle.bytes);
    bundle.bytes += file.bytes.length;
    bundle.files.set(path, file);
  }
}

/** The names in a folder in code-unit order. Throws `E_SKILL_FILE` for one that is no valid UTF-8. */
export async function namesIn(folder: string, shown: string): Promise<string[]> {
  const names = await attempt(shown, '', readdir(folder));
  // Bytes that are no UTF-8 are read as U+FFFD: two such names could stand for one another.
  const broken = names.find((name) => name.includes('\uFFFD'));
  if (broken !== undefined)
    throw refusal('E_SKILL_FILE', shown, broken, 'has a name that is not valid UTF-8; rename it');
  return names.sort(byCodeUnit);
}

async function readLink(absolute: string, path: string, shown: string): Promise<RawSkillFile> {
  const target = await attempt(shown, path, readlink(absolute));
  if (leavesFolder(path, target))
    throw refusal(
      'E_SKILL_LINK',
      shown,
      path,
      `is a link that leaves the skill's folder (to ${visibleLine(target.slice(0, 200))}), so that what it leads to cannot be pinned; put the file itself there`,
    );
  return { mode: 'link', bytes: Buffer.from(target) };
}

async function readRegular(
  absolute: string,
  path: string,
  shown: string,
  room: number,
): Promise<RawSkillFile> {
  // A file may have become a link or a pipe since it was looked at. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await attempt(shown, path, open(absolute, flags));
  try {
    const stats = await attempt(shown, path, handle.stat());
    if (!stats.isFile()) throw refusal('E_SKILL_FILE', shown, path, 'is no regular file; remove it');
    if (stats.size > room) throw tooLarge(shown);
    const bytes = await attempt(shown, path, handle.readFile());
    if (bytes.length > room) throw tooLarge(shown);
    return { mode: (stats.mode & 0o100) === 0 ? 'file' : 'executable', bytes };
  } finally {
    await handle.close();
  }
}

function tooLarge(shown: string): AgentGateError {
  return refusal(
    'E_SKILL_LARGE',
    shown,
    '',
    `takes more than ${SKILL_LIMITS.bytes / 1024 / 1024} MiB; split it`,
  );
}

async function attempt<T>(shown: string, path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw refusal('E_SKILL_FILE', shown, path, `cannot be read (${code}); check its permissions`);
  }
}

/** One sentence about a skill or one of its files. */
export function refusal(code: string, shown: string, path: string, clause: string): AgentGateError {
  const where = visibleLine((path === '' ? shown : `${shown}/${path}`).replace(/\/+/g, '/').slice(0, 400));
  return new AgentGateError(code, `${where} ${clause}.`, { file: where });
}
