import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dockerImage } from '../../src/capture/docker-fetch.ts';
import { installError } from '../../src/capture/fetch.ts';
import { installServer } from '../../src/capture/install.ts';
import { lastWords } from '../../src/capture/last-words.ts';
import { npxArguments, parseNpmSpec, parseNpxArgs } from '../../src/capture/npx-args.ts';
import { npxFolder } from '../../src/capture/npx-folder.ts';
import { createPrivateFolders, type PrivateFolders } from '../../src/capture/private-folders.ts';
import { startServer } from '../../src/capture/process.ts';
import { resolveSource } from '../../src/capture/resolved-source.ts';
import type { Isolation } from '../../src/capture/types.ts';
import type { ResolvedStdio } from '../../src/config/types.ts';
import { type FakeRegistry, integrityOf, startRegistry } from '../support/registry.ts';

const TOKEN = 'npm_tokenOfTheRegistry0123456789';
const printing =
  '#!/usr/bin/env node\nconsole.log(JSON.stringify({argv:process.argv,env:process.env,cwd:process.cwd()}))\n';
const scripted = {
  name: 'scripted',
  version: '1.0.0',
  manifest: { bin: 'bin/run.js', scripts: { postinstall: 'node post.js' } },
  files: {
    'bin/run.js':
      '#!/usr/bin/env node\nconsole.log(require("fs").readFileSync(__dirname+"/../built","utf8"))\n',
    // Looks for the credentials that the fetch had, and tries to change another package.
    'post.js': `const fs=require('fs'),path=require('path');let seen=JSON.stringify(process.env);
      for(const d of [process.env.HOME,path.dirname(process.env.npm_config_userconfig||'/x/y'),process.env.npm_config_cache])try{for(const n of fs.readdirSync(d))try{seen+=fs.readFileSync(path.join(d,n),'utf8')}catch{}}catch{}
      let wrote=false;try{fs.writeFileSync(path.join(process.env.npm_config_cache,'evil'),'x');wrote=true}catch{}
      fs.writeFileSync('built',JSON.stringify({seen,wrote}))`,
  },
};
const server = {
  name: '@fake/env-server',
  version: '1.2.3',
  manifest: { bin: { 'env-server': 'bin/run.js' }, dependencies: { inner: '^1.0.0' } },
  files: { 'bin/run.js': printing },
};
const inner = { name: 'inner', version: '1.4.0', files: { 'index.js': '' } };
const failing = {
  name: 'failing',
  version: '1.0.0',
  manifest: { bin: 'bin/run.js', scripts: { install: 'exit 9' } },
  files: { 'bin/run.js': printing },
};
/** Only an optional dependency cannot be built; another one, and one that is needed, can. */
const spared = {
  name: 'spared',
  version: '1.0.0',
  manifest: {
    bin: 'bin/run.js',
    dependencies: { scripted: '1.0.0' },
    optionalDependencies: { failing: '1.0.0', built: '1.0.0' },
  },
  files: {
    'bin/run.js': `#!/usr/bin/env node
      const there=(name)=>{try{require.resolve(name);return true}catch{return false}};
      console.log(JSON.stringify(['failing/bin/run.js','scripted/built','built/built'].map(there)))`,
  },
};
const built = { ...scripted, name: 'built', manifest: { scripts: scripted.manifest.scripts } };
const demanding = {
  ...spared,
  name: 'demanding',
  manifest: { bin: 'bin/run.js', dependencies: { failing: '1.0.0' } },
};

let registry: FakeRegistry;
let base: string;
let folders: PrivateFolders;

beforeAll(async () => {
  registry = await startRegistry([server, inner, scripted, failing, spared, built, demanding], TOKEN);
});
afterAll(() => registry.close());
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'install-test-')));
  mkdirSync(join(base, 'project'));
  mkdirSync(join(base, 'home'));
  const host = new URL(registry.url).host;
  writeFileSync(
    join(base, 'home/.npmrc'),
    `registry=${registry.url}\n//${host}/:_authToken=\${NODE_AUTH_TOKEN}\n`,
  );
  registry.requests.length = 0;
  folders = await createPrivateFolders();
});
afterEach(async () => {
  await folders.remove();
  rmSync(base, { recursive: true, force: true });
});

function job(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: join(base, 'home'), NODE_AUTH_TOKEN: TOKEN };
}

function npx(...args: string[]): ResolvedStdio {
  return { transport: 'stdio', command: 'npx', args, env: new Map(), cwd: join(base, 'project') };
}

