import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CLOUD_CREDENTIALS } from '../config/job-files.ts';
import { real } from '../util/paths.ts';
import { fileCommandPaths, type JobEnvironment } from './environment.ts';
import { isWithin } from './mount-table.ts';

const DOCKER_SOCKETS = [
  '/run/docker.sock',
  '/var/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
];

/** Where `/etc/resolv.conf` and its like lead into `/run`. */
export function resolverFolders(): string[] {
  const folders: string[] = [];
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf']) {
    const target = real(file);
    if (target !== undefined && isWithin(target, '/run') && dirname(target) !== '/run')
      folders.push(dirname(target));
  }
  return folders;
}

/**
 * Folders below `/tmp` that the config itself names (a fixture's database, say), and where Node looks for the packages of
 * a program in one: `node_modules` of the folders above. Never `/tmp` as a whole.
 */
export function declaredTemporary(values: string[]): string[] {
  const folders = new Set<string>();
  for (const value of values) {
    for (const [path] of value.matchAll(/\/(?:var\/)?tmp\/[^\s"':;,=]+/g)) {
      const target = real(path);
      if (target === undefined) continue;
      const folder = isFolder(target) ? target : dirname(target);
      if (!maybeShown(folder)) continue;
      folders.add(folder);
      for (let above = folder; maybeShown(above); above = dirname(above)) {
        const packages = basename(above) === 'node_modules' ? above : real(join(above, 'node_modules'));
        if (packages !== undefined && maybeShown(packages) && isFolder(packages)) folders.add(packages);
      }
    }
  }
  return [...folders];
}

/** Not where sockets are by which programs outside of the sandbox do as they are told (ssh's agent, tmux), nor our own. */
function maybeShown(folder: string): boolean {
  const [, , inTmp] = /^\/(var\/)?tmp\/(.+)$/.exec(folder) ?? [];
  return inTmp !== undefined && !/(^|\/)(ssh-|tmux-|agentgate-|_runner_file_commands)/.test(inTmp);
}

/** Files and folders that hold the job's secrets and may lie in a folder that is shown. Real paths. */
export function secretFiles(
  job: JobEnvironment,
  runnerTemp: string | undefined,
  workspace: string | undefined,
): string[] {
  const files = fileCommandPaths(job);
  for (const name of [
    'NPM_CONFIG_USERCONFIG',
    'npm_config_userconfig',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'KUBECONFIG',
  ]) {
    const file = job[name];
    if (file !== undefined && file !== '') files.push(file);
  }
  const socket = job.SSH_AUTH_SOCK;
  if (socket !== undefined && socket !== '') files.push(socket);
  if (runnerTemp !== undefined) {
    // A self-hosted runner's own folder is two above its temporary one.
    const runner = resolve(runnerTemp, '..', '..');
    for (const name of ['.credentials', '.credentials_rsaparams', '.runner', '.env', '_diag'])
      files.push(join(runner, name));
  }
  if (workspace !== undefined) {
    // google-github-actions/auth writes its credentials into the workspace.
    for (const name of readdirSync(workspace))
      if (CLOUD_CREDENTIALS.test(name)) files.push(join(workspace, name));
  }
  return files.map((file) => real(file)).filter((file) => file !== undefined);
}

/** The sockets by which containers are started here. Real paths. */
export function containerSockets(job: JobEnvironment): string[] {
  const named = /^unix:\/\/(\/.+)$/.exec(job.DOCKER_HOST ?? '')?.[1];
  const found = new Set<string>();
  for (const path of [...DOCKER_SOCKETS, named]) {
    const target = real(path);
    if (target !== undefined && statSync(target).isSocket()) found.add(target);
  }
  return [...found];
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
