import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import type { Isolation } from '../../src/capture/types.ts';
import { NODE } from '../support/own-node.ts';
import { startJob, works } from '../support/run-job.ts';

const SECRET = 'ghs_thisIsTheTokenOfTheJob0123456789';
const hostile = fileURLToPath(new URL('../support/servers/hostile-server.mjs', import.meta.url));
const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const probe = isLinux ? await probeIsolation() : { overlay: false };
const hasSudo =
  isRoot &&
  process.env.AGENTGATE_TEST_SUDO === '1' &&
  existsSync('/usr/bin/sudo') &&
  existsSync('/etc/sudoers.d') &&
  works('getent', ['passwd', 'nobody']);

interface Told {
  found: string[];
  wrote: string[];
  did: string[];
  capabilities: string[];
  names: string[];
  uid: number;
  cwd: string;
}

/** A job's surroundings: workspace with git credentials, runner's folders, home, a daemon's socket. */
class Surroundings {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'job-')));
  readonly workspace = join(this.base, 'work', 'project');
  readonly temp = join(this.base, 'work', '_temp');
  readonly home = join(this.base, 'home', 'runner');
  readonly socket = join(this.base, 'docker.sock');
  server: Server | undefined;

  async make(): Promise<void> {
    const files = {
      'work/project/.mcp.json': '{}',
      'work/project/agentgate.lock': 'lock',
      'work/project/dist/index.js': 'code',
      'work/project/sub/x.txt': 'x',
      'work/project/.git/HEAD': 'ref: refs/heads/main\n',
      'work/project/.git/config': `[core]\n\tbare = false\n[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${SECRET}\n`,
      'work/project/.git/modules/inner/HEAD': 'ref: refs/heads/main\n',
      'work/project/.git/modules/inner/config': `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${SECRET}\n`,
      'work/project/gha-creds-1.json': SECRET,
      'work/_temp/secret': SECRET,
      'work/_temp/_runner_file_commands/set_env_1': SECRET,
      'home/runner/.ssh/id_ed25519': SECRET,
      'home/runner/.npmrc': `//registry.npmjs.org/:_authToken=${SECRET}`,
      'home/runner/bin/tool': '#!/bin/sh\necho tool\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.base, path)), { recursive: true });
      writeFileSync(join(this.base, path), text);
    }
    chmodSync(join(this.home, 'bin/tool'), 0o755);
    this.server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => this.server?.listen(this.socket, resolve));
    chmodSync(this.socket, 0o777);
  }

  give(uid: number): void {
    execFileSync('chown', ['-R', String(uid), this.base]);
    chownSync(this.base, uid, 0);
  }

  env(): Record<string, string> {
    return {
      PATH: `${join(this.home, 'bin')}:${process.env.PATH}`,
      HOME: this.home,
      'INPUT_GITHUB-TOKEN': SECRET,
      ACTIONS_RUNTIME_TOKEN: SECRET,
      GITHUB_TOKEN: SECRET,
      GITHUB_WORKSPACE: this.workspace,
      GITHUB_ENV: join(this.temp, '_runner_file_commands/set_env_1'),
      RUNNER_TEMP: this.temp,
      DOCKER_HOST: `unix://${this.socket}`,
    };
  }

  secretFiles(): string[] {
    return [
      join(this.workspace, '.git/config'),
      join(this.workspace, '.git/modules/inner/config'),
      join(this.workspace, 'gha-creds-1.json'),
      join(this.temp, 'secret'),
      join(this.temp, '_runner_file_commands/set_env_1'),
      join(this.home, '.ssh/id_ed25519'),
      join(this.home, '.npmrc'),
    ];
  }

  targets(): string[] {
    return [join(this.workspace, 'agentgate.lock'), join(this.workspace, 'dist/index.js')];
  }

  async attack(isolation: Isolation, prefix: string[] = []): Promise<{ isolation: unknown; told: Told }> {
    const question = JSON.stringify({
      secret: [...SECRET].reverse().join(''),
      files: this.secretFiles(),
      targets: this.targets(),
      sockets: [this.socket],
      marker: { pid: process.pid, mountNamespace: readlinkSync('/proc/self/ns/mnt') },
    });
    const job = startJob(
      { command: 'node', args: [hostile, question], cwd: this.workspace, root: this.workspace, isolation },
      this.env(),
      prefix,
    );
    const started = await job.line('isolation');
    const answer = await job.line('line');
    await job.ended;
    return { isolation: started.isolation, told: JSON.parse(String(answer.line)) as Told };
  }

  remove(): void {
    this.server?.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}

