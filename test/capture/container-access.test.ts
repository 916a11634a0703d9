import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confineContainer } from '../../src/capture/container-access.ts';
import { withContainerId } from '../../src/capture/docker-fetch.ts';
import { createPrivateFolders, type PrivateFolders } from '../../src/capture/private-folders.ts';

let base: string;
let folders: PrivateFolders;
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'container-')));
  for (const path of ['bin', 'project/data', 'project/tools', 'project/clone/.git', 'home'])
    mkdirSync(join(base, path), { recursive: true });
  for (const path of ['bin/docker', 'project/tools/docker']) {
    writeFileSync(join(base, path), '#!/bin/sh\n');
    chmodSync(join(base, path), 0o755);
  }
  writeFileSync(join(base, 'project/clone/.git/config'), '[http]\n\textraheader = AUTHORIZATION: basic x\n');
  symlinkSync('/', join(base, 'project/out'));
  folders = await createPrivateFolders();
});
afterEach(async () => {
  await folders.remove();
  rmSync(base, { recursive: true, force: true });
});

function confine(
  args: string[],
  env: Record<string, string> = {},
  command = 'docker',
  path = join(base, 'bin'),
) {
  const cwd = join(base, 'project');
  const given = { transport: 'stdio' as const, command, args, env: new Map(Object.entries(env)), cwd };
  return confineContainer(given, {
    server: 'tested',
    folders,
    isolation: 'auto',
    root: cwd,
    job: { PATH: path },
  });
}

const args = (given: string[]): string[] => confine(given).launch.args;

describe.skipIf(process.platform === 'win32')('a container server', () => {
  it.each([
    [['run', '-i', '--rm', 'img', '--privileged', '-v', '/:/x']],
    [['run', '-it', '--rm', '-e', 'TOKEN', '-eA=b', '--env=C=d', '--name=x', '-p8080:80', 'img']],
    [
      [
        'container',
        'run',
        '--network',
        'none',
        '--security-opt=no-new-privileges',
        '-v',
        'volume:/data',
        'img',
      ],
    ],
    [['run', '--mount', 'type=tmpfs,destination=/x', '--rm=true', 'img']],
  ])('that asks for a container only has its arguments: %j', (given) => {
    expect(confine(given).daemon).toBe(true);
    expect(args(given)).toEqual(given);
  });

  it.each([
    [['run', '--privileged', 'img']],
    [['run', '-i', '--pid=host', 'img']],
    [['run', '--pid', 'host', 'img']],
    [['run', '--network=host', 'img']],
    [['run', '--net', 'container:other', 'img']],
    [['run', '--cap-add=SYS_ADMIN', 'img']],
    [['run', '--device=/dev/sda', 'img']],
    [['run', '--volumes-from', 'other', 'img']],
    [['run', '--userns=host', 'img']],
    [['run', '--ipc=host', 'img']],
    [['run', '--security-opt', 'seccomp=unconfined', 'img']],
    [
      [
        'run',
        '--mount',
        'type=volume,dst=/x,volume-opt=type=none,volume-opt=o=bind,volume-opt=device=/',
        'img',
      ],
    ],
    [['run', '--volume-driver=local', 'img']],
    [['run', '--cidfile=/dev/null', 'img']],
    [['run', '--runtime', 'x', 'img']],
    [['-H', 'unix:///x.sock', 'run', 'img']],
    [['exec', '-i', 'other', 'sh']],
    [['compose', 'run', 'x']],
    [['--config', '.', 'run', 'img']],
    [[]],
  ])('that asks for the host is refused: %j', (given) => {
    expect(() => confine(given)).toThrowError(expect.objectContaining({ code: 'E_CONTAINER' }));
  });

  it.each(['PATH', 'LD_PRELOAD', 'DOCKER_HOST', 'DOCKER_CONFIG', 'HOME', 'XDG_CONFIG_HOME'])(
    'that turns the tool by its variable %s is refused',
    (name) => {
      expect(() => confine(['run', 'img'], { [name]: 'x' })).toThrowError(/by its variable/);
    },
  );

  it("sees folders of the project read-only, and none of the host's", () => {
    const data = join(base, 'project/data');
    const empty = join(folders.tmpdir, 'agentgate-empty');
    expect(args(['run', '-v', `${data}:/data`, '-v./data:/d:rw', 'img'])).toEqual([
      'run',
      '-v',
      `${data}:/data:ro`,
      `-v${data}:/d:ro`,
      'img',
    ]);
    for (const source of [
      '/',
      join(base, 'home'),
      join(base, 'project/out'),
      join(base, 'project/clone'),
      join(base, 'project'),
      '~/x',
      join(base, 'project/none'),
    ]) {
      expect(args(['run', `--volume=${source}:/x`, 'img'])[1]).toBe(`--volume=${empty}:/x:ro`);
      expect(args(['run', '--mount', `type=bind,src=${source},dst=/x`, 'img'])[2]).toBe(
        `type=bind,source=${empty},target=/x,readonly`,
      );
    }
  });

  it('has the folders that it may write to as they are declared', () => {
    const cwd = join(base, 'project');
    const given = ['run', '-v', `${cwd}:/w`, '--mount', `type=bind,src=${cwd}/data,dst=/x`, 'img'];
    const launch = { transport: 'stdio' as const, command: 'docker', args: given, env: new Map(), cwd };
    const options = { server: 'tested', folders, isolation: 'auto' as const, root: cwd, keeps: [cwd] };
    const confined = confineContainer(launch, { ...options, job: { PATH: join(base, 'bin') } });
    expect(confined.launch.args).toEqual(given);
  });

  it('has no network when the policy says so', () => {
    const cwd = join(base, 'project');
    const of = (given: string[]): string[] => {
      const launch = { transport: 'stdio' as const, command: 'docker', args: given, env: new Map(), cwd };
      const options = { server: 'tested', folders, isolation: 'auto' as const, network: 'none' as const };
      return confineContainer(launch, { ...options, job: { PATH: join(base, 'bin') } }).launch.args;
    };
    expect(of(['container', 'run', '-i', 'img'])).toEqual([
      'container',
      'run',
      '--network=none',
      '-i',
      'img',
    ]);
    expect(of(['run', '--net', 'mine', '--network=x', 'img'])).toEqual([
      'run',
      '--net',
      'none',
      '--network=none',
      'img',
    ]);
  });

  it('is known by its id, so that it can be ended, whatever is handed to the container', () => {
    const given = confine(['run', '-d', 'img', '--cidfile=x']).launch;
    expect(withContainerId(given, folders).args[1]).toMatch(/^--cidfile=/);
  });

  it('that the project brings itself runs without the daemon', () => {
    const tools = join(base, 'project/tools');
    for (const [command, path] of [
      ['./tools/docker', join(base, 'bin')],
      ['docker', tools],
      ['docker', `${tools}:${join(base, 'bin')}`],
      ['docker', `tools:${join(base, 'bin')}`],
    ] as const)
      expect(confine(['run', '--privileged', 'img'], {}, command, path).daemon).toBe(false);
  });
});
