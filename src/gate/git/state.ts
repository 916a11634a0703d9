import { createHash, hash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AgentGateError } from '../../util/errors.ts';
import type { JsonObject } from '../../util/json.ts';
import { byCodeUnit } from '../../util/order.ts';
import { runGit } from './run-git.ts';

const MAX_FILES = 200_000;
const MAX_SUBMODULES = 200;
/** In the folder of a working tree: what the next commit would finish, and so have for a parent. */
const UNFINISHED = [
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'SQUASH_MSG',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'sequencer/todo',
  'rebase-merge/git-rebase-todo',
  'rebase-apply/next',
] as const;
/** In the folder of the repository. */
const TOLD = ['info/attributes', 'info/exclude', 'info/grafts', 'info/sparse-checkout', 'shallow'] as const;
/** Bytes of all files. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * What an approved git call depends on: HEAD, the branch, branches and tags, the index, the bytes of every tracked and
 * untracked file that is not ignored, a merge that is not finished, and the repository's configuration and hooks, wherever
 * they are, which a git call runs. Submodules count by their commits, in the index and checked out. File bytes are hashed here, not by git: `git status` misses a second edit of a file
 * that is dirty already, and `git add` runs filters. Throws `E_GIT_STATE`.
 */
export async function gitState(folder: string): Promise<JsonObject> {
  const top = await runGit(folder, ['rev-parse', '--show-toplevel']);
  const root = text(top).replace(/\n$/, '');
  if (root === '') throw new AgentGateError('E_GIT_STATE', `${folder} is in no git working tree.`);
  const head = text(await runGit(root, ['rev-parse', '--verify', '-q', 'HEAD^{commit}'], true)).trim();
  const branch = text(await runGit(root, ['symbolic-ref', '-q', 'HEAD'], true)).trim();
  const refs = await runGit(root, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads',
    'refs/tags',
    'refs/replace',
  ]);
  // With -v: a file that git was told to take for unchanged is not committed.
  const index = text(await runGit(root, ['ls-files', '-z', '-s', '-v']));
  const untracked = text(await runGit(root, ['ls-files', '-z', '-o', '--exclude-standard']));
  const paths = new Set(untracked.split('\0').filter((path) => path !== ''));
  const submodules: string[] = [];
  for (const line of index.split('\0')) {
    const [meta = '', path] = splitOnce(line, '\t');
    if (path === undefined) continue;
    if (/^\S 160000 /.test(meta)) submodules.push(path);
    else paths.add(path);
  }
  const folderOf = async (flag: string): Promise<string> =>
    resolve(root, text(await runGit(root, ['rev-parse', flag])).replace(/\n$/, ''));
  return {
    head,
    branch,
    refs: hash('sha256', refs ?? '', 'hex'),
    index: hash('sha256', index, 'hex'),
    tree: await hashFiles(root, [...paths]),
    submodules: await checkedOut(root, submodules),
    unfinished: await hashFiles(await folderOf('--git-dir'), [...UNFINISHED]),
    config: await configHash(root, await folderOf('--git-common-dir')),
  };
}

/** Over path, kind, executable bit and bytes of each, in the order of their paths. */
async function hashFiles(root: string, paths: string[]): Promise<string> {
  if (paths.length > MAX_FILES) throw tooMuch();
  const all = createHash('sha256');
  let bytes = 0;
  for (const path of paths.sort(byCodeUnit)) {
    const file = join(root, path);
    let line = 'gone';
    try {
      const stats = await lstat(file);
      if (stats.isSymbolicLink()) line = `link ${hash('sha256', await readlink(file), 'hex')}`;
      else if (stats.isFile()) {
        bytes += stats.size;
        if (bytes > MAX_BYTES) throw tooMuch();
        const mode = (stats.mode & 0o111) === 0 ? 'file' : 'program';
        line = `${mode} ${hash('sha256', await readFile(file), 'hex')}`;
      } else line = 'other';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
    all.update(`${path}\0${line}\n`);
  }
  return all.digest('hex');
}

/** What git itself would run or be told: its configuration with all that it includes, hooks and attributes. */
async function configHash(root: string, folder: string): Promise<string> {
  const settings: string[] = [];
  for (const scope of ['--local', '--worktree'])
    settings.push(text(await runGit(root, ['config', '--list', '-z', '--includes', scope], true)));
  const parts = [hash('sha256', settings.join('\0\0'), 'hex')];
  parts.push(await hashFiles(folder, ['config', 'config.worktree', ...TOLD]));
  // Where hooks are is a setting; that folder is often an ignored one.
  const places = settings.flatMap((list) => [...list.matchAll(/(?:^|\0)core\.hookspath\n([^\0]*)/g)]);
  const hooks = [join(folder, 'hooks'), ...places.map(([, path = '']) => resolve(root, atHome(path)))];
  for (const place of hooks) parts.push(await hashFiles(place, await namesIn(place)));
  return hash('sha256', parts.join('\n'), 'hex');
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.endsWith('.sample'));
  } catch {
    // A repository need not have the folder.
    return [];
  }
}

function atHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

/** The commit that each submodule has checked out: "commit all" takes it. */
async function checkedOut(root: string, paths: readonly string[]): Promise<string> {
  if (paths.length > MAX_SUBMODULES) throw tooMuch();
  const heads: string[] = [];
  for (const path of paths) {
    const folder = join(root, path);
    const top = text(await runGit(folder, ['rev-parse', '--show-toplevel'], true)).replace(/\n$/, '');
    const head = await runGit(folder, ['rev-parse', '--verify', '-q', 'HEAD^{commit}'], true);
    // One that is not checked out is a folder of the repository around it.
    heads.push(`${path}\0${top === root ? '' : text(head).trim()}`);
  }
  return hash('sha256', heads.join('\n'), 'hex');
}

function tooMuch(): AgentGateError {
  return new AgentGateError(
    'E_GIT_STATE',
    'The working tree is too large to be bound to an approval; ignore what is not the project’s.',
  );
}

function text(bytes: Buffer | undefined): string {
  return bytes?.toString('utf8') ?? '';
}

function splitOnce(line: string, separator: string): [string, string | undefined] {
  const at = line.indexOf(separator);
  return at === -1 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)];
}
