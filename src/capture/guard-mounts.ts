import { dirname } from 'node:path';
import { real } from '../util/paths.ts';
import { isWithin } from './mount-table.ts';
import type { SandboxMount, ViewInput } from './sandbox-view.ts';

/**
 * What is guarded, read-only. A folder around it could be renamed with it, unless something is mounted there: each is
 * mounted on itself.
 */
export function guardMounts({ writable, guarded = [] }: ViewInput): SandboxMount[] {
  const tops = writable.map((folder) => real(folder));
  const around = new Set<string>();
  const kept = new Set<string>();
  for (const path of guarded) {
    const source = real(path);
    const top = tops.find(
      (folder) => folder !== undefined && source !== undefined && isWithin(source, folder),
    );
    if (source === undefined || top === undefined || source === top) continue;
    kept.add(source);
    for (let folder = dirname(source); folder !== top && isWithin(folder, top); folder = dirname(folder))
      around.add(folder);
  }
  const bind = (source: string, isWritable: boolean): SandboxMount => ({
    kind: 'bind',
    source,
    target: source,
    writable: isWritable,
  });
  return [
    ...[...around].sort().map((folder) => bind(folder, true)),
    ...[...kept].sort().map((path) => bind(path, false)),
  ];
}
