import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitConfigFiles, sanitiseGitConfig } from '../../src/capture/git-credentials.ts';
import { launchText } from '../../src/capture/isolate-script.ts';
import { fileMounts, fstabField, isWithin, mountOf } from '../../src/capture/mount-table.ts';
import { type SandboxMount, sandboxView, type ViewInput } from '../../src/capture/sandbox-view.ts';
import { toolFolders } from '../../src/capture/tool-folders.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'view-test-')));
  for (const path of [
    'home/.ssh',
    'home/.cargo/bin',
    'home/project/sub',
    'home/.npm',
    'work/_temp',
    'work/repo/sub',
    'server/home',
  ]) {
    mkdirSync(join(base, path), { recursive: true });
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function view(cwd: string, root: string, changes: Partial<ViewInput> = {}): SandboxMount[] {
  return sandboxView({
    job: { PATH: '/usr/bin:/bin', HOME: join(base, 'home'), RUNNER_TEMP: join(base, 'work/_temp') },
    cwd: join(base, cwd),
    root: join(base, root),
    writable: [join(base, 'server/home')],
    overlays: [],
    readOnly: [],
    declared: [],
    home: 'private',
    docker: false,
    ...changes,
  }).mounts;
}

/** What a path looks like in the sandbox: the kind of the last mount that covers it. */
function seen(mounts: SandboxMount[], path: string): string {
  let last: SandboxMount | undefined;
  for (const mount of mounts)
    if (isWithin(path.startsWith('/') ? path : join(base, path), mount.target)) last = mount;
  if (last?.kind === 'bind') return last.writable ? 'writable' : 'read-only';
  return last?.kind ?? 'nothing';
}

describe.skipIf(process.platform !== 'linux')('what a sandbox shows', () => {
  it('its project, its folders and the system; not the home, not the temporary folders', () => {
    const mounts = view('work/repo/sub', 'work/repo');
    expect(['work/repo', 'work/repo/sub', 'server/home'].map((path) => seen(mounts, path))).toEqual([
      'read-only',
      'overlay',
      'writable',
    ]);
    expect(['home', 'home/.ssh', 'work/_temp', '/tmp/other'].map((path) => seen(mounts, path))).toEqual([
      'empty',
      'empty',
      'empty',
      'empty',
    ]);
    expect([
      seen(mounts, '/usr/bin'),
      seen(mounts, '/etc/hosts'),
      seen(mounts, '/run/docker.sock'),
      seen(mounts, '/root'),
    ]).toEqual(['read-only', 'read-only', 'nothing', 'nothing']);
  });

  it('a project below the home, without the rest of the home', () => {
    const mounts = view('home/project/sub', 'home/project');
    expect(['home/project', 'home/project/sub', 'home/.ssh'].map((path) => seen(mounts, path))).toEqual([
      'read-only',
      'overlay',
      'empty',
    ]);
  });

  it('the visible files of a home that is the working directory itself', () => {
    write('home/.netrc', 'secret');
    write('home/server.js', '');
    const mounts = view('home', 'home');
    expect(
      ['home/server.js', 'home/.ssh', 'home/.netrc', 'home/.npm'].map((path) => seen(mounts, path)),
    ).toEqual(['overlay', 'empty', 'file', 'empty']);
  });

  it("covers a home and a runner's folder that lie in the project", () => {
    const mounts = view('', '');
    expect(['work/repo', 'home/.ssh', 'work/_temp', 'server/home'].map((path) => seen(mounts, path))).toEqual(
      ['overlay', 'empty', 'empty', 'writable'],
    );
  });

  it('no folder that a config names outside of the project, nor one that a link in it leads to', () => {
    symlinkSync(join(base, 'home/.ssh'), join(base, 'work/repo/link'));
    symlinkSync('/proc/self', join(base, 'work/repo/self'));
    expect(seen(view('home/.ssh', 'work/repo'), 'home/.ssh')).toBe('empty');
    expect(seen(view('work/repo/link', 'work/repo'), 'home/.ssh')).toBe('empty');
    const mounts = view('work/repo/self', 'work/repo', {
      overlays: [join(base, 'work/repo/link')],
      job: { HOME: join(base, 'home'), PATH: join(base, 'work/repo/link') },
    });
    expect(seen(mounts, 'home/.ssh')).toBe('empty');
    expect(mounts.filter((mount) => mount.target.startsWith('/proc'))).toEqual([]);
  });

  it("folders below /tmp that the config names, but never the home or the runner's", () => {
    write('fixtures/a.db', '');
    const declared = [
      `--db=${join(base, 'fixtures/a.db')}`,
      join(base, 'home/.ssh'),
      join(base, 'work/_temp'),
      '/tmp',
      '/tmp/',
    ];
    const mounts = view('work/repo', 'work/repo', { declared });
    const isBelowTmp = base.startsWith('/tmp/');
    expect(seen(mounts, 'fixtures/a.db')).toBe(
      isBelowTmp ? 'read-only' : seen(view('work/repo', 'work/repo'), 'fixtures/a.db'),
    );
    expect([seen(mounts, 'home/.ssh'), seen(mounts, 'work/_temp')]).toEqual(['empty', 'empty']);
  });

  it('packages of a program below /tmp that the config names, and nothing else beside it', () => {
    for (const file of ['node_modules/a/dist/main.js', 'node_modules/b/main.js', 'bin/own.mjs', '.env'])
      write(`tools/${file}`, '');
    const hidden = seen(view('work/repo', 'work/repo'), 'tools/.env');
    for (const program of ['tools/node_modules/a/dist/main.js', 'tools/bin/own.mjs']) {
      const mounts = view('work/repo', 'work/repo', { declared: [join(base, program)] });
      const packages = base.startsWith('/tmp/') ? 'read-only' : hidden;
      expect([seen(mounts, program), seen(mounts, 'tools/node_modules/b/main.js')]).toEqual([
        packages,
        packages,
      ]);
      expect(seen(mounts, 'tools/.env')).toBe(hidden);
    }
  });

  it('repositories without their credentials', () => {
    write(
      'work/repo/.git/config',
      '[http "https://x/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n[core]\n\tbare = false\n',
    );
    const job = { HOME: join(base, 'home'), GITHUB_WORKSPACE: join(base, 'work/repo') };
    const mount = view('work/repo/sub', 'work/repo', { job }).find((entry) =>
      entry.target.endsWith('.git/config'),
    );
    expect(mount).toMatchObject({ kind: 'file', text: '[core]\n\tbare = false\n' });
  });

  it.runIf(tmpdir().startsWith('/tmp'))('so also one below /tmp that the config names a program of', () => {
    const checkouts = ['clone', 'clone/vendor/lib', 'clone/node_modules/own'];
    for (const folder of checkouts) {
      write(`${folder}/.git/config`, '[http "https://x/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n');
      write(`${folder}/main.js`, '');
    }
    const kinds = (program: string): string[] => {
      const mounts = view('work/repo', 'work/repo', { declared: [join(base, program)] });
      return checkouts.map((folder) => seen(mounts, `${folder}/.git/config`));
    };
    expect(kinds('clone/main.js').slice(0, 2)).toEqual(['file', 'file']);
    expect(kinds('clone/.git/config').slice(0, 2)).toEqual(['file', 'empty']);
    expect(kinds('clone/node_modules/own/main.js')[2]).toBe('file');
  });

  it('the home when the policy gives it', () => {
    expect(seen(view('work/repo', 'work/repo', { home: 'inherit' }), 'home/.ssh')).toBe('writable');
  });

  it('tools below the home, without the credentials beside them', () => {
    for (const path of [
      'home/.nvm/versions/node/v20/bin',
      'home/.docker/bin',
      'home/.local/bin',
      'home/.local/share/uv/tools',
    ]) {
      mkdirSync(join(base, path), { recursive: true });
    }
    const home = join(base, 'home');
    const path = ['.nvm/versions/node/v20/bin', '.cargo/bin', '.docker/bin', '.local/bin', '']
      .map((name) => join(home, name))
      .join(':');
    const folders = toolFolders(path, home, (folder) => isWithin(folder, home)).map((folder) =>
      folder.slice(home.length + 1),
    );
    expect(folders.sort()).toEqual([
      '.cargo/bin',
      '.docker/bin',
      '.local/bin',
      '.local/share/uv/tools',
      '.nvm/versions/node/v20',
      '.nvm/versions/node/v20/bin',
    ]);
  });
});

describe('git config without credentials', () => {
  it.each([
    ['[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n', '\n'],
    [
      '[credential]\n\thelper = store\n[core]\n\tsshCommand = ssh -i /key\n\tbare = false\n',
      '[core]\n\tbare = false\n',
    ],
    [
      '[remote "origin"]\n\turl = https://user:pass@host/r.git\n',
      '[remote "origin"]\n\turl = https://host/r.git\n',
    ],
    ['[remote "origin"] url = https://t@host/r.git\n', '[remote "origin"]\n url = https://host/r.git\n'],
    ['[includeIf "gitdir:/x"]\n\tpath = /runner/_temp/git-credentials.config\n', '\n'],
    ['[url "https://x:token@github.com/"]\n\tinsteadOf = https://github.com/\n', '\n'],
    ['[CORE]\n\tHTTPProxy = a \\\n  b\n\taskPass = x\n', '[CORE]\n'],
    ['[remote.origin]\nurl = ssh://git:pw@h/r\nproxy = http://u:p@h\n', '[remote.origin]\nurl = ssh://h/r\n'],
    ['not a config at all: token', '\n'],
  ])('%j', (text, expected) => expect(sanitiseGitConfig(text).replace(/\tHTTPProxy.*\n/, '')).toBe(expected));

  // Only Linux isolates.
  it.skipIf(process.platform === 'win32')(
    'finds the configs of submodules, worktrees and repositories below a workspace',
    () => {
      write('work/repo/.git/config', '');
      write('work/repo/.git/modules/a/b/HEAD', '');
      write('work/repo/.git/modules/a/b/config', '');
      write('work/repo/other/.git/config', '');
      write('work/repo/vendor/acme/lib/.git/config', '');
      write('work/repo/node_modules/odd/.git/config', '');
      write('work/tree/.git', `gitdir: ${join(base, 'work/repo/.git/worktrees/tree')}\n`);
      write('work/repo/.git/worktrees/tree/config.worktree', '');
      write('work/repo/.git/worktrees/tree/commondir', '../..\n');
      const inside = (files: string[]): string[] =>
        files
          .map((file) => file.slice(base.length + 1))
          .filter((file) => file.startsWith('work'))
          .sort();
      expect(inside(gitConfigFiles([join(base, 'work/repo/sub')], [join(base, 'work/repo')]))).toEqual([
        'work/repo/.git/config',
        'work/repo/.git/modules/a/b/config',
        'work/repo/.git/worktrees/tree/config.worktree',
        'work/repo/other/.git/config',
        'work/repo/vendor/acme/lib/.git/config',
      ]);
      expect(inside(gitConfigFiles([join(base, 'work/tree')], []))).toContain('work/repo/.git/config');
    },
  );
});

describe.skipIf(process.platform !== 'linux')("other servers' folders", () => {
  const before = process.env.TMPDIR;
  afterEach(() => {
    process.env.TMPDIR = before;
  });

  it('are hidden wherever the temporary folder lies, whatever a config names', () => {
    write('work/tmp/agentgate-1-abcdef/home/key', 'x');
    process.env.TMPDIR = join(base, 'work/tmp');
    for (const root of ['work/repo', 'work'])
      for (const declared of [[], [join(base, 'work/tmp')], [base]]) {
        const mounts = view('work/repo', root, { declared });
        expect(['nothing', 'empty']).toContain(seen(mounts, 'work/tmp/agentgate-1-abcdef/home/key'));
        expect(seen(mounts, 'work/repo')).toBe('overlay');
      }
  });

  it("are not shown, nor is the runner's own, where that is the temporary folder", () => {
    write('work/_temp/auth/key', 'x');
    process.env.TMPDIR = join(base, 'work/_temp');
    const mounts = view('work/repo', 'work/repo', { declared: [join(base, 'work/_temp/auth/key')] });
    expect(seen(mounts, 'work/_temp/auth')).toBe('empty');
  });

  it.runIf(tmpdir().startsWith('/tmp'))('are not shown where the temporary folder is the home', () => {
    process.env.TMPDIR = '/tmp';
    mkdirSync(join(base, '.aws'));
    const shown = (job: ViewInput['job']): string =>
      seen(view('work/repo', 'work/repo', { declared: [join(base, '.aws')], job }), '.aws');
    expect(shown({ HOME: '/tmp' })).toBe('empty');
    // What is everybody's temporary folder is not the runner's own.
    expect(shown({ HOME: '/root', RUNNER_TEMP: '/tmp' })).toBe('read-only');
  });

  it("are not shown where a terminal's socket is", () => {
    write('tmux-1000/default', '');
    const mounts = view('work/repo', 'work/repo', { declared: [join(base, 'tmux-1000/default')] });
    expect(seen(mounts, 'tmux-1000')).toBe(seen(view('work/repo', 'work/repo'), 'tmux-1000'));
  });

  it('are not the working directory', () => {
    process.env.TMPDIR = join(base, 'work');
    expect(['nothing', 'empty']).toContain(seen(view('work', 'work'), 'work/agentgate-1-abcdef/home'));
  });
});

describe('mount table', () => {
  it("reads paths, types and flags, and leaves out the kernel's own", () => {
    const text = [
      '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
      '22 27 0:21 / /proc rw,relatime - proc proc rw',
      '40 27 0:50 / /mnt/with\\040space rw,nosuid,nodev,noexec shared:1 master:2 - tmpfs tmpfs rw',
    ].join('\n');
    const mounts = fileMounts(text);
    expect(mounts.map(({ target, flags }) => [target, flags])).toEqual([
      ['/', ['relatime']],
      ['/mnt/with space', ['nosuid', 'nodev', 'noexec']],
    ]);
    expect(mountOf('/mnt/with space/x', mounts)?.type).toBe('tmpfs');
    expect(mountOf('/mnt/with', mounts)?.target).toBe('/');
  });

  it('writes fstab fields that cannot break a line', () => {
    expect(fstabField('/a b\tc\nd\\e#f')).toBe('/a\\040b\\011c\\012d\\134e\\043f');
  });
});

describe.skipIf(process.platform === 'win32')('launch text', () => {
  it('gives a shell exactly the arguments and variables', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '').toWellFormed());
    const show = 'process.stdout.write(JSON.stringify([process.argv.slice(1),process.env.V]))';
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (args, value) => {
        const input = launchText(process.execPath, ['-e', show, '--', ...args], new Map([['V', value]]), '/');
        const script = input.subarray(input.indexOf('\n') + 1).toString();
        const { stdout } = spawnSync('/bin/sh', ['-c', 'eval "$1"; exec "$@"', 'sh', script], {
          encoding: 'utf8',
        });
        expect(JSON.parse(stdout)).toEqual([args, value]);
      }),
      { numRuns: 15 },
    );
  });

  it('says its length in bytes and leaves out names that are none', () => {
    const text = launchText(
      'x',
      ['ü'],
      new Map([
        ['a-b', '1'],
        ['UID', '2'],
        ['OK', '3'],
      ]),
      '/',
    ).toString();
    expect(Number(text.split('\n')[0])).toBe(Buffer.byteLength(text.slice(text.indexOf('\n') + 1)));
    expect(text).toContain("export OK='3'");
    expect(text).not.toMatch(/a-b|UID/);
  });
});