function expectNothing(told: Told): void {
  expect(told.found).toEqual([]);
  expect(told.did).toEqual([]);
  // Exactly the allow-list: nothing of sudo's or the shell's.
  expect(told.names).toEqual(['HOME', 'PATH', 'TEMP', 'TMP', 'TMPDIR', 'UV_CACHE_DIR', 'npm_config_cache']);
  expect(told.capabilities).toEqual([
    'CapInh=0000000000000000',
    'CapPrm=0000000000000000',
    'CapEff=0000000000000000',
    'CapBnd=0000000000000000',
    'CapAmb=0000000000000000',
    'NoNewPrivs=1',
  ]);
}

describe.skipIf(!isLinux || probe.mechanism === undefined)('a hostile server in namespaces', () => {
  const around = new Surroundings();
  beforeAll(() => around.make());
  afterAll(() => around.remove());

  it('finds no secret, has no privilege, and changes nothing', async () => {
    const { isolation, told } = await around.attack('auto');
    expect(isolation).toBe('namespaces');
    expectNothing(told);
    expect(told.cwd).toBe(around.workspace);
    // Its writes went to the overlay, and are gone.
    for (const target of around.targets()) expect(readFileSync(target, 'utf8')).not.toBe('hostile');
  });

  it('finds the secret when it is not isolated', async () => {
    const { isolation, told } = await around.attack('none');
    expect(isolation).toBe('none');
    expect(told.found.some((place) => place.startsWith('environ of'))).toBe(true);
    expect(told.found).toContain(join(around.workspace, '.git/config'));
    expect(told.found).toContain(join(around.temp, 'secret'));
    for (const target of around.targets()) writeFileSync(target, 'restored');
  });

  it('still sees its project, its tools and its own folders', async () => {
    const script =
      'cat sub/x.txt; tool; touch made && echo wrote; echo 1 > "$HOME/h" && echo home; echo 1 > "$TMPDIR/t" && echo tmp; ' +
      'node -p 1+1; grep -c bare .git/config; pwd; echo $$';
    const job = startJob(
      {
        command: 'sh',
        args: ['-c', script.replaceAll('; ', ' >&2; ')],
        cwd: around.workspace,
        root: around.workspace,
        isolation: 'strict',
      },
      around.env(),
    );
    const { stderr } = (await job.line('code')) as { stderr: string };
    await job.ended;
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining(['xtool', 'wrote', 'home', 'tmp', '2', '1', around.workspace]),
    );
    expect(existsSync(join(around.workspace, 'made'))).toBe(false);
  });

  it('has no network when the policy takes it away', async () => {
    const script = "require('net').connect(80,'192.0.2.1').on('error',e=>console.log(e.code))";
    const job = startJob(
      { command: 'node', args: ['-e', script], cwd: around.workspace, isolation: 'strict', network: 'none' },
      around.env(),
    );
    expect(await job.line('line')).toEqual({ line: 'ENETUNREACH' });
    expect((await job.line('isolation')).isolation).toBe('namespaces, no network');
    await job.ended;
  });

  it('gets the home back when the policy says so', async () => {
    const job = startJob(
      {
        command: 'sh',
        args: ['-c', 'cat ~/.npmrc; echo'],
        cwd: around.workspace,
        isolation: 'strict',
        home: 'inherit',
      },
      around.env(),
    );
    expect((await job.line('line')).line).toContain('_authToken');
    await job.ended;
  });

  it('gets odd values of variables and arguments unchanged', async () => {
    const odd = `a'b"c\\d $HOME \`id\` \n\t ü 🎉 ;&|`;
    const script = 'console.log(JSON.stringify([process.env.ODD,process.argv.slice(1)]))';
    const job = startJob(
      {
        command: 'node',
        args: ['-e', script, odd, '', '-n'],
        cwd: around.workspace,
        isolation: 'strict',
        env: { ODD: odd },
      },
      around.env(),
    );
    expect(JSON.parse(String((await job.line('line')).line))).toEqual([odd, [odd, '', '-n']]);
    await job.ended;
  });

  it('does not bring back a hidden folder that a config names as its working directory', async () => {
    const job = startJob(
      {
        command: 'cat',
        args: ['id_ed25519'],
        cwd: join(around.home, '.ssh'),
        root: around.workspace,
        isolation: 'strict',
      },
      around.env(),
    );
    const { code } = await job.line('code');
    expect(code).not.toBe(0);
    expect(JSON.stringify(job.lines)).not.toContain(SECRET);
    await job.ended;
  });

  it.each(['LD_PRELOAD', 'BASH_ENV', 'ENV', 'PATH', 'NODE_OPTIONS'])(
    'does not let %s act on what has privilege',
    async (name) => {
      const evil = join(around.workspace, 'evil.sh');
      writeFileSync(
        evil,
        `#!/bin/sh\necho privileged $(grep CapEff /proc/self/status) >&2\nexec /usr/bin/$(basename "$0") "$@"\n`,
      );
      for (const tool of ['mount', 'setpriv', 'head', 'umount']) {
        writeFileSync(join(around.workspace, tool), readFileSync(evil));
        chmodSync(join(around.workspace, tool), 0o755);
      }
      const value =
        name === 'PATH'
          ? `${around.workspace}:/usr/bin:/bin`
          : name === 'NODE_OPTIONS'
            ? '--no-warnings'
            : evil;
      const job = startJob(
        {
          command: '/bin/sh',
          args: ['-c', 'grep CapEff /proc/self/status'],
          cwd: around.workspace,
          isolation: 'strict',
          env: { [name]: value },
        },
        around.env(),
      );
      const answer = await job.line('line');
      await job.ended;
      expect(answer.line).toMatch(/^CapEff:\s+0+$/);
      expect(JSON.stringify(job.lines)).not.toContain('privileged');
    },
  );
});