function options(isolation: Isolation = 'auto', changes = {}): Parameters<typeof installServer>[1] {
  return { server: 'tested', folders, isolation, job: job(), root: join(base, 'project'), ...changes };
}

async function run(
  launch: ResolvedStdio,
  isolation: Isolation = 'auto',
): Promise<{ argv: string[]; env: Record<string, string>; cwd: string }> {
  const process = await startServer(launch, options(isolation));
  let text = '';
  for await (const chunk of process.stdout) text += String(chunk);
  await process.end();
  if (text === '') throw new Error(process.stderrTail());
  return JSON.parse(text);
}

const usable = process.platform !== 'win32';

describe.skipIf(!usable)('npx: fetch, then direct start', () => {
  it('gives arguments, folder, PATH and variables that npx gives', async () => {
    const launch = npx('-y', '@fake/env-server@1.2.3', '--flag', 'a b', '$HOME');
    const installed = await installServer(launch, options());
    expect(installed.launch.command).toBe(
      join(base, 'home/.npm/_npx', 'x').replace(/x$/, '') +
        readdirSync(join(base, 'home/.npm/_npx'))[0] +
        '/node_modules/.bin/env-server',
    );
    const direct = await run(installed.launch, 'none');
    // The same by npx itself, from what is in its folder now.
    const real = await new Promise<string>((resolve) => {
      const env = {
        ...job(),
        HOME: folders.home,
        TMPDIR: folders.tmpdir,
        TMP: folders.tmpdir,
        TEMP: folders.tmpdir,
        npm_config_cache: join(base, 'home/.npm'),
        UV_CACHE_DIR: join(base, 'home/.cache/uv'),
      };
      writeFileSync(join(folders.home, '.npmrc'), readFileSync(join(base, 'home/.npmrc')));
      const child = spawn('npx', launch.args, { cwd: launch.cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += String(chunk);
      });
      child.once('close', () => resolve(text));
    });
    const expected = JSON.parse(real) as typeof direct;
    expect(direct.argv).toEqual(expected.argv);
    expect(direct.cwd).toBe(expected.cwd);
    // Not given: the registry's address and credentials, and the credentials' variable.
    for (const name of ['NODE_AUTH_TOKEN', 'npm_config_registry']) delete expected.env[name];
    expect(direct.env).toEqual(expected.env);
  });

  it('asks no registry and runs no npx when the exact release is there whole', async () => {
    const launch = npx('-y', '@fake/env-server@1.2.3');
    await installServer(launch, options());
    registry.requests.length = 0;
    const again = await installServer(launch, options());
    expect(again.launch.command).toMatch(/\/\.bin\/env-server$/);
    expect(registry.requests).toEqual([]);
    // Inside namespaces too.
    expect((await run(again.launch)).argv[1]).toBe(again.launch.command);
  });

  it('fetches again what is not whole', async () => {
    const launch = npx('-y', '@fake/env-server@1.2.3');
    const { command } = (await installServer(launch, options())).launch;
    const folder = command.replace(/\/node_modules\/\.bin\/.*/, '');
    rmSync(join(folder, 'node_modules'), { recursive: true });
    registry.requests.length = 0;
    const repaired = await installServer(launch, options());
    expect(registry.requests.length).toBeGreaterThan(0);
    expect(await run(repaired.launch)).toMatchObject({ cwd: launch.cwd });
  });

  it('fetches once for two servers of the same package', async () => {
    const launch = npx('-y', '@fake/env-server@1.2.3');
    await Promise.all([installServer(launch, options()), installServer(launch, options())]);
    expect(registry.requests.filter(({ path }) => path.includes('/env-server/')).length).toBe(1);
  });

  it('asks the registry for a floating release every time, and tells which one ran', async () => {
    const launch = npx('-y', '@fake/env-server');
    const source = { type: 'npm', package: '@fake/env-server', requested: '' } as const;
    await installServer(launch, options());
    expect(await resolveSource(source, launch, job())).toEqual({
      ...source,
      version: '1.2.3',
      integrity: integrityOf(server),
    });
    const next = { ...server, version: '1.3.0' };
    registry.publish(next);
    await installServer(launch, options());
    expect(await resolveSource(source, launch, job())).toEqual({
      ...source,
      version: '1.3.0',
      integrity: integrityOf(next),
    });
  });

  it('runs install scripts without credentials, and for their own package only', async () => {
    const installed = await installServer(npx('-y', 'scripted@1.0.0'), options());
    const process = await startServer(installed.launch, options());
    let text = '';
    for await (const chunk of process.stdout) text += String(chunk);
    await process.end();
    const { seen, wrote } = JSON.parse(text) as { seen: string; wrote: boolean };
    expect(seen).toContain('npm_lifecycle_event');
    expect(seen).not.toContain(TOKEN);
    // What a script writes outside of its package's folder is thrown away.
    if (process.isolation === 'namespaces')
      expect([wrote, existsSync(join(base, 'home/.npm/evil'))]).toEqual([true, false]);
    expect(registry.requests.some(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  });

  it('leaves nothing half-built when a script fails', async () => {
    const error = await installServer(npx('-y', 'failing@1.0.0'), options()).catch((caught) => caught);
    expect(error).toMatchObject({ code: 'E_INSTALL', place: { server: 'tested' } });
    expect(error.message).toContain('the install scripts of failing@1.0.0 failed');
    expect(error.message).toContain('(exit code 9: failing: command sh -c exit 9); install what they need');
    expect(readdirSync(join(base, 'home/.npm/_npx'))).toEqual([]);
  });

  it('does without an optional dependency whose script fails, and not without one that is needed', async () => {
    const { launch } = await installServer(npx('-y', 'spared@1.0.0'), options());
    const process = await startServer(launch, options());
    let text = '';
    for await (const chunk of process.stdout) text += String(chunk);
    await process.end();
    expect(JSON.parse(text)).toEqual([false, true, true]);
    registry.requests.length = 0;
    expect((await installServer(npx('-y', 'spared@1.0.0'), options())).launch.command).toBe(launch.command);
    expect(registry.requests).toEqual([]);

    const error = await installServer(npx('-y', 'demanding@1.0.0'), options()).catch((caught) => caught);
    expect(error.message).toContain('the install scripts of demanding@1.0.0 failed (exit code 9: failing: ');
  });

  it('says what is wrong with a package that does not exist', async () => {
    const error = await installServer(npx('-y', 'no-such-thing@9.9.9'), options()).catch((caught) => caught);
    expect(error).toMatchObject({ code: 'E_INSTALL' });
    expect(error.message).toContain('404');
    expect(error.message).not.toContain(TOKEN);
    expect(error.cause.stderr).toContain('404');
  });

  it("does not let a project's .npmrc send the token to another registry, or name a program", async () => {
    const thief = await startRegistry([server, inner]);
    try {
      const host = new URL(thief.url).host;
      writeFileSync(
        join(base, 'project/.npmrc'),
        `@fake:registry=${thief.url}\n//${host}/:_authToken=\${NODE_AUTH_TOKEN}\nscript-shell=${join(base, 'project/evil.sh')}\nnode-options=--require=${join(base, 'project/evil.js')}\n`,
      );
      writeFileSync(join(base, 'project/evil.sh'), `#!/bin/sh\ntouch ${base}/stolen\n`, { mode: 0o755 });
      writeFileSync(join(base, 'project/evil.js'), `require('fs').writeFileSync('${base}/stolen','')`);
      await installServer(npx('-y', '@fake/env-server@1.2.3'), options('none'));
      expect(thief.requests.length).toBeGreaterThan(0);
      expect(JSON.stringify(thief.requests)).not.toContain(TOKEN);
      expect(existsSync(join(base, 'stolen'))).toBe(false);
    } finally {
      await thief.close();
    }
  });

  it("uses a project's credentials by way of pass-env", async () => {
    const other = await startRegistry([server, inner], 'token-by-pass-env');
    try {
      writeFileSync(
        join(base, 'project/.npmrc'),
        `registry=${other.url}\n//${new URL(other.url).host}/:_authToken=\${CORP_TOKEN}\n`,
      );
      const changes = { passEnv: ['CORP_TOKEN'], job: { ...job(), CORP_TOKEN: 'token-by-pass-env' } };
      const { launch } = await installServer(npx('-y', '@fake/env-server@1.2.3'), options('auto', changes));
      expect(launch.command).toMatch(/env-server$/);
    } finally {
      await other.close();
    }
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    const promise = installServer(
      npx('-y', 'scripted@1.0.0'),
      options('auto', { signal: controller.signal }),
    );
    controller.abort(new Error('too long'));
    await expect(promise).rejects.toThrow('too long');
  });

  it('leaves what the project has itself, and what it does not understand, to npx', async () => {
    const inProject = join(base, 'project/node_modules/@fake/env-server');
    mkdirSync(inProject, { recursive: true });
    writeFileSync(join(inProject, 'package.json'), '{"name":"@fake/env-server","version":"1.2.3"}');
    for (const launch of [
      npx('-y', '@fake/env-server@1.2.3'),
      npx('-y', 'github:o/r'),
      npx('-c', 'env-server'),
      npx('--prefix', '/x', 'scripted@1.0.0'),
      { ...npx('-y', 'scripted@1.0.0'), env: new Map([['npm_config_cache', '/elsewhere']]) },
    ]) {
      expect((await installServer(launch, options())).launch).toBe(launch);
    }
    expect(registry.requests).toEqual([]);
    const source = { type: 'npm', package: '@fake/env-server', version: '1.2.3' } as const;
    expect(await resolveSource(source, npx('-y', '@fake/env-server@1.2.3'), job())).toEqual(source);
  });
});

describe('reading of npx arguments', () => {
  it.each([
    [['-y', '@s/p@1.2.3', 'a'], ['@s/p@1.2.3'], undefined, ['a']],
    [['--yes', '--package=@s/p@1', 'bin', '--x'], ['@s/p@1'], 'bin', ['--x']],
    [['-p', 'a', '-p', 'b@2.0.0', '--', 'bin', '-y'], ['a', 'b@2.0.0'], 'bin', ['-y']],
    [['--registry', 'https://r.example', 'p'], ['p'], undefined, []],
  ])('%j', (args, packages, bin, rest) => {
    const call = parseNpxArgs(args);
    expect([call?.packages.map((spec) => spec.raw), call?.bin, call?.args]).toEqual([packages, bin, rest]);
  });

  it.each([
    [['-c', 'x']],
    [['github:o/r']],
    [['./dir']],
    [['o/r']],
    [['https://x/y.tgz']],
    [['a@npm:b@1.0.0']],
    [[]],
    [['-y']],
    [['--node-arg=--inspect', 'p']],
    [['-p']],
  ])('leaves %j alone', (args) => expect(parseNpxArgs(args)).toBeUndefined());

  it('takes only npm and npx by name', () => {
    expect(npxArguments('npm', ['exec', '-y', '--', 'p'])).toEqual(['-y', '--', 'p']);
    expect(npxArguments('npm', ['exec', '-y', 'p', '--x'])).toBeUndefined();
    expect(npxArguments('./npx', ['p'])).toBeUndefined();
  });

  it('knows an exact release', () => {
    expect(parseNpmSpec('p@1.2.3-rc.1')?.version).toBe('1.2.3-rc.1');
    expect([
      parseNpmSpec('p@^1.2.3')?.version,
      parseNpmSpec('p@1.2')?.version,
      parseNpmSpec('p')?.version,
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("computes npm's folder", () => {
    // Seen with npm 11.19.1.
    const spec = parseNpmSpec('@modelcontextprotocol/server-memory');
    expect(spec && npxFolder('/c', [spec])).toBe(join('/c', '_npx', '15b07286cbcc3329'));
  });
});

describe('containers', () => {
  it.each([
    [['run', '-i', '--rm', '-e', 'TOKEN', '-v', 'a:b', 'img:1', 'x'], 'img:1'],
    [
      ['run', '--rm', '-it', '--env=A=b', '--network', 'host', 'ghcr.io/o/i@sha256:0'],
      'ghcr.io/o/i@sha256:0',
    ],
    [['container', 'run', '-eA', 'img'], 'img'],
    [['exec', '-i', 'c', 'x'], undefined],
    [['run', '-e'], undefined],
  ])('docker %j', (args, image) => expect(dockerImage('docker', args)).toBe(image));

  it.skipIf(!usable)('are pulled first, and removed at the end', async () => {
    const log = join(base, 'log');
    const tool = join(base, 'bin/docker');
    mkdirSync(join(base, 'bin'));
    const digest = `sha256:${'a'.repeat(64)}`;
    writeFileSync(
      tool,
      `#!/bin/sh
case "$1 $2" in
  "image inspect") [ "$3" = --format ] && { echo '["img@${digest}"]'; exit 0; }; [ -e ${log} ] || exit 1;;
esac
[ "$1" = run ] || { echo "$@" >>${log}; exit 0; }
for a; do case "$a" in --cidfile=*) printf %064d 7 >"\${a#--cidfile=}";; esac; done
echo ready; cat >/dev/null
`,
    );
    chmodSync(tool, 0o755);
    const env = { ...job(), PATH: `${join(base, 'bin')}:${process.env.PATH}` };
    const launch: ResolvedStdio = {
      transport: 'stdio',
      command: 'docker',
      args: ['run', '-i', '--rm', 'img:1'],
      env: new Map(),
      cwd: join(base, 'project'),
    };
    const installed = await installServer(launch, options('auto', { job: env }));
    expect(readFileSync(log, 'utf8')).toBe('pull --quiet -- img:1\n');
    const started = await startServer(installed.launch, options('auto', { job: env }));
    await new Promise((resolve) => started.stdout.once('data', resolve));
    await started.end();
    expect(readFileSync(log, 'utf8').split('\n')[1]).toBe(`rm --force ${'7'.padStart(64, '0')}`);
    expect(existsSync(join(folders.tmpdir, 'agentgate-container-id'))).toBe(false);
    const source = { type: 'local', kind: 'oci', package: 'img', version: '1', mutable: true } as const;
    expect(await resolveSource(source, launch, env)).toEqual({ ...source, integrity: digest });
  });
});

describe.skipIf(!usable)('an image that cannot be pulled', () => {
  const launchOf = (says: string): [ResolvedStdio, NodeJS.ProcessEnv] => {
    const bin = join(base, 'failing');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho '${says}' >&2; exit 1\n`);
    chmodSync(join(bin, 'docker'), 0o755);
    const launch: ResolvedStdio = {
      transport: 'stdio',
      command: 'docker',
      args: ['run', '-i', '--rm', 'img:1'],
      env: new Map(),
      cwd: join(base, 'project'),
    };
    return [launch, { ...job(), PATH: `${bin}:${process.env.PATH}` }];
  };

  // Words of Docker 20.10 and 28.
  it.each([
    'Error response from daemon: Get "http://127.0.0.1:9/v2/": dial tcp 127.0.0.1:9: connect: connection refused',
    'Error response from daemon: manifest for img:1 not found: manifest unknown: manifest unknown',
    'Error response from daemon: pull access denied for img, repository does not exist',
  ])('is no server: %s', async (says) => {
    const [launch, env] = launchOf(says);
    await expect(installServer(launch, options('auto', { job: env }))).rejects.toMatchObject({
      code: 'E_INSTALL',
      message: expect.stringContaining('its image "img:1" could not be pulled'),
    });
  });

  it.each([
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
    'Error: unable to connect to Podman socket: dial unix /run/podman/podman.sock: connect: no such file or directory',
  ])('for want of a daemon is told by the start: %s', async (says) => {
    const [launch, env] = launchOf(says);
    const { notes } = await installServer(launch, options('auto', { job: env }));
    expect(notes).toEqual(['the image was not pulled: no container daemon answers']);
  });
});

it("a container tool's hint at its help is nobody's last words", () => {
  const said = 'docker: Error response from daemon: no such image.';
  expect(lastWords(`${said}\n\nRun 'docker run --help' for more information\n`)).toBe(said);
  expect(lastWords(`${said}\nSee 'docker run --help'.\n`)).toBe(said);
});

it('a failed connection is told by the line that says what failed', () => {
  const stderr = [
    'npm warn something',
    'npm error code ECONNREFUSED',
    'npm error syscall connect',
    'npm error errno ECONNREFUSED',
    'npm error FetchError: request to http://127.0.0.1:9/x failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    'npm error     at ClientRequest.<anonymous> (index.js:130:14)',
  ].join('\n');
  expect(installError('one', 'npx could not fetch x@1.0.0', { code: 1, stdout: '', stderr }).message).toBe(
    'Server one was not started, since npx could not fetch x@1.0.0 (exit code 1: FetchError: request to ' +
      'http://127.0.0.1:9/x failed, reason: connect ECONNREFUSED 127.0.0.1:9); correct its name and release, or give ' +
      'the job access to the registry.',
  );
});

it('a package that no Python of the job fits is told so', () => {
  const stderr = [
    'error: No solution found when resolving tool dependencies',
    '  cause: Because the current Python version (3.11.7) does not satisfy Python>=3.12 and notes==1.0 depends on it, nothing fits.',
    '         And because only notes<=1.0 is available, we give up.',
  ].join('\n');
  const { message } = installError('one', 'uv could not fetch its package', { code: 1, stdout: '', stderr });
  expect(message).toContain('(exit code 1: Because the current Python version (3.11.7) does not satisfy');
  expect(message).toContain('; install a Python that it takes in a step before');
});
