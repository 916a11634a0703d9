import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isOutside } from '../../config/config-files.ts';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { AgentGateError } from '../../util/errors.ts';
import { isObject, type JsonObject, own } from '../../util/json.ts';
import { type KeptFile, objectsFolder } from './take.ts';

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
    if (typeof path !== 'string' || path === '' || path.split('/').includes('..') || path.startsWith('/'))
      throw bad();
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

/**
 * Puts back what a checkpoint kept: bytes, modes and links of files that were there; what was not there is removed (a
 * folder only when nothing is left in it). All bytes are read and checked before anything is changed. Gives what was
 * done, a line a path. Throws `E_CHECKPOINT_LOST` when kept bytes are gone or are not those of the ledger, and
 * `E_CHECKPOINT_OUTSIDE` when a path now leads out of the folder.
 */
export async function restoreFiles(state: KeptState, ledger: string, dryRun: boolean): Promise<string[]> {
  const root = realpathSync(state.root);
  const bytes = new Map<string, Buffer>();
  for (const { path, kind, sha256 } of state.files) {
    const parent = realParent(join(root, path));
    if (isOutside(root, parent))
      throw new AgentGateError(
        'E_CHECKPOINT_OUTSIDE',
        `${JSON.stringify(path)} now leads out of ${root}; nothing was put back.`,
      );
    if (kind === 'file' && sha256 !== undefined && !bytes.has(sha256))
      bytes.set(sha256, await keptBytes(ledger, sha256));
  }
  const done: string[] = [];
  // Folders before what lies in them; what is to go, from the deepest.
  const order = [...state.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of order.filter(({ kind }) => kind !== 'absent')) {
    const path = join(root, file.path);
    if (await isAsKept(path, file)) continue;
    done.push(`put back ${file.path}`);
    if (!dryRun) await putBack(path, file, bytes);
  }
  for (const file of order.filter(({ kind }) => kind === 'absent').reverse()) {
    const path = join(root, file.path);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) continue;
    if (stats.isDirectory() && !(await isEmptyBelow(path))) {
      done.push(`kept ${file.path}, a folder that has files in it now`);
      continue;
    }
    done.push(`removed ${file.path}`);
    if (!dryRun) await rm(path, { recursive: stats.isDirectory() });
  }
  return done;
}

async function putBack(path: string, file: KeptFile, bytes: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() && file.kind !== 'folder') await rmdir(path);
  else if (stats !== undefined && !stats.isDirectory() && file.kind === 'folder') await rm(path);
  if (file.kind === 'folder') await mkdir(path, { recursive: true });
  else if (file.kind === 'link') {
    await rm(path, { force: true });
    await symlink(file.target ?? '', path);
    return;
  } else await writeFileAtomic(path, bytes.get(file.sha256 ?? '') ?? Buffer.alloc(0));
  if (file.mode !== undefined) await chmod(path, file.mode);
}

async function isAsKept(path: string, file: KeptFile): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return false;
  const sameMode = file.mode === undefined || (stats.mode & 0o7777) === file.mode;
  if (file.kind === 'folder') return stats.isDirectory() && sameMode;
  if (file.kind !== 'file' || !stats.isFile() || !sameMode) return false;
  return hash('sha256', await readFile(path), 'hex') === file.sha256;
}

async function keptBytes(ledger: string, sha256: string): Promise<Buffer> {
  const lost = (): AgentGateError =>
    new AgentGateError(
      'E_CHECKPOINT_LOST',
      `The bytes ${sha256} of the checkpoint are gone or were changed; nothing was put back.`,
    );
  let bytes: Buffer;
  try {
    bytes = await readFile(join(objectsFolder(ledger), sha256));
  } catch {
    throw lost();
  }
  if (hash('sha256', bytes, 'hex') !== sha256) throw lost();
  return bytes;
}

async function isEmptyBelow(path: string): Promise<boolean> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!entry.isDirectory() || !(await isEmptyBelow(join(path, entry.name)))) return false;
  }
  return true;
}

function realParent(path: string): string {
  const parent = dirname(path);
  try {
    return realpathSync(parent);
  } catch {
    return parent === path ? path : realParent(parent);
  }
}
