import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileCommandPaths, type JobEnvironment } from './environment.ts';
import { gitConfigFiles, sanitiseGitConfig } from './git-credentials.ts';
import { fileMounts, isWithin, type Mount } from './mount-table.ts';
import { realHome } from './package-caches.ts';
import { toolFolders } from './tool-folders.ts';

/** One mount of a sandbox; `target` is the path as the server sees it. */
export type SandboxMount =
  | { kind: 'bind'; source: string; target: string; writable: boolean }
  | { kind: 'overlay'; source: string; target: string }
  | { kind: 'empty'; target: string; mode: string }
  /** A file that is shown with other text. */
  | { kind: 'file'; target: string; text: string }
  /** A socket of the host. */
  | { kind: 'socket'; target: string };

export interface ViewInput {
  job: JobEnvironment;
  cwd: string;
  /** The project's folder: shown, read-only, also where it lies below the hidden home. */
  root: string;
  /** Folders that the server writes to and that stay. */
  writable: string[];
  /** Folders that it may write to, in a throw-away overlay. */
  overlays: string[];
  /** Folders shown read-only, also below a hidden one. */
  readOnly: string[];
  /** Values of the config in which paths below `/tmp` may be named: those are shown. */
  declared: string[];
  home: 'private' | 'inherit';
  docker: boolean;
}

export interface SandboxView {
  /** Entries of `/`: the symbolic links to make, and folders that are mounted or left empty. */
  links: Map<string, string>;
  folders: string[];
  mounts: SandboxMount[];
}

/** Top-level folders that are never shown as they are. */
const NOT_SHOWN = new Set(['proc', 'sys', 'dev', 'tmp', 'run', 'home', 'root', 'lost+found', 'snap']);
const NOT_CARRIED = ['/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/containers'];
const DOCKER_SOCKETS = [
  '/run/docker.sock',
  '/var/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
];

/**
 * What one server sees of the file system (`DESIGN.md` §5.1): everything read-only, but for its own folders; its
 * working directory as a throw-away overlay; homes, temporary folders, `/run`, the runner's own files and
 * credentials of repositories left out. Mounts are in the order to make them.
 */
export function sandboxView(input: ViewInput, mounts: Mount[] = fileMounts()): SandboxView {
  const { job } = input;
  const cwd = realpathSync(input.cwd);
  const root = realpathSync(input.root);
  const home = real(realHome(job));
  const runnerTemp = real(job.RUNNER_TEMP);
  const view: SandboxView = { links: new Map(), folders: [], mounts: [] };
  const hidden: string[] = ['/home', '/root', '/tmp', '/run', '/var/tmp', '/snap'];
  for (const path of [home, runnerTemp]) if (path !== undefined && path !== '/') hidden.push(path);
  const shown = topLevel(view);
  carryMounts(view, shown, mounts, hidden);

  for (const path of hidden) {
    const isTemporary = path === '/tmp' || path === '/var/tmp';
    const inShown = shown.some((top) => isWithin(path, top));
    if ((inShown || isTemporary) && isFolder(path)) {
      view.mounts.push({ kind: 'empty', target: path, mode: isTemporary ? '1777' : '0755' });
    }
  }
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  const exposed: string[] = [];
  const show = (path: string, kind: 'read' | 'write' | 'overlay'): void => {
    const source = real(path);
    if (source === undefined || !isFolder(source)) return;
    if (kind === 'read') {
      if (exposed.some((folder) => isWithin(source, folder))) return;
      if (!isHidden(source)) return;
    }
    exposed.push(source);
    if (kind === 'overlay') view.mounts.push({ kind, source, target: source });
    else view.mounts.push({ kind: 'bind', source, target: source, writable: kind === 'write' });
    // The name by which a program finds it may go over a symbolic link that is hidden itself.
    if (path !== source && isHidden(dirname(path)) && !exposed.some((folder) => isWithin(path, folder))) {
      view.mounts.push({ kind: 'bind', source, target: resolve(path), writable: kind === 'write' });
    }
  };

  const literalHome = realHome(job);
  if (input.home === 'inherit' && home !== undefined) show(home, 'write');
  // A root that is the home itself, or holds it, does not bring the home back.
  const rootHidesHome = [home, ...hidden].some((path) => path !== undefined && isWithin(path, root));
  if (!rootHidesHome) show(repositoryAround(root, isHidden), 'read');
  for (const folder of toolFolders(job.PATH ?? '', literalHome, isHidden)) show(folder, 'read');
  for (const folder of resolverFolders()) show(folder, 'read');
  for (const folder of declaredTemporary(input.declared)) {
    // Not by that way: the home or the runner's own folder, where they lie below a temporary one.
    const isSecret = [home, runnerTemp].some(
      (path) => path !== undefined && (isWithin(folder, path) || isWithin(path, folder)),
    );
    if (!isSecret) show(folder, 'read');
  }
  for (const folder of input.readOnly) show(folder, 'read');
  for (const folder of input.overlays) show(folder, 'overlay');
  if (cwd === home && input.home === 'private') showHomeAsCwd(view, cwd);
  // A working directory outside the project and below a hidden folder stays hidden: a config must not bring it back.
  else if (isWithin(cwd, root) || !isHidden(cwd) || exposed.some((folder) => isWithin(cwd, folder))) {
    if (!hidden.some((path) => isWithin(path, cwd))) show(cwd, 'overlay');
  }
  for (const folder of input.writable) show(folder, 'write');

  const isVisible = (path: string): boolean =>
    !isHidden(path) || exposed.some((folder) => isWithin(path, folder));
  const workspace = real(job.GITHUB_WORKSPACE);
  for (const file of gitConfigFiles([cwd, root], workspace === undefined ? [] : [workspace])) {
    if (isVisible(file))
      view.mounts.push({ kind: 'file', target: file, text: sanitiseGitConfig(textOf(file)) });
  }
  for (const file of secretFiles(job, runnerTemp, workspace)) {
    if (isVisible(file) && existsSync(file)) {
      if (isFolder(file)) view.mounts.push({ kind: 'empty', target: file, mode: '0755' });
      else view.mounts.push({ kind: 'file', target: file, text: '' });
    }
  }
  sockets(view, input, isVisible);
  sortByDepth(view);
  return view;
}

