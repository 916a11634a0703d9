import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTER_SCRIPT, RELAY_SCRIPT } from './isolate-script.ts';
import { fileMounts, fstabField, isWithin, type Mount, mountOf } from './mount-table.ts';
import type { SandboxMount, SandboxView } from './sandbox-view.ts';

/** How a sandbox is made: who has the privilege for it. */
export type Mechanism = 'root' | 'sudo' | 'user-namespace';

/** A sandbox, ready to be entered: a folder with the scripts, the new root's skeleton and the mounts. */
export interface SandboxPlan {
  folder: string;
  /** Names of the overlays' folders, to be made on the sandbox's own scratch file system. */
  overlayFolders: string[];
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/**
 * Writes a plan below `parent`. The new root is a folder of our own, and all mounts go through one `mount --all`:
 * a process for each of them would cost more than all the rest.
 */
export function writeSandboxPlan(
  parent: string,
  view: SandboxView,
  mechanism: Mechanism,
  overlay: boolean,
): SandboxPlan {
  const folder = mkdtempSync(join(parent, 'sandbox-'));
  const root = join(folder, 'root');
  mkdirSync(join(folder, 'scratch'), { mode: 0o711 });
  mkdirSync(join(folder, 'files'));
  mkdirSync(root, { mode: 0o755 });
  const folders = ['/.old', '/proc', '/sys', '/dev/shm', '/dev/pts', '/tmp', '/run', ...view.folders];
  for (const path of folders) mkdirSync(join(root, path), { recursive: true });
  for (const [path, target] of view.links) symlinkSync(target, join(root, path));
  symlinkSync('pts/ptmx', join(root, 'dev/ptmx'));
  symlinkSync('/proc/self/fd', join(root, 'dev/fd'));
  for (const [index, name] of ['stdin', 'stdout', 'stderr'].entries()) {
    symlinkSync(`/proc/self/fd/${index}`, join(root, 'dev', name));
  }

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
    writeFileSync(join(root, 'dev', name), '');
    add(`/dev/${name}`, `/dev/${name}`, 'none', 'bind');
  }
  add('tmpfs', '/dev/shm', 'tmpfs', 'mode=1777,nosuid,nodev');
  add('devpts', '/dev/pts', 'devpts', 'newinstance,ptmxmode=0666,mode=620,nosuid,noexec');

  const mounts = fileMounts();
  const isMounted = view.mounts
    .filter((mount) => mount.kind !== 'file' && mount.kind !== 'socket')
    .map((mount) => mount.target);
  for (const [index, mount] of view.mounts.entries()) {
    const { target } = mount;
    if (!isMounted.some((path) => path !== target && isWithin(target, path))) {
      mkdirSync(join(root, mount.kind === 'socket' || mount.kind === 'file' ? dirname(target) : target), {
        recursive: true,
      });
    }
    if (mount.kind === 'empty') {
      add('tmpfs', target, 'tmpfs', `mode=${mount.mode},nosuid,nodev,X-mount.mkdir`);
    } else if (mount.kind === 'file') {
      const source = join(folder, 'files', String(index));
      writeFileSync(source, mount.text);
      add(source, target, 'none', 'bind,ro,nosuid,nodev');
    } else if (mount.kind === 'socket') {
      writeFileSync(join(root, target), '');
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
  return { folder, overlayFolders };
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
