import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { real } from '../util/paths.ts';
import type { JobEnvironment } from './environment.ts';
import { gitConfigFiles, sanitiseGitConfig } from './git-credentials.ts';
import { guardMounts } from './guard-mounts.ts';
import { containerSockets, declaredTemporary, isFolder, resolverFolders, secretFiles } from './host-paths.ts';
import { fileMounts, isWithin, type Mount } from './mount-table.ts';
import { realHome } from './package-caches.ts';
import { carryMounts, topLevel } from './system-folders.ts';
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
  /** Files and folders inside of `writable` that stay read-only. */
  guarded?: string[];
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

/** Folders that are not shown, but for parts that are needed. With the kernel's own, `/proc/self` would be ours. */
const HIDDEN = ['/home', '/root', '/tmp', '/run', '/var/tmp', '/snap', '/proc', '/sys', '/dev'];

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
  const workspace = real(job.GITHUB_WORKSPACE);
  // Where every server has its private folders, wherever that is.
  const temporary = real(tmpdir());
  const view: SandboxView = { links: new Map(), folders: [], mounts: [] };
  const hidden = [...HIDDEN];
  const secret = [home, runnerTemp, temporary].flatMap((path) =>
    path === undefined || path === '/' ? [] : [path],
  );
  hidden.push(...secret);
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  const shown = topLevel(view);
  carryMounts(view, shown, mounts, isHidden);
  for (const target of ['/tmp', '/var/tmp']) {
    if (isFolder(target)) view.mounts.push({ kind: 'empty', target, mode: '1777' });
  }

  const exposed: string[] = [];
  // The project comes with the pull request: a symbolic link in it must not bring back a folder outside of it.
  const projects = [root, workspace].filter((path) => path !== undefined);
  const leadsOut = (path: string, source: string): boolean =>
    projects.some((project) => isWithin(resolve(path), project)) &&
    !projects.some((project) => isWithin(source, project));
  const show = (path: string, kind: 'read' | 'write' | 'overlay'): void => {
    const source = real(path);
    if (source === undefined || !isFolder(source) || leadsOut(path, source)) return;
    if (kind === 'read' && (!isHidden(source) || exposed.some((folder) => isWithin(source, folder)))) return;
    exposed.push(source);
    if (kind === 'overlay') view.mounts.push({ kind, source, target: source });
    else view.mounts.push({ kind: 'bind', source, target: source, writable: kind === 'write' });
    // The name by which a program finds it may go over a symbolic link that is hidden itself.
    if (path !== source && isHidden(dirname(path)) && !exposed.some((folder) => isWithin(path, folder))) {
      view.mounts.push({ kind: 'bind', source, target: resolve(path), writable: kind === 'write' });
    }
  };
  // A folder that is a home or a system's own folder, or holds one, is not shown as a project.
  const isProject = (folder: string): boolean =>
    folder !== home && folder !== temporary && !HIDDEN.some((path) => isWithin(path, folder));

  if (isProject(root)) show(repositoryAround(root, isHidden, isProject), 'read');
  for (const folder of toolFolders(job.PATH ?? '', realHome(job), isHidden)) show(folder, 'read');
  for (const folder of resolverFolders()) show(folder, 'read');
  // Not by that way: the home or the runner's own folder, where they lie below a temporary one or are it.
  const isShared = runnerTemp === temporary && (temporary === '/tmp' || temporary === '/var/tmp');
  const own = isShared ? [home] : [home, runnerTemp];
  const named = declaredTemporary(input.declared).filter(
    (folder) =>
      !secret.some((path) => isWithin(path, folder) || (own.includes(path) && isWithin(folder, path))),
  );
  for (const folder of named) show(folder, 'read');
  for (const folder of input.readOnly) show(folder, 'read');
  for (const folder of input.overlays) show(folder, 'overlay');
  if (cwd === home && input.home === 'private') showHomeAsCwd(view, cwd);
  // A working directory outside the project and below a hidden folder stays hidden: a config must not bring it back.
  else if (isProject(cwd) && (isWithin(cwd, root) || !isHidden(cwd) || isBelow(cwd, exposed)))
    show(cwd, 'overlay');
  for (const folder of input.writable) show(folder, 'write');
  view.mounts.push(...guardMounts(input));
  // Where they lie in something that is shown, they are covered.
  for (const path of secret) {
    if (path === home && input.home === 'inherit') continue;
    const isCovered = view.mounts.some((mount) => mount.target === path);
    if (!isCovered && (isBelow(path, shown) || isBelow(path, exposed))) {
      view.mounts.push({ kind: 'empty', target: path, mode: '0755' });
    }
  }
  if (input.home === 'inherit' && home !== undefined && home !== '/') show(home, 'write');

  const isVisible = (path: string): boolean => isShown(path, view.mounts);
  const checkouts = [
    ...(isProject(root) ? outermost(root, workspace) : []),
    ...named.filter((folder) => basename(folder) !== 'node_modules'),
  ];
  for (const file of gitConfigFiles([cwd, root, ...named], checkouts)) {
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
function repositoryAround(
  folder: string,
  isHidden: (path: string) => boolean,
  isProject: (path: string) => boolean,
): string {
  for (let top = folder; isProject(top) && isHidden(dirname(top)); top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return top;
  }
  return folder;
}

function sockets(view: SandboxView, input: ViewInput, isVisible: (path: string) => boolean): void {
  for (const target of containerSockets(input.job)) {
    if (!input.docker) {
      if (isVisible(target)) view.mounts.push({ kind: 'file', target, text: '' });
      continue;
    }
    if (isVisible(target)) continue;
    // Below `/run` there is nothing else; elsewhere a file cannot be made, and its folder comes along.
    const folder = dirname(target);
    if (isWithin(target, '/run')) view.mounts.push({ kind: 'socket', target });
    else if (!['/tmp', '/var/tmp', '/'].includes(folder)) {
      view.mounts.push({ kind: 'bind', source: folder, target: folder, writable: false });
    }
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

/** What covers a path last decides: a folder of the host, or an empty one. */
function isShown(path: string, mounts: SandboxMount[]): boolean {
  let last: SandboxMount | undefined;
  for (const mount of mounts) {
    if (mount.kind === 'file' || mount.kind === 'socket' || !isWithin(path, mount.target)) continue;
    if (last === undefined || mount.target.length >= last.target.length) last = mount;
  }
  return last !== undefined && last.kind !== 'empty';
}

/** The folders to look through for repositories. */
function outermost(root: string, workspace: string | undefined): string[] {
  if (workspace === undefined || isWithin(workspace, root)) return [root];
  return isWithin(root, workspace) ? [workspace] : [root, workspace];
}

function isBelow(path: string, folders: string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}

/** A config that cannot be read is shown as an empty one. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