function topLevel(view: SandboxView): string[] {
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
function carryMounts(view: SandboxView, shown: string[], mounts: Mount[], hidden: string[]): void {
  for (const { target } of mounts) {
    const top = shown.find((folder) => isWithin(target, folder));
    if (top === undefined || top === target) continue;
    if (
      NOT_CARRIED.some((folder) => isWithin(target, folder)) ||
      hidden.some((folder) => isWithin(target, folder))
    )
      continue;
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats?.isDirectory() || stats?.isFile()) {
      view.mounts.push({ kind: 'bind', source: target, target, writable: false });
    }
  }
}

/** The home is the working directory: its visible files are shown, what starts with a dot is not. */
function showHomeAsCwd(view: SandboxView, home: string): void {
  view.mounts.push({ kind: 'overlay', source: home, target: home });
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    if (!entry.name.startsWith('.')) continue;
    const target = join(home, entry.name);
    if (entry.isDirectory()) view.mounts.push({ kind: 'empty', target, mode: '0755' });
    else if (entry.isFile()) view.mounts.push({ kind: 'file', target, text: '' });
  }
}

/** The top of the repository that a folder lies in, as far as that is below a hidden folder and not the folder itself. */
function repositoryAround(folder: string, isHidden: (path: string) => boolean): string {
  for (let top = folder; isHidden(dirname(top)); top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return top;
  }
  return folder;
}

/** Where `/etc/resolv.conf` and its like lead into `/run`. */
function resolverFolders(): string[] {
  const folders: string[] = [];
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf']) {
    const target = real(file);
    if (target !== undefined && isWithin(target, '/run') && dirname(target) !== '/run')
      folders.push(dirname(target));
  }
  return folders;
}

/** Folders below `/tmp` that the config itself names (a fixture's database, say); never `/tmp` as a whole. */
function declaredTemporary(values: string[]): string[] {
  const folders = new Set<string>();
  for (const value of values) {
    for (const [path] of value.matchAll(/\/(?:var\/)?tmp\/[^\s"':;,=]+/g)) {
      const target = real(path);
      if (target === undefined) continue;
      const folder = isFolder(target) ? target : dirname(target);
      const [, , inTmp] = /^\/(var\/)?tmp\/(.+)$/.exec(folder) ?? [];
      if (inTmp !== undefined && !/(^|\/)(ssh-|agentgate-|_runner_file_commands)/.test(inTmp))
        folders.add(folder);
    }
  }
  return [...folders];
}

/** Files that hold the job's secrets and may lie in a folder that is shown. */
function secretFiles(
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
      if (/^gha-creds-.*\.json$/.test(name)) files.push(join(workspace, name));
  }
  return files.map((file) => real(file)).filter((file) => file !== undefined);
}

function sockets(view: SandboxView, input: ViewInput, isVisible: (path: string) => boolean): void {
  const named = /^unix:\/\/(\/.+)$/.exec(input.job.DOCKER_HOST ?? '')?.[1];
  const found = new Set<string>();
  for (const path of [...DOCKER_SOCKETS, named]) {
    const target = real(path);
    if (target !== undefined && statSync(target).isSocket()) found.add(target);
  }
  for (const target of found) {
    if (input.docker) {
      if (isVisible(target)) continue;
      // Below `/run` there is nothing else; elsewhere a file cannot be made, and its folder comes along.
      const folder = dirname(target);
      if (isWithin(target, '/run')) view.mounts.push({ kind: 'socket', target });
      else if (!['/tmp', '/var/tmp', '/'].includes(folder)) {
        view.mounts.push({ kind: 'bind', source: folder, target: folder, writable: false });
      }
    } else if (isVisible(target)) view.mounts.push({ kind: 'file', target, text: '' });
  }
}

/** A deeper mount goes on top of what holds it; at the same place the later one wins. */
function sortByDepth(view: SandboxView): void {
  const last = new Map<string, SandboxMount>();
  for (const mount of view.mounts) {
    last.delete(mount.target);
    last.set(mount.target, mount);
  }
  const depth = (path: string): number => path.split('/').length;
  view.mounts = [...last.values()].sort((a, b) => depth(a.target) - depth(b.target));
}

/** Each mount costs time; an empty or unreadable folder looks the same without. */
function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return true;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A config that cannot be read is shown as an empty one. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function real(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
