import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobEnvironment } from './environment.ts';

/** A folder in which a package manager keeps what it fetched: no secret, slow to fill again. */
export interface PackageCache {
  /** The variable by which the manager finds it. */
  variable: string;
  path: string;
  manager: 'npm' | 'uv' | 'pip' | 'bun' | 'deno' | 'pnpm';
}

/** The home folder of the job, `undefined` when it has none. */
export function realHome(job: JobEnvironment, platform = process.platform): string | undefined {
  return (platform === 'win32' ? job.USERPROFILE : job.HOME) || undefined;
}

/**
 * The package caches of the job: each from its own variable, else from the manager's default place. With a
 * private HOME they would be empty, and every run would fetch everything again.
 */
export function packageCaches(job: JobEnvironment, platform = process.platform): PackageCache[] {
  const home = realHome(job, platform);
  const windows = platform === 'win32';
  const local = windows ? job.LOCALAPPDATA : undefined;
  const cacheHome = job.XDG_CACHE_HOME || (home && join(home, '.cache'));
  const dataHome = job.XDG_DATA_HOME || (home && join(home, '.local', 'share'));
  const found: PackageCache[] = [];
  const add = (
    manager: PackageCache['manager'],
    variable: string,
    ...places: (string | undefined)[]
  ): void => {
    const path = places.find((place) => place !== undefined && place !== '');
    if (path !== undefined) found.push({ manager, variable, path });
  };
  const npmDefault = windows ? local && join(local, 'npm-cache') : home && join(home, '.npm');
  add('npm', 'npm_config_cache', job.npm_config_cache, job.NPM_CONFIG_CACHE, npmrcCache(home), npmDefault);
  add(
    'uv',
    'UV_CACHE_DIR',
    job.UV_CACHE_DIR,
    windows ? local && join(local, 'uv', 'cache') : cacheHome && join(cacheHome, 'uv'),
  );
  add('uv', 'UV_TOOL_DIR', job.UV_TOOL_DIR, existing(dataHome && join(dataHome, 'uv', 'tools')));
  add(
    'uv',
    'UV_PYTHON_INSTALL_DIR',
    job.UV_PYTHON_INSTALL_DIR,
    existing(dataHome && join(dataHome, 'uv', 'python')),
  );
  add('pip', 'PIP_CACHE_DIR', job.PIP_CACHE_DIR, existing(cacheHome && join(cacheHome, 'pip')));
  add(
    'bun',
    'BUN_INSTALL_CACHE_DIR',
    job.BUN_INSTALL_CACHE_DIR,
    existing(home && join(home, '.bun', 'install', 'cache')),
  );
  add('deno', 'DENO_DIR', job.DENO_DIR, existing(cacheHome && join(cacheHome, 'deno')));
  return found;
}

/** The caches as variables, to be set for a server. */
export function cacheVariables(caches: PackageCache[]): Map<string, string> {
  return new Map(caches.map((cache) => [cache.variable, cache.path]));
}

function existing(path: string | undefined): string | undefined {
  return path !== undefined && path !== '' && existsSync(path) ? path : undefined;
}

/** `cache=` of the user's `.npmrc`, the one other common place where it is moved. */
function npmrcCache(home: string | undefined): string | undefined {
  if (home === undefined) return undefined;
  try {
    const match = /^\s*cache\s*=\s*"?([^"\n;#]+?)"?\s*$/m.exec(readFileSync(join(home, '.npmrc'), 'utf8'));
    const value = match?.[1];
    return value?.startsWith('/') ? value : undefined;
  } catch {
    return undefined;
  }
}
