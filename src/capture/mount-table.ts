import { readFileSync } from 'node:fs';

export interface Mount {
  target: string;
  type: string;
  /** Flags that an unprivileged remount must keep (`nosuid`, `nodev`, `noexec`, `noatime`, …). */
  flags: string[];
}

const KEPT = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

/** Kernel interfaces and the like: nothing in them is a file that a server needs. */
const PSEUDO = new Set(
  (
    'proc sysfs devtmpfs devpts cgroup cgroup2 securityfs debugfs tracefs bpf pstore mqueue hugetlbfs autofs ' +
    'binfmt_misc configfs fusectl efivarfs rpc_pipefs nsfs selinuxfs ramfs'
  ).split(' '),
);

/** The file systems that are mounted here, kernel interfaces left out, in the order of `/proc/self/mountinfo`. */
export function fileMounts(text = readFileSync('/proc/self/mountinfo', 'utf8')): Mount[] {
  const mounts = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const fields = left.split(' ');
    const target = fields[4];
    const type = right.split(' ')[0];
    if (target === undefined || type === undefined) continue;
    const path = unescapeOctal(target);
    // A later mount hides an earlier one at the same place.
    mounts.delete(path);
    if (PSEUDO.has(type)) continue;
    mounts.set(path, {
      target: path,
      type,
      flags: (fields[5] ?? '').split(',').filter((flag) => KEPT.has(flag)),
    });
  }
  return [...mounts.values()];
}

/** The mount that a path lies on. */
export function mountOf(path: string, mounts: Mount[]): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    if (!isWithin(path, mount.target)) continue;
    if (best === undefined || mount.target.length >= best.target.length) best = mount;
  }
  return best;
}

/** True when `path` is `folder` or lies below it. Both absolute, `/`-separated, without `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** One field of an fstab line (`fstab(5)`: white space and backslash as octal). */
export function fstabField(text: string): string {
  return text.replace(/[\\\s#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