describe.skipIf(!isLinux || !isRoot || probe.mechanism === undefined)(
  'a hostile server of a job that is not root',
  () => {
    const around = new Surroundings();
    const user = 65_533;
    const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
    beforeAll(async () => {
      await around.make();
      around.give(user);
    });
    afterAll(() => around.remove());

    it('finds no secret in a user namespace', async ({ skip }) => {
      if (!works('setpriv', [...asUser.slice(1), 'test', '-r', import.meta.filename]))
        skip('the other user cannot read this checkout');
      if (!works('setpriv', [...asUser.slice(1), 'unshare', '-Urm', 'true']))
        skip('user namespaces are not allowed here');
      const { isolation, told } = await around.attack('auto', asUser);
      expect(isolation).toBe('namespaces');
      expectNothing(told);
      expect(told.uid).toBe(user);
    });

    it.skipIf(!hasSudo)(
      'finds no secret behind sudo (AGENTGATE_TEST_SUDO=1: adds a user and a sudo rule, and removes them)',
      async () => {
        const rule = `/etc/sudoers.d/agentgate-test-${process.pid}`;
        writeFileSync(rule, `#${user} ALL=(ALL) NOPASSWD: ALL\n`, { mode: 0o440 });
        const passwd = readFileSync('/etc/passwd', 'utf8');
        try {
          execFileSync('useradd', ['-u', String(user), '-M', '-N', '-s', '/bin/sh', 'agentgate-test']);
          const { isolation, told } = await around.attack('strict', asUser);
          expect(isolation).toBe('namespaces');
          expectNothing(told);
          expect(told.uid).toBe(user);
        } finally {
          rmSync(rule, { force: true });
          execFileSync('userdel', ['agentgate-test']);
          expect(readFileSync('/etc/passwd', 'utf8')).toBe(passwd);
        }
      },
    );
  },
);

it('refuses to start without isolation when it is strict', async () => {
  const script = `
    const { chooseIsolation } = await import(${JSON.stringify(new URL('../../src/capture/isolate.ts', import.meta.url).href)});
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    console.log(JSON.stringify(await chooseIsolation('auto', 's')));
    await chooseIsolation('strict', 's').catch((error) => console.log(error.code));`;
  const out = execFileSync(NODE, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(out.trim().split('\n')).toEqual(['{"label":"none (darwin has no namespaces)"}', 'E_ISOLATION']);
});
