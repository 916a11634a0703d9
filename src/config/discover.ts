import { lstat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { AgentGateError } from '../util/errors.ts';
import { byCodeUnit } from '../util/order.ts';
import { isOutside, outside } from './config-files.ts';
import { KNOWN_FILES } from './known-files.ts';

/** A config to be read. */
export interface FoundConfig {
  /** Relative to the working directory, `/`-separated. */
  file: string;
  /** The user named it: declaring no server is then worth a note. */
  named: boolean;
}

const IGNORED = ['**/node_modules/**', '**/.git/**'];

/**
 * The configs of a working directory: the given paths and globs, else every known project-level file. In a stable
 * order without repeats: known files in the order of their table, the matches of a glob by code unit. Throws
 * `E_CONFIG_NOT_FOUND` for a path that does not exist or a glob that matches nothing, `E_CONFIG_OUTSIDE`.
 */
export async function discoverConfigs(cwd: string, config: readonly string[] = []): Promise<FoundConfig[]> {
  const patterns = config.map((line) => line.trim()).filter((line) => line !== '');
  const found = new Map<string, FoundConfig>();
  if (patterns.length === 0) {
    for (const file of await knownConfigs(cwd)) found.set(file, { file, named: false });
  }
  for (const pattern of patterns) {
    for (const file of await namedConfigs(cwd, pattern)) found.set(file, { file, named: true });
  }
  return [...found.values()];
}

async function knownConfigs(cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const { path } of KNOWN_FILES) {
    if (path.includes('*')) files.push(...(await search(cwd, path)));
    else if (await exists(resolve(cwd, path))) files.push(path);
  }
  return files;
}

async function namedConfigs(cwd: string, pattern: string): Promise<string[]> {
  const path = resolve(cwd, pattern);
  if (await exists(path)) {
    if (isOutside(cwd, path)) throw outside(pattern);
    return [slashed(relative(cwd, path))];
  }
  if (isDynamicPattern(pattern)) {
    const relativePattern = isAbsolute(pattern)
      ? slashed(relative(cwd, pattern))
      : pattern.replace(/^\.\//, '');
    if (relativePattern.split('/').includes('..')) throw outside(pattern);
    const files = await search(cwd, relativePattern);
    if (files.length > 0) return files;
  }
  const what = isDynamicPattern(pattern) ? 'matches no file' : 'is no file';
  throw new AgentGateError(
    'E_CONFIG_NOT_FOUND',
    `The config ${JSON.stringify(pattern)} ${what} in the working directory; correct the path or remove it.`,
    { file: pattern },
  );
}

async function search(cwd: string, pattern: string): Promise<string[]> {
  const files = await glob([pattern], {
    cwd,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    caseSensitiveMatch: true,
    ignore: IGNORED,
  });
  return files.map(slashed).sort(byCodeUnit);
}

/** Also true for a link to nowhere: reading it then fails, which is better than passing it over. */
async function exists(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
