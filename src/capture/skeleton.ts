import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolderSync, removeFolder } from './private-folders.ts';

/** What a sandbox's root must hold before anything is mounted on it; paths as the server sees them. */
export interface SkeletonParts {
  folders: string[];
  links: Map<string, string>;
  /** Empty files, for devices and sockets. */
  files: string[];
}

interface Shared {
  key: string;
  root: string;
  users: number;
}

const shared = new Map<string, Shared>();

/**
 * A folder with the given parts, shared by all sandboxes that need the same: it is only ever mounted read-only, and
 * making and removing it costs more than the rest of a plan. `release` must be called when the sandbox has ended.
 */
export function acquireSkeleton(parts: SkeletonParts): { root: string; release: () => void } {
  const key = JSON.stringify([parts.folders, [...parts.links], parts.files]);
  const entry = shared.get(key) ?? make(key, parts);
  entry.users++;
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    entry.users--;
    if (entry.users > 0) return;
    shared.delete(key);
    void removeFolder(dirname(entry.root));
  };
  return { root: entry.root, release };
}

function make(key: string, parts: SkeletonParts): Shared {
  const root = join(createFolderSync(), 'root');
  mkdirSync(root, { mode: 0o755 });
  for (const path of parts.folders) mkdirSync(join(root, path), { recursive: true });
  for (const [path, target] of parts.links) symlinkSync(target, join(root, path));
  for (const path of parts.files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  const entry = { key, root, users: 0 };
  shared.set(key, entry);
  return entry;
}
