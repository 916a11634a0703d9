import { createHash, hash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgentGateError } from '../../util/errors.ts';
import type { JsonObject } from '../../util/json.ts';
import { byCodeUnit } from '../../util/order.ts';
import { runGit } from './run-git.ts';

const MAX_FILES = 200_000;
/** Bytes of all files. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * What an approved git call depends on: HEAD, the branch, branches and tags, the index, the bytes of every tracked and
 * untracked file that is not ignored, and the repository's configuration and hooks, which a git call runs. Submodules
 * count by the commit in the index. File bytes are hashed here, not by git: `git status` misses a second edit of a file
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
  ]);
  const index = text(await runGit(root, ['ls-files', '-z', '-s']));
  const untracked = text(await runGit(root, ['ls-files', '-z', '-o', '--exclude-standard']));
  const paths = new Set(untracked.split('\0').filter((path) => path !== ''));
  for (const line of index.split('\0')) {
    const [meta = '', path] = splitOnce(line, '\t');
    if (path !== undefined && !meta.startsWith('160000')) paths.add(path);
  }
  const gitFolder = resolve(root, text(await runGit(root, ['rev-parse', '--git-common-dir'])).trim());
  return {
    head,
    branch,
    refs: hash('sha256', refs ?? '', 'hex'),
    index: hash('sha256', index, 'hex'),
    tree: await hashFiles(root, [...paths]),
    config: await configHash(gitFolder),
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

/** What git itself would run or be told: its configuration, hooks and attributes. */
async function configHash(folder: string): Promise<string> {
  const files = ['config', 'config.worktree', 'info/attributes', 'info/exclude'];
  try {
    for (const name of await readdir(join(folder, 'hooks')))
      if (!name.endsWith('.sample')) files.push(`hooks/${name}`);
  } catch {
    // A repository need not have the folder.
  }
  return await hashFiles(folder, files);
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
