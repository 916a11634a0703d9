import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { byCodeUnit } from '../util/order.ts';
import { isOutside, slashed } from '../util/paths.ts';
import { outside } from './config-files.ts';
import { KNOWN_FILES } from './known-files.ts';

/** A config to be read. */
export interface FoundConfig {
  /** Relative to the working directory, `/`-separated. */
  file: string;
  /** The user named it: declaring no server is then worth a note. */
  named: boolean;
}

const IGNORED = ['node_modules', '.git'];

/**
 * The configs of a working directory: the given paths and globs, else every known project-level file. In a stable
 * order without repeats: known files in the order of their table, the matches of a glob by code unit. Throws
 * `E_CONFIG_NOT_FOUND` for a path that does not exist or a glob that matches nothing, `E_CONFIG_OUTSIDE`.
 */
export async function discoverConfigs(cwd: string, config: readonly string[] = []): Promise<FoundConfig[]> {
  const patterns = config.map((line) => line.trim()).filter((line) => line !== '');
  const found = new Map<string, FoundConfig>();
  if (patterns.length === 0) {
    for (const file of knownConfigs(cwd)) found.set(file, { file, named: false });
  }
  for (const pattern of patterns) {
    for (const file of await namedConfigs(cwd, pattern)) found.set(file, { file, named: true });
  }
  return [...found.values()];
}

function knownConfigs(cwd: string): string[] {
  return KNOWN_FILES.flatMap(({ path }) =>
    path.includes('*') ? searchKnown(cwd, '', path.split('/')) : exists(resolve(cwd, path)) ? [path] : [],
  );
}

/** The paths of a known file with a `*`, which stands for any one segment or part of it, in order. */
function searchKnown(cwd: string, folder: string, segments: readonly string[]): string[] {
  const [segment = '', ...rest] = segments;
  const isFile = rest.length === 0;
  if (!segment.includes('*')) {
    const path = `${folder}${segment}`;
    if (isFile) return exists(join(cwd, path)) ? [path] : [];
    return searchKnown(cwd, `${path}/`, rest);
  }
  const [before = '', after = ''] = segment.split('*');
  return entries(join(cwd, folder))
    .filter(({ name }) => name.length >= before.length + after.length)
    .filter(({ name }) => name.startsWith(before) && name.endsWith(after) && !IGNORED.includes(name))
    .filter((entry) => (isFile ? !entry.isDirectory() : entry.isDirectory()))
    .map(({ name }) => name)
    .sort(byCodeUnit)
    .flatMap((name) => (isFile ? [folder + name] : searchKnown(cwd, `${folder}${name}/`, rest)));
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function namedConfigs(cwd: string, pattern: string): Promise<string[]> {
  const path = resolve(cwd, pattern);
  if (exists(path)) {
    if (isOutside(cwd, path)) throw outside(pattern);
    return [slashed(relative(cwd, path))];
  }
  // Who names no glob never loads the library.
  const { isDynamicPattern } = await import('tinyglobby');
  if (isDynamicPattern(pattern)) {
    const relativePattern = isAbsolute(pattern)
      ? slashed(relative(cwd, pattern))
      : pattern.replace(/^\.\//, '');
    if (relativePattern.split('/').includes('..')) throw outside(pattern);
    const files = await search(cwd, relativePattern);
    if (files.length > 0) return files;
  }
  const what = isDynamicPattern(pattern) ? 'matches no file' : 'is no file';
  // The option takes every word that follows it.
  const next = /^[\w-]+$/.test(pattern) ? ', or name a server before --config' : ' or remove it';
  throw new AgentGateError(
    'E_CONFIG_NOT_FOUND',
    `The config ${JSON.stringify(pattern)} ${what} in the working directory; correct the path${next}.`,
    { file: pattern },
  );
}

async function search(cwd: string, pattern: string): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const files = await glob([pattern], {
    cwd,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    caseSensitiveMatch: true,
    ignore: IGNORED.map((name) => `**/${name}/**`),
  });
  return files.map(slashed).sort(byCodeUnit);
}

/** Also true for a link to nowhere: reading it then fails, which is better than passing it over. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}
