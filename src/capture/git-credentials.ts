import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { repositoriesBelow } from './repositories.ts';

/** Sections of a repository's config that hold no credentials, but for what `sanitiseGitConfig` takes out. */
const SECTIONS = new Set(
  'core remote branch submodule extensions init pull push fetch merge user index gc lfs diff'.split(' '),
);
/** Keys that name a program or a file with a secret. */
const KEYS =
  /^(sshcommand|askpass|gitproxy|fsmonitor|hookspath|proxy|.*(pass|token|secret|auth|header|cookie|key|cert).*)$/i;

/**
 * A repository's config without credentials: `actions/checkout` writes the job's token there as
 * `http.<url>.extraheader`. Only known sections stay; user-info is taken out of URLs.
 */
export function sanitiseGitConfig(text: string): string {
  const kept: string[] = [];
  let keep = false;
  for (const raw of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    let line = raw;
    const header = /^\s*\[\s*([^\]\s"]+)\s*(?:"(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line);
    if (header !== null) {
      keep = SECTIONS.has((header[1] ?? '').split('.')[0]?.toLowerCase() ?? '');
      if (keep) kept.push(withoutUserInfo(line.slice(0, line.length - (header[2] ?? '').length)));
      line = header[2] ?? '';
    }
    const key = /^\s*([A-Za-z][A-Za-z0-9-]*)/.exec(line)?.[1];
    if (keep && key !== undefined && !KEYS.test(key)) kept.push(withoutUserInfo(line));
  }
  return `${kept.join('\n')}\n`;
}

function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s"@]*@/gi, '$1');
}

/**
 * The config files of every repository that a server could see: the ones around the given folders, those in a workspace
 * (checked out by `path:`), their submodules and worktrees. Real paths. Throws as {@link repositoriesBelow} does.
 */
export function gitConfigFiles(folders: string[], workspaces: string[]): string[] {
  const gitFolders = new Set<string>();
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      addGitFolder(gitFolders, folder);
      if (folder === dirname(folder)) break;
    }
  }
  for (const workspace of workspaces)
    for (const folder of repositoriesBelow(workspace)) addGitFolder(gitFolders, folder);
  const files = new Set<string>();
  for (const gitFolder of gitFolders) {
    addConfigs(files, gitFolder);
    addNestedConfigs(files, join(gitFolder, 'modules'), 0);
    for (const name of namesIn(join(gitFolder, 'worktrees')))
      addConfigs(files, join(gitFolder, 'worktrees', name));
  }
  return [...files];
}

/** What a config needs to hold, or to name a file that holds, a credential. */
const CREDENTIAL = /extraheader|include|password|token|secret|helper|cookie|:\/\/[^/\s"]*@/i;

/** True when a repository in or below a folder has, or may have, credentials in its configuration, or cannot be read. */
export function hasCredentials(folder: string): boolean {
  if (folder.split(sep).includes('.git')) return true;
  try {
    return gitConfigFiles([], [folder]).some((file) => CREDENTIAL.test(readFileSync(file, 'utf8')));
  } catch {
    return true;
  }
}

function addGitFolder(gitFolders: Set<string>, folder: string): void {
  const dotGit = join(folder, '.git');
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    gitFolders.add(dotGit);
    return;
  }
  // A worktree or submodule: `.git` is a file that names the folder, which may name the main one in turn.
  const named = /^gitdir:\s*(.+)$/m.exec(textOf(dotGit))?.[1];
  if (named === undefined) return;
  const gitFolder = resolve(folder, named.trim());
  gitFolders.add(gitFolder);
  const common = textOf(join(gitFolder, 'commondir')).trim();
  if (common !== '') gitFolders.add(resolve(gitFolder, common));
}

function addConfigs(files: Set<string>, folder: string): void {
  for (const name of ['config', 'config.worktree']) {
    try {
      const real = realpathSync(join(folder, name));
      if (statSync(real).isFile()) files.add(real);
    } catch {
      // There is none.
    }
  }
}

/** Submodules nest: `modules/a/modules/b`, and a name may hold slashes. */
function addNestedConfigs(files: Set<string>, folder: string, depth: number): void {
  if (depth > 8 || files.size > 500) return;
  for (const name of namesIn(folder)) {
    const inner = join(folder, name);
    if (existsSync(join(inner, 'HEAD'))) {
      addConfigs(files, inner);
      addNestedConfigs(files, join(inner, 'modules'), depth + 1);
    } else if (statSync(inner, { throwIfNoEntry: false })?.isDirectory()) {
      addNestedConfigs(files, inner, depth + 1);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return statSync(file).size > 65_536 ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
