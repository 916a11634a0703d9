import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by path; null deletes one. */
export type Files = Record<string, string | null>;

export interface Workspace {
  /** What the runner calls GITHUB_WORKSPACE. */
  path: string;
  base: string;
  head: string;
  merge: string;
  /** Commits further files on the pull request's branch and checks them out; gives the new head. */
  push(files: Files): string;
}

/**
 * A real git repository with a base branch and a pull request's branch, checked out as actions/checkout does:
 * `merge` is the merge commit with all history, `shallow` the same with depth 1, `head` the branch's own commit,
 * and `plain` has the files without any git.
 */
export function makeWorkspace(options: {
  base: Files;
  head?: Files;
  /** Committed on the base branch after the pull request's branch was made. */
  later?: Files;
  checkout?: 'merge' | 'shallow' | 'head' | 'plain';
  /** Symbolic links of the base branch: target and path. */
  links?: [target: string, path: string][];
}): Workspace {
  const { checkout = 'merge' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'agentgate-workspace-'));
  const origin = join(folder, 'origin');
  mkdirSync(origin);
  git(origin, 'init', '--quiet', '--initial-branch=main');
  git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  for (const [target, path] of options.links ?? []) symlinkSync(target, join(origin, path));
  commit(origin, options.base, 'base');
  git(origin, 'checkout', '--quiet', '-b', 'feature');
  const head = commit(origin, options.head ?? {}, 'head');
  git(origin, 'checkout', '--quiet', 'main');
  const base = options.later
    ? commit(origin, options.later, 'later on the base')
    : git(origin, 'rev-parse', 'HEAD');
  git(origin, 'checkout', '--quiet', '-b', 'merge');
  git(origin, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'feature');
  const merge = git(origin, 'rev-parse', 'HEAD');
  const path = join(folder, 'workspace');
  const branch = checkout === 'head' ? 'feature' : 'merge';
  const depth = checkout === 'shallow' ? ['--depth=1'] : [];
  git(folder, 'clone', '--quiet', ...depth, '--branch', branch, `file://${origin}`, path);
  if (checkout === 'plain') rmSync(join(path, '.git'), { recursive: true });
  return { path, base, head, merge, push: (files) => commit(path, files, 'pushed') };
}

function commit(repository: string, files: Files, message: string): string {
  for (const [name, text] of Object.entries(files)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  }
  git(repository, 'add', '--all');
  git(repository, 'commit', '--quiet', '--allow-empty', '-m', message);
  return git(repository, 'rev-parse', 'HEAD');
}

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.invalid',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.invalid',
    },
  }).trim();
}
