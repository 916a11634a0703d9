import { readdirSync, statSync } from 'node:fs';
import { real } from '../util/paths.ts';
import { isWithin, type Mount } from './mount-table.ts';
import type { SandboxView } from './sandbox-view.ts';

/** Top-level folders that are never shown as they are. */
const NOT_SHOWN = new Set(['proc', 'sys', 'dev', 'tmp', 'run', 'home', 'root', 'lost+found', 'snap']);
const NOT_CARRIED = ['/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/containers'];

/** Fills `view` with the entries of `/`; gives the folders that are shown. */
export function topLevel(view: SandboxView): string[] {
  const shown: string[] = [];
  for (const entry of readdirSync('/', { withFileTypes: true })) {
    const path = `/${entry.name}`;
    if (entry.isSymbolicLink()) {
      const target = real(path);
      // `/bin` → `usr/bin` and the like; a link into a hidden folder leads nowhere, as it should.
      if (target !== undefined) view.links.set(path, target);
    } else if (entry.isDirectory()) {
      view.folders.push(path);
      if (NOT_SHOWN.has(entry.name) || entry.name.startsWith('.') || isEmpty(path)) continue;
      shown.push(path);
      view.mounts.push({ kind: 'bind', source: path, target: path, writable: false });
    }
  }
  return shown;
}

/** Mounts below a shown folder are not part of it: they are carried over one by one (`/etc/resolv.conf` in a container). */
export function carryMounts(
  view: SandboxView,
  shown: string[],
  mounts: Mount[],
  isHidden: (path: string) => boolean,
): void {
  for (const { target } of mounts) {
    const top = shown.find((folder) => isWithin(target, folder));
    if (top === undefined || top === target) continue;
    if (NOT_CARRIED.some((folder) => isWithin(target, folder)) || isHidden(target)) continue;
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isDirectory() || stats?.isFile()) {
      view.mounts.push({ kind: 'bind', source: target, target, writable: false });
    }
  }
}

/** Each mount costs time; an empty or unreadable folder looks the same without. */
function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return true;
  }
}
