import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTER_SCRIPT, RELAY_SCRIPT } from './isolate-script.ts';
import { fileMounts, fstabField, isWithin, type Mount, mountOf } from './mount-table.ts';
import type { SandboxMount, SandboxView } from './sandbox-view.ts';
import { acquireSkeleton, type SkeletonParts } from './skeleton.ts';

/** How a sandbox is made: who has the privilege for it. */
export type Mechanism = 'root' | 'sudo' | 'user-namespace';

/** A sandbox, ready to be entered: a folder with the scripts, the new root's skeleton and the mounts. */
export interface SandboxPlan {
  folder: string;
  /** The folder that becomes the root. */
  root: string;
  /** To be called when the sandbox has ended. */
  release: () => void;
  /** Names of the overlays' folders, to be made on the sandbox's own scratch file system. */
  overlayFolders: string[];
}

const DEVICE_LINKS = [
  ['/dev/ptmx', 'pts/ptmx'],
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/stdout', '/proc/self/fd/1'],
  ['/dev/stderr', '/proc/self/fd/2'],
] as const;

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/**
 * Writes a plan below `parent`. All mounts go through one `mount --all`: a process for each of them would cost more than all the rest.
 */
export function writeSandboxPlan(
  parent: string,
  view: SandboxView,
  mechanism: Mechanism,
  overlay: boolean,
): SandboxPlan {
  const folder = mkdtempSync(join(parent, 'sandbox-'));
  mkdirSync(join(folder, 'scratch'), { mode: 0o711 });
  const { root, release } = acquireSkeleton(skeletonParts(view));

  const lines: string[] = [];
  const overlayFolders: string[] = [];
  const add = (source: string, target: string, type: string, options: string): void => {
    lines.push(`${fstabField(source)} ${fstabField(join(root, target))} ${type} ${fstabField(options)} 0 0`);
  };
  add(root, '/', 'none', 'bind,ro,nosuid');
  // Read-only: root without capabilities may still write /proc/sys. Not so in a user namespace, where `unshare` itself
  // must write its map of users.
  add('proc', '/proc', 'proc', `${mechanism === 'user-namespace' ? 'rw' : 'ro'},nosuid,nodev,noexec`);
  // A new sysfs has none of the cgroup and debug file systems below; without privilege there is no /sys at all.
  if (mechanism !== 'user-namespace') add('sysfs', '/sys', 'sysfs', 'ro,nosuid,nodev,noexec');
  for (const name of DEVICES) {
    add(`/dev/${name}`, `/dev/${name}`, 'none', 'bind');
  }
  add('tmpfs', '/dev/shm', 'tmpfs', 'mode=1777,nosuid,nodev');
  add('devpts', '/dev/pts', 'devpts', 'newinstance,ptmxmode=0666,mode=620,nosuid,noexec');

  const mounts = fileMounts();
  for (const [index, mount] of view.mounts.entries()) {
    const { target } = mount;
    if (mount.kind === 'empty') {
      add('tmpfs', target, 'tmpfs', `mode=${mount.mode},nosuid,nodev,X-mount.mkdir`);
    } else if (mount.kind === 'file') {
      const source = join(folder, `file-${index}`);
      writeFileSync(source, mount.text);
      add(source, target, 'none', 'bind,ro,nosuid,nodev');
    } else if (mount.kind === 'socket') {
      add(target, target, 'none', 'bind');
    } else if (mount.kind === 'overlay' && overlay && !/[:,\\"]/.test(mount.source + folder)) {
      const [upper, work] = [`u${index}`, `w${index}`];
      overlayFolders.push(upper, work);
      const options = [
        `lowerdir=${mount.source}`,
        `upperdir=${join(folder, 'scratch', upper)}`,
        `workdir=${join(folder, 'scratch', work)}`,
        ...(mechanism === 'user-namespace' ? ['userxattr'] : []),
        'nosuid,nodev,X-mount.mkdir',
      ];
      add('overlay', target, 'overlay', options.join(','));
    } else {
      add(mount.source, target, 'none', bindOptions(mount, mounts, mechanism));
    }
  }
  writeFileSync(join(folder, 'fstab'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'enter.sh'), ENTER_SCRIPT);
  if (mechanism === 'sudo') writeFileSync(join(folder, 'relay.sh'), RELAY_SCRIPT);
  return { folder, root, overlayFolders, release };
}

/** What the root must hold: the places of mounts that no other mount brings with it. */
function skeletonParts(view: SandboxView): SkeletonParts {
  const holders = view.mounts.filter((mount) => mount.kind !== 'file' && mount.kind !== 'socket');
  const isBare = (path: string): boolean =>
    !holders.some((holder) => holder.target !== path && isWithin(path, holder.target));
  return {
    folders: [
      ...['/.old', '/proc', '/sys', '/dev/shm', '/dev/pts', '/tmp', '/run'],
      ...view.folders,
      ...holders.map((mount) => mount.target).filter(isBare),
    ],
    links: new Map([...view.links, ...DEVICE_LINKS]),
    files: [
      ...DEVICES.map((name) => `/dev/${name}`),
      ...view.mounts.filter((mount) => mount.kind === 'socket').map((mount) => mount.target),
    ],
  };
}

function bindOptions(
  mount: SandboxMount & { source: string },
  mounts: Mount[],
  mechanism: Mechanism,
): string {
  const writable = mount.kind === 'bind' && mount.writable;
  // A user namespace may not leave out what is mounted below, nor drop a mount's flags.
  const holdsMounts = mounts.some(
    (entry) => entry.target !== mount.source && isWithin(entry.target, mount.source),
  );
  const bind = mechanism === 'user-namespace' && holdsMounts ? 'rbind' : 'bind';
  const flags = new Set([...(mountOf(mount.source, mounts)?.flags ?? []), 'nosuid', 'nodev']);
  return [bind, writable ? 'rw' : 'ro', ...flags, 'X-mount.mkdir'].join(',');
}
