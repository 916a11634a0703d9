import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { AgentGateError } from '../../util/errors.ts';
import { isOutside } from '../../util/paths.ts';
import { isAsKept, type KeptState, newInFolders } from './kept-state.ts';
import { type KeptFile, objectsFolder } from './take.ts';

/** One step of putting a checkpoint back; paths are relative to its root. */
export type RestoreStep =
  | { action: 'put back'; file: KeptFile }
  | { action: 'remove'; path: string }
  /** It differs from what was kept, and this call is not known to be the cause. */
  | { action: 'leave'; path: string; why: string };

export interface RestorePlan {
  root: string;
  steps: RestoreStep[];
  /** By hash. */
  bytes: Map<string, Buffer>;
}

/**
 * Works out how everything becomes what it was: bytes, modes and links of what was there; what was not there goes (a
 * folder only when nothing else is in it). All bytes are read and checked. Nothing is changed. Throws `E_CHECKPOINT_LOST`
 * when kept bytes are gone or are not those of the ledger, `E_CHECKPOINT_OUTSIDE` when a path now leads out of the folder.
 *
 * @param changed - what the call itself changed; what else differs is left. Absent when that is not known: what was kept
 *   is put back, and what is new in kept folders is left.
 */
export async function planRestore(
  state: KeptState,
  ledger: string,
  changed: ReadonlySet<string> | 'all' | undefined,
): Promise<RestorePlan> {
  const root = realpathSync(state.root);
  const plan: RestorePlan = { root, steps: [], bytes: new Map() };
  // Folders before what lies in them; what is to go, from the deepest.
  const back = [...state.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const gone: string[] = [];
  const leave = (path: string, why: string): void => {
    plan.steps.push({ action: 'leave', path, why });
  };
  for (const file of back) {
    const { path, kind, sha256 } = file;
    if (isOutside(root, realParent(join(root, path))))
      throw new AgentGateError(
        'E_CHECKPOINT_OUTSIDE',
        `${JSON.stringify(path)} now leads out of ${root}; nothing was put back.`,
      );
    if (await isAsKept(root, file)) continue;
    if (changed instanceof Set && !changed.has(path)) leave(path, 'it was not changed by this call');
    else if (kind === 'absent') gone.push(path);
    else {
      if (sha256 !== undefined && !plan.bytes.has(sha256))
        plan.bytes.set(sha256, await keptBytes(ledger, sha256));
      plan.steps.push({ action: 'put back', file });
    }
  }
  for (const path of await newInFolders({ root, files: state.files })) {
    if (changed === 'all' || changed?.has(path) === true) gone.push(path);
    else
      leave(path, changed === undefined ? 'it is new, and may be another’s' : 'it was not made by this call');
  }
  const going = new Set(gone);
  for (const path of [...going].sort().reverse()) {
    if (await holdsOther(root, path, going)) leave(path, 'a folder that has other files in it now');
    else plan.steps.push({ action: 'remove', path });
  }
  return plan;
}

/** Carries a plan out. */
export async function restore({ root, steps, bytes }: RestorePlan): Promise<void> {
  for (const step of steps) {
    if (step.action === 'put back') await putBack(join(root, step.file.path), step.file, bytes);
    else if (step.action === 'remove') await rm(join(root, step.path), { recursive: true, force: true });
  }
}

async function putBack(path: string, file: KeptFile, bytes: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() !== (file.kind === 'folder') || file.kind === 'link')
    await rm(path, { recursive: true, force: true });
  if (file.kind === 'folder') await mkdir(path, { recursive: true });
  else if (file.kind === 'link') return await symlink(file.target ?? '', path);
  else await writeFileAtomic(path, bytes.get(file.sha256 ?? '') ?? Buffer.alloc(0));
  if (file.mode !== undefined) await chmod(path, file.mode);
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

async function holdsOther(root: string, folder: string, going: ReadonlySet<string>): Promise<boolean> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!going.has(path) || (entry.isDirectory() && (await holdsOther(root, path, going)))) return true;
  }
  return false;
}

function realParent(path: string): string {
  const parent = dirname(path);
  try {
    return realpathSync(parent);
  } catch {
    return parent === path ? path : realParent(parent);
  }
}
