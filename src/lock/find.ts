import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export const LOCK_NAME = 'agentgate.lock';

/**
 * The absolute path of the nearest `agentgate.lock`, going up from a folder to the root of its git working tree (the
 * folder with `.git`, a file in work trees and submodules), or of the file system. Undefined when there is none.
 */
export async function findLock(from: string): Promise<string | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, LOCK_NAME);
    if (await isThere(path, 'file')) return path;
    if (dirname(folder) === folder || (await isThere(join(folder, '.git'), 'any'))) return undefined;
  }
}

/** The root of the git working tree that a folder lies in; undefined when it lies in none. */
export async function workingTree(from: string): Promise<string | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'), 'any')) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

async function isThere(path: string, what: 'file' | 'any'): Promise<boolean> {
  try {
    const stats = await stat(path);
    return what === 'any' || !stats.isDirectory();
  } catch {
    return false;
  }
}
