import { hash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedStdio } from '../config/types.ts';
import { serverEnvironment } from './environment.ts';
import { installError, prepareFetch, runFetch } from './fetch.ts';
import { copyNpmConfig, projectSettings } from './npm-config.ts';
import { findNpm, type NpmInstallation } from './npm-installation.ts';
import { type NpxCall, npxArguments, parseNpxArgs } from './npx-args.ts';
import { runInstallScripts } from './npx-build.ts';
import { npxEnvironment } from './npx-environment.ts';
import { findInstalled, npxFolder, scriptedPackages } from './npx-folder.ts';
import { isFoundLocally } from './npx-local.ts';
import { cacheVariables, packageCaches } from './package-caches.ts';
import type { StartOptions } from './start-options.ts';

/** Marks an npx folder whose packages' scripts have not run yet, should we be killed in between. */
const UNBUILT = '.agentgate-unbuilt';

/** Settings of a config that change how npx finds a package: such a launch is left to npx. */
const CHANGES_NPX = /^(npm_config_.*|path|home|userprofile|node_options|node_path)$/i;

/**
 * Said by variables, which count before any `.npmrc`: npm installs a package of git in a folder with the package's own
 * settings, and those could name programs to run.
 */
const GUARDS = new Map([
  ['npm_config_git', 'git'],
  ['npm_config_script_shell', '/bin/sh'],
  ['npm_config_ignore_scripts', 'true'],
]);

/** What helps when a package's own script fails: a compiler, headers, a host that it downloads from. */
const SCRIPT_NEEDS =
  'install what they need in a step before, or skip the server with a reason in agentgate.yml';

const busy = new Map<string, Promise<unknown>>();

/**
 * For a launch by npx: fetches the package unless the exact release is there whole, and gives the launch of its bin
 * with what npx would set. `undefined` when npx itself has to be started.
 */
export async function installByNpx(
  launch: ResolvedStdio,
  options: StartOptions,
  notes: string[],
): Promise<ResolvedStdio | undefined> {
  const args = npxArguments(launch.command, launch.args);
  const call = args && parseNpxArgs(args);
  if (call === undefined || [...launch.env.keys()].some((name) => CHANGES_NPX.test(name))) return undefined;
  const job = options.job ?? process.env;
  const caches = packageCaches(job);
  const shared = caches.find((entry) => entry.manager === 'npm')?.path;
  const cache = shared && cacheFor(shared, call, options.root);
  const npm = await findNpm({ cwd: launch.cwd, root: options.root }, job);
  if (npm === undefined || cache === undefined || isFoundLocally(call, launch.cwd, npm)) return undefined;

  const folder = npxFolder(cache, call.packages);
  const isExact = call.packages.every((spec) => spec.version !== undefined);
  let installed = isExact ? findWhole(folder, call) : undefined;
  if (installed === undefined) {
    // Two servers of one package: the second one finds what the first one fetched.
    installed = await oneAtATime(folder, async () => {
      const meanwhile = isExact ? findWhole(folder, call) : undefined;
      if (meanwhile !== undefined) return meanwhile;
      await fetchPackages({ folder, cache, call, npm, options });
      return findWhole(folder, call);
    });
  }
  if (installed === undefined) {
    notes.push('started by npx itself: the package has no program that could be started directly');
    return undefined;
  }
  const env = serverEnvironment({
    server: options.server,
    job,
    folders: options.folders,
    caches: cacheVariables(caches),
    declared: launch.env,
    passEnv: options.passEnv ?? [],
    home: options.home ?? 'private',
    args: launch.args,
  });
  const bin = installed.bin.slice(installed.bin.lastIndexOf('/') + 1);
  const added = npxEnvironment({
    npm,
    call,
    env,
    binFolder: join(folder, 'node_modules', '.bin'),
    bin,
    cwd: launch.cwd,
  });
  return { ...launch, command: installed.bin, args: call.args, env: new Map([...added, ...launch.env]) };
}

