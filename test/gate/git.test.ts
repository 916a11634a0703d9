import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspectGit } from '../../src/gate/git/inspect.ts';
import { gitState } from '../../src/gate/git/state.ts';
import { Ledger } from '../../src/gate/ledger/ledger.ts';

let folder: string;
const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-test-'));
  git('init', '-q', '-b', 'main');
  put('.gitignore', 'ignored\n');
  put('a', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the state of a git repository', () => {
  it.skipIf(process.platform === 'win32')('is read by no program of the project', async () => {
    const mark = join(folder, 'ran');
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    put('node_modules/.bin/git', `#!/bin/sh\n: >${mark}\nexec git "$@"\n`);
    chmodSync(join(folder, 'node_modules/.bin/git'), 0o755);
    mkdirSync(join(folder, 'sub'));
    vi.stubEnv('PATH', `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`);
    try {
      await gitState(join(folder, 'sub'));
      expect(existsSync(mark)).toBe(false);
      vi.stubEnv('PATH', join(folder, 'node_modules/.bin'));
      await expect(gitState(folder)).rejects.toThrow(/no git on the PATH outside of the project/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('is the same when nothing has changed', async () => {
    put('b', 'untracked\n');
    expect(await gitState(folder)).toEqual(await gitState(folder));
  });

  it.each<[string, () => void]>([
    ['a second edit of a file that is dirty already', () => put('a', 'three\n')],
    ['an edit of an untracked file', () => put('b', 'other\n')],
    ['a new file', () => put('c', '')],
    ['a deleted file', () => rmSync(join(folder, 'a'))],
    ['a mode', () => chmodSync(join(folder, 'a'), 0o755)],
    ['the index', () => git('add', 'b')],
    ['a commit', () => git('commit', '-qm', 'second', '--allow-empty')],
    ['another branch at the same commit', () => git('checkout', '-q', '-b', 'other')],
    ['a new tag', () => git('tag', 'x')],
    ['a hook', () => put('.git/hooks/pre-commit', '#!/bin/sh\n')],
    ['the configuration', () => git('config', 'x.y', 'z')],
    [
      'a merge that is not finished, and leaves files as they are',
      () => put('.git/MERGE_HEAD', git('rev-parse', 'side')),
    ],
    ['a hook in an ignored folder that the configuration names', () => put('ignored/pre-commit', 'other\n')],
    ['a file that the configuration includes', () => put('ignored/settings', '[x]\n\ty = z\n')],
    ['a file that is to be taken for unchanged', () => git('update-index', '--assume-unchanged', 'a')],
    ['a commit that stands in for another', () => git('replace', '-f', 'HEAD', 'side')],
    ['what a submodule has checked out', () => git('-C', 'sub', 'commit', '-qm', 'x', '--allow-empty')],
  ])('changes with %s', async (_, change) => {
    mkdirSync(join(folder, 'ignored'));
    put('ignored/pre-commit', '#!/bin/sh\n');
    put('ignored/settings', '[x]\n\ty = x\n');
    git('config', 'core.hooksPath', 'ignored');
    git('config', 'include.path', '../ignored/settings');
    git('checkout', '-q', '-b', 'side');
    git('commit', '-qm', 'aside', '--allow-empty');
    git('checkout', '-q', 'main');
    git('init', '-q', 'sub');
    git('-C', 'sub', 'commit', '-qm', 'first', '--allow-empty');
    git('add', 'sub');
    put('a', 'two\n');
    put('b', 'untracked\n');
    const before = await gitState(folder);
    change();
    expect(await gitState(folder)).not.toEqual(before);
  });

  it('does not change with what is ignored', async () => {
    const before = await gitState(folder);
    put('ignored', 'x');
    expect(await gitState(folder)).toEqual(before);
  });

  it('does not change with a ledger that was made in the project', async () => {
    const before = await gitState(folder);
    const ledger = await Ledger.open(join(folder, '.agentgate', 'ledger.jsonl'));
    await ledger.append({
      type: 'lock_drift_seen',
      proposal_id: null,
      server: 'git',
      actor: 'gate',
      payload: {},
    });
    expect(await gitState(folder)).toEqual(before);
  });

  it('is read without running anything that the repository says', async () => {
    const trap = join(folder, 'trap.sh');
    const sprung = join(folder, '.git', 'sprung');
    put('trap.sh', `#!/bin/sh\ntouch ${sprung}\ncat\n`);
    chmodSync(trap, 0o755);
    git('config', 'core.fsmonitor', trap);
    git('config', 'filter.x.clean', trap);
    git('config', 'filter.x.process', trap);
    git('config', 'core.pager', trap);
    git('config', 'core.editor', trap);
    git('config', 'diff.external', trap);
    git('config', 'core.hooksPath', folder);
    put('.gitattributes', '* filter=x\n');
    put('a', 'changed\n');
    rmSync(sprung, { force: true });
    await gitState(folder);
    expect(existsSync(sprung)).toBe(false);
    // The trap is a trap.
    git('status');
    expect(existsSync(sprung)).toBe(true);
  });

  it('of a folder that is none is refused', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    await expect(gitState(folder)).rejects.toMatchObject({ code: 'E_GIT_STATE' });
  });

  it('of a repository without a commit is a state, too', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    git('init', '-q');
    expect(await gitState(folder)).toMatchObject({ head: '' });
  });
});

describe('a git call', () => {
  const refused = (
    operation: Parameters<typeof inspectGit>[0],
    args: Parameters<typeof inspectGit>[1],
    at: string,
  ) =>
    expect(() => inspectGit(operation, args)).toThrow(
      expect.objectContaining({
        code: 'E_ARGS_INVALID',
        message: expect.stringContaining(JSON.stringify(at)),
      }),
    );

  it('is held', () => {
    const commit = {
      branch: 'main',
      commit_type: 'feat',
      scope: 'core',
      short_summary: 'add execution gate',
    };
    expect(inspectGit('commit', commit)).toMatchObject({ tier: 2, codes: [] });
    expect(inspectGit('commit', { message: 'fix(cli): say why\n\nBecause.' }).tier).toBe(2);
    expect(inspectGit('branch', { name: 'feature/x', base: 'main' }).tier).toBe(2);
    expect(inspectGit('push', { remote: 'origin', branch: 'main' })).toMatchObject({ tier: 2, codes: [] });
    expect(inspectGit('pr', { title: 'Add a gate', body: 'Text.', base: 'main' }).tier).toBe(2);
  });

  it('by force, or that deletes, says so', () => {
    expect(inspectGit('push', { branch: 'main', force: true }).codes).toEqual(['E_GIT_FORCE']);
    expect(inspectGit('push', { branch: 'main', force_with_lease: true }).codes).toEqual(['E_GIT_FORCE']);
    expect(inspectGit('branch', { name: 'x', delete: true }).codes).toEqual(['E_GIT_DELETE']);
    expect(inspectGit('push', { branch: 'x', delete: true, force: false }).codes).toEqual(['E_GIT_DELETE']);
  });

  it.each<[Parameters<typeof inspectGit>[0], Parameters<typeof inspectGit>[1], string]>([
    ['commit', { type: 'evil', summary: 'x' }, '/type'],
    ['commit', { type: 'feat', summary: 'x'.repeat(51) }, '/summary'],
    ['commit', { type: 'feat', summary: '-x' }, '/summary'],
    ['commit', { type: 'feat', summary: 'x\ny' }, '/summary'],
    ['commit', { type: 'feat', summary: 'x', scope: 'Core' }, '/scope'],
    ['commit', { type: 'feat', summary: 'x', scope: 'x'.repeat(16) }, '/scope'],
    ['commit', { type: 'feat', summary: 'x', author: 'me' }, '/author'],
    ['commit', { type: 'feat', summary: 'x', __proto__: null, constructor: 'x' }, '/constructor'],
    ['commit', { type: 'feat', commit_type: 'fix', summary: 'x' }, '/commit_type'],
    ['commit', { type: 'feat' }, '/summary'],
    ['commit', { message: 'whatever' }, '/message'],
    ['commit', { message: 'feat: x\nno empty line' }, '/message'],
    ['commit', { type: 'feat', summary: 'x', body: '--amend' }, '/body'],
    ['branch', { name: '-d' }, '/name'],
    ['branch', { name: 'a..b' }, '/name'],
    ['branch', { name: 'a.lock' }, '/name'],
    ['branch', { name: 'a b' }, '/name'],
    ['branch', { name: 'x', base: '--force' }, '/base'],
    ['push', { remote: '--upload-pack=x' }, '/remote'],
    ['push', { branch: '+main' }, '/branch'],
    ['push', { refspec: 'main:main' }, '/refspec'],
    ['push', { force: 'yes' }, '/force'],
    ['pr', { title: '--body' }, '/title'],
    ['commit', { type: 'feat', summary: 'x', repo_path: 'a', repo: 'b' }, '/repo'],
    ['commit', { type: 'feat', summary: ' --amend' }, '/summary'],
    ['commit', { type: 'feat', summary: 'x', body: '\n --amend' }, '/body'],
    ['pr', { body: 'x' }, '/title'],
  ])('%s %j is refused at %s', (operation, args, at) => refused(operation, args, at));
});
