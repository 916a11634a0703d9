import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { clientFiles } from '../config/known-files.ts';
import { POLICY_FILES } from '../config/policy.ts';
import { findLock, LOCK_NAME } from '../lock/find.ts';
import { readLock } from '../lock/read-file.ts';
import type { Lock } from '../lock/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { isOutside } from '../util/paths.ts';
import { type LoadedGatePolicy, loadGatePolicy } from './policy.ts';
import { WatchedFiles } from './session-files.ts';

/** What a gate is started with, read once. */
export interface Workspace {
  cwd: string;
  /** The user's home: where `~/` of the policy points to. */
  home: string;
  lockfile: string;
  lock: Lock;
  /** Of the lock's bytes, hexadecimal. */
  lockSha256: string;
  policy: LoadedGatePolicy;
  /** The lock and the policy. */
  files: WatchedFiles;
}

/**
 * Reads the policy and the lock of a working directory. Throws as `loadGatePolicy` and `readLock` do, and `E_OWN_LINK` when one
 * of them, or the ledger, is found by a link in the project.
 */
export async function openWorkspace(options: {
  cwd: string;
  lockfile?: string;
  env: NodeJS.ProcessEnv;
}): Promise<Workspace> {
  const cwd = resolve(options.cwd);
  const home = options.env.HOME || homedir();
  const files = new WatchedFiles();
  // Before they are read: a change in between is then noticed.
  for (const file of POLICY_FILES) await files.add(join(cwd, file));
  const policy = await loadGatePolicy(cwd, home);
  const lockfile =
    options.lockfile === undefined
      ? ((await findLock(cwd)) ?? join(cwd, LOCK_NAME))
      : resolve(cwd, options.lockfile);
  for (const file of [...POLICY_FILES.map((name) => join(cwd, name)), lockfile, policy.gate.ledger])
    refuseLinks(cwd, file);
  await files.add(lockfile);
  const { lock, sha256 } = await readLock(lockfile, relative(cwd, lockfile) || lockfile);
  return { cwd, home, lockfile, lock, lockSha256: sha256, policy, files };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // What reads it says why it cannot.
    return false;
  }
}

/** A file can be kept from a server that may write around it, a link to one cannot. */
function refuseLinks(cwd: string, file: string): void {
  if (isOutside(cwd, file)) return;
  for (let path = file; path !== cwd; path = dirname(path)) {
    if (!isLink(path)) continue;
    throw new AgentGateError(
      'E_OWN_LINK',
      `${relative(cwd, path)} is a link, in whose place a server could put something else: have the file itself there.`,
      { file: relative(cwd, path) },
    );
  }
}

/**
 * What decides about calls, and may not be changed by one: the lock, the policy, the ledger's folder, and what clients read,
 * which could start the server without the proxy.
 */
export function ownFiles({ cwd, lockfile, policy }: Workspace): string[] {
  const files = [...POLICY_FILES, ...clientFiles()].map((file) => join(cwd, file));
  return [lockfile, dirname(policy.gate.ledger), ...files];
}