/**
 * The job's own cache, or one in it for packages that the project takes from elsewhere (`--registry`, its `.npmrc`): npm
 * keeps a package by its name alone, and the release of one registry must not stand for that of another, neither for the
 * next server nor for the next run.
 */
function cacheFor(shared: string, call: NpxCall, project: string | undefined): string {
  const origin = [
    ...projectSettings(project),
    ...call.options.filter((each) => each.startsWith('--registry=')),
  ];
  if (origin.length === 0) return shared;
  const digest = hash('sha256', JSON.stringify(origin), 'hex').slice(0, 16);
  return join(shared, '_agentgate', digest);
}

function findWhole(folder: string, call: NpxCall): ReturnType<typeof findInstalled> {
  return existsSync(join(folder, UNBUILT)) ? undefined : findInstalled(folder, call);
}

async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = busy.get(key) ?? Promise.resolve();
  const now = before.catch(() => undefined).then(work);
  busy.set(key, now);
  try {
    return await now;
  } finally {
    if (busy.get(key) === now) busy.delete(key);
  }
}

interface FetchInput {
  folder: string;
  cache: string;
  call: NpxCall;
  npm: NpmInstallation;
  options: StartOptions;
}

/**
 * Two steps, since the scripts of packages are strangers (`DESIGN.md` §5.1): npx fetches with the job's registry
 * credentials and scripts off; then `npm rebuild` runs the scripts without the credentials, able to write to this one
 * package's folder only. Both away from the project, whose `.npmrc` could name programs to run.
 */
async function fetchPackages({ folder, cache, call, npm, options }: FetchInput): Promise<void> {
  const fetch = await prepareFetch(options, 'npm');
  const job = options.job ?? process.env;
  const packages = call.packages.map((spec) => `--package=${spec.raw}`);
  const names = call.packages.map((spec) => spec.raw).join(' ');
  const lock = join(folder, 'package-lock.json');
  await mkdir(folder, { recursive: true });
  const before = existsSync(join(folder, UNBUILT)) ? '' : textOf(lock);
  await writeFile(join(folder, UNBUILT), '');

  const config = await copyNpmConfig(fetch.folder, job, {
    credentials: true,
    passEnv: options.passEnv ?? [],
    project: options.root,
  });
  const fetched = await runFetch(fetch, {
    command: 'npx',
    args: ['--yes', '--ignore-scripts', ...call.options, ...packages, '--call=exit'],
    env: new Map([...config, ...GUARDS, ['npm_config_cache', cache]]),
    cwd: fetch.folder,
    writable: [cache],
    overlays: [],
  });
  if (fetched.code !== 0) {
    if (before !== '' && textOf(lock) === before) await rm(join(folder, UNBUILT), { force: true });
    else await rm(folder, { recursive: true, force: true });
    throw installError(options.server, `npx could not fetch ${names}`, fetched);
  }
  const changed = textOf(lock) !== before;
  if (changed && scriptedPackages(folder).length > 0 && !call.config.has('npm_config_ignore_scripts')) {
    const plain = await copyNpmConfig(fetch.folder, job, {
      credentials: false,
      passEnv: [],
      project: undefined,
    });
    const built = await runInstallScripts(folder, (specs) =>
      runFetch(fetch, {
        command: join(npm.root, 'bin', 'npm-cli.js'),
        args: ['rebuild', ...specs],
        env: plain,
        cwd: realpathSync(folder),
        writable: [folder],
        overlays: [cache],
      }),
    );
    if (built.code !== 0) {
      // As npm itself does when a script fails: nothing half-built stays.
      await rm(folder, { recursive: true, force: true });
      throw installError(options.server, `the install scripts of ${names} failed`, built, SCRIPT_NEEDS);
    }
  }
  await rm(join(folder, UNBUILT), { force: true });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
