import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ResolvedStdio, Source } from '../config/types.ts';
import { isObject, own } from '../util/json.ts';
import { dockerImage } from './docker-fetch.ts';
import type { JobEnvironment } from './environment.ts';
import { hostPath, hostTool } from './host-tool.ts';
import { npxArguments, parseNpxArgs } from './npx-args.ts';
import { localPrefix } from './npx-environment.ts';
import { lockedPackage, npxFolder, readJson } from './npx-folder.ts';
import { packageCaches } from './package-caches.ts';

/**
 * The source with the release and integrity that really ran, where they can be learned: from npx' own folder, a
 * package in `node_modules`, uv's cache or Docker's digests. Where they cannot, it is given back as it was. Never
 * throws. `launch` is the one that the config declares, `installed` what is started for it. Call it after the server has listed.
 */
export async function resolveSource(
  source: Source,
  launch: ResolvedStdio,
  job: JobEnvironment = process.env,
  installed: ResolvedStdio = launch,
): Promise<Source> {
  try {
    if (source.via?.type === 'npm') {
      const bridge = npmRelease(source.via.package, launch, installed, job);
      return bridge === undefined ? source : { ...source, via: { ...source.via, version: bridge.version } };
    }
    if (source.type === 'npm' && source.package !== undefined) {
      return { ...source, ...npmRelease(source.package, launch, installed, job) };
    }
    if (source.type === 'pypi' && source.package !== undefined && source.version === undefined) {
      const version = uvRelease(source.package, installed, job);
      return version === undefined ? source : { ...source, version };
    }
    if (source.kind === 'oci') return await withDigest(source, launch, job);
  } catch {
    // What ran stays unknown; the declared source is still right.
  }
  return source;
}

interface Release {
  version: string;
  integrity?: string;
}

function npmRelease(
  name: string,
  launch: ResolvedStdio,
  installed: ResolvedStdio,
  job: JobEnvironment,
): Release | undefined {
  const args = npxArguments(launch.command, launch.args);
  const call = args && parseNpxArgs(args);
  const cache =
    launch.env.get('npm_config_cache') ?? packageCaches(job).find((entry) => entry.manager === 'npm')?.path;
  // What the project has itself goes before npx' own folder, as in npx.
  const wanted = call?.packages.find((spec) => spec.name === name)?.version;
  const local = localRelease(name, launch);
  if (local !== undefined && (wanted === undefined || wanted === local.version)) return local;
  if (call === undefined || cache === undefined) return undefined;
  // What is started directly lies in the folder that it was installed into.
  const [, folder = npxFolder(cache, call.packages)] =
    /^(.*[\\/]_npx[\\/][0-9a-f]{16})[\\/]/.exec(installed.command) ?? [];
  const locked = lockedPackage(folder, name);
  if (locked === undefined || (wanted !== undefined && wanted !== locked.version)) return undefined;
  const { version, integrity } = locked;
  return { version, ...(integrity === undefined ? {} : { integrity }) };
}

/** A package in the `node_modules` that the launch starts from: its path is in the arguments, or it is the project's. */
function localRelease(name: string, launch: ResolvedStdio): Release | undefined {
  const folders = new Set<string>();
  for (const text of [launch.command, ...launch.args]) {
    const at = text.indexOf(`node_modules/${name}/`);
    if (at >= 0) folders.add(resolve(launch.cwd, text.slice(0, at)));
    if (/(^|\/)node_modules\/\.bin\//.test(text)) folders.add(resolve(launch.cwd, text, '..', '..', '..'));
  }
  folders.add(localPrefix(launch.cwd));
  for (const folder of folders) {
    const manifest = readJson(join(folder, 'node_modules', name, 'package.json'));
    const version = manifest && own(manifest, 'version');
    if (typeof version !== 'string') continue;
    const lock = readJson(join(folder, 'node_modules', '.package-lock.json'));
    const packages = lock && own(lock, 'packages');
    const entry = isObject(packages) ? own(packages, `node_modules/${name}`) : undefined;
    const integrity =
      isObject(entry) && own(entry, 'version') === version ? own(entry, 'integrity') : undefined;
    return { version, ...(typeof integrity === 'string' ? { integrity } : {}) };
  }
  return undefined;
}

/**
 * uv keeps each tool environment in `archive-v0/<id>/lib/python*\/site-packages`. With exactly one release of the
 * package there it is the one that ran; with several, nothing is known.
 */
function uvRelease(name: string, installed: ResolvedStdio, job: JobEnvironment): string | undefined {
  const cache =
    installed.env.get('UV_CACHE_DIR') ??
    packageCaches(job).find((entry) => entry.variable === 'UV_CACHE_DIR')?.path;
  const archive = cache && join(cache, 'archive-v0');
  if (archive === undefined || !existsSync(archive)) return undefined;
  const plain = name.toLowerCase().replace(/[-_.]+/g, '_');
  const found = new Set<string>();
  for (const id of readdirSync(archive).slice(0, 5_000)) {
    for (const folder of sitePackages(join(archive, id))) {
      for (const entry of readdirSync(folder)) {
        const [, project = '', version] = /^(.+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
        if (version !== undefined && project.toLowerCase().replace(/[-_.]+/g, '_') === plain)
          found.add(version);
      }
    }
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** An unpacked wheel has its `dist-info` at the top, an environment in `lib/python*\/site-packages`. */
function sitePackages(folder: string): string[] {
  const library = join(folder, 'lib');
  if (!existsSync(library)) return [folder];
  const pythons = readdirSync(library).map((name) => join(library, name, 'site-packages'));
  return pythons.filter((path) => existsSync(path));
}

async function withDigest(source: Source, launch: ResolvedStdio, job: JobEnvironment): Promise<Source> {
  const image = dockerImage(launch.command, launch.args);
  const tool = hostTool(launch.command, launch, job);
  if (image === undefined || tool === undefined) return source;
  const args = ['image', 'inspect', '--format', '{{json .RepoDigests}}', '--', image];
  const env = { ...job, PATH: hostPath(launch, job) } as NodeJS.ProcessEnv;
  const { stdout } = await promisify(execFile)(tool, args, { env, timeout: 10_000, windowsHide: true });
  const digests: unknown = JSON.parse(stdout);
  const digest = Array.isArray(digests) ? /@(sha256:[0-9a-f]{64})$/.exec(String(digests[0]))?.[1] : undefined;
  return digest === undefined ? source : { ...source, integrity: digest };
}
