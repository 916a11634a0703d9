import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentGateError } from '../../util/errors.ts';
import { isObject, type JsonObject, own } from '../../util/json.ts';
import type { KeptFile } from './take.ts';

/** What a checkpoint's entry in the ledger holds. */
export interface KeptState {
  root: string;
  files: KeptFile[];
}

/** The files of a checkpoint's ledger entry. Throws `E_CHECKPOINT_FORM` for a record that is none of files. */
export function keptState(record: JsonObject): KeptState {
  const root = own(record, 'root');
  const list = own(record, 'files');
  const bad = (): AgentGateError =>
    new AgentGateError(
      'E_CHECKPOINT_FORM',
      'That checkpoint kept no files, so that nothing can be put back.',
    );
  if (own(record, 'kind') !== 'files' || typeof root !== 'string' || !Array.isArray(list)) throw bad();
  const files = list.map((item) => {
    if (!isObject(item)) throw bad();
    const [path, kind, mode, sha256, target] = ['path', 'kind', 'mode', 'sha256', 'target'].map((key) =>
      own(item, key),
    );
    if (!isInside(path)) throw bad();
    if (kind !== 'absent' && kind !== 'file' && kind !== 'link' && kind !== 'folder') throw bad();
    const file: KeptFile = { path, kind };
    if (typeof mode === 'number') file.mode = mode & 0o7777;
    if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) file.sha256 = sha256;
    if (typeof target === 'string') file.target = target;
    if ((kind === 'file' && file.sha256 === undefined) || (kind === 'link' && target === undefined))
      throw bad();
    return file;
  });
  return { root, files };
}

/** A path of the ledger that stays in its folder. */
export function isInside(path: unknown): path is string {
  return typeof path === 'string' && path !== '' && !path.split('/').includes('..') && !path.startsWith('/');
}

/** True when a path is what it was: kind, bytes, permission bits, target of a link. */
export async function isAsKept(root: string, file: KeptFile): Promise<boolean> {
  const path = join(root, file.path);
  const stats = await statsOf(path);
  if (stats === undefined) return file.kind === 'absent';
  if (file.kind === 'link') return stats.isSymbolicLink() && (await readlink(path)) === file.target;
  if (file.mode !== undefined && (stats.mode & 0o7777) !== file.mode) return false;
  if (file.kind === 'folder') return stats.isDirectory();
  if (file.kind !== 'file' || !stats.isFile()) return false;
  return hash('sha256', await readFile(path), 'hex') === file.sha256;
}

/** What lies in the folders of a checkpoint and was not there, relative to its root. */
export async function newInFolders({ root, files }: KeptState): Promise<string[]> {
  const known = new Set(files.map(({ path }) => path));
  const found: string[] = [];
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (known.has(path)) continue;
      found.push(path);
      if (entry.isDirectory()) await look(path);
    }
  };
  for (const { path, kind } of files) {
    // One that was not there, and is a folder now.
    const isNew = kind === 'absent' && (await statsOf(join(root, path)))?.isDirectory() === true;
    if (kind === 'folder' || isNew) await look(path);
  }
  return [...new Set(found)].sort();
}

/** Every path that is no longer what it was, new ones in its folders included, relative to its root. */
export async function changedSince(state: KeptState): Promise<string[]> {
  const changed: string[] = [];
  for (const file of state.files) if (!(await isAsKept(state.root, file))) changed.push(file.path);
  return [...new Set([...changed, ...(await newInFolders(state))])].sort();
}

/** Undefined when nothing is there. */
export async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
