import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isObject, type JsonObject, own } from '../util/json.ts';
import { readJsonFile } from '../util/json-file.ts';
import { real } from '../util/paths.ts';
import type { NpmSpec, NpxCall } from './npx-args.ts';

/**
 * The folder that npx installs a set of packages into: `<cache>/_npx/<hash>`, the first 16 hex digits of SHA-512
 * over the specs, sorted as npm sorts them, joined by newlines (npm 11, `libnpmexec/lib/index.js`).
 */
export function npxFolder(cache: string, packages: NpmSpec[]): string {
  const text = packages
    .map((spec) => spec.raw)
    .sort((a, b) => a.localeCompare(b, 'en'))
    .join('\n');
  return join(cache, '_npx', createHash('sha512').update(text).digest('hex').slice(0, 16));
}

export interface FoundPackage {
  name: string;
  version: string;
  integrity?: string;
}

/** What `package-lock.json` of an npx folder says about a package; `undefined` when it names none. */
export function lockedPackage(folder: string, name: string): FoundPackage | undefined {
  const packages = lockedPackages(folder);
  const entry = packages && own(packages, `node_modules/${name}`);
  const version = isObject(entry) ? own(entry, 'version') : undefined;
  if (!isObject(entry) || typeof version !== 'string') return undefined;
  const integrity = own(entry, 'integrity');
  return { name, version, ...(typeof integrity === 'string' ? { integrity } : {}) };
}

/** The packages of the folder with scripts that npm runs on installing: where, as `npm rebuild` takes them, and how needed. */
export function scriptedPackages(folder: string): { path: string; spec: string; optional: boolean }[] {
  return Object.entries(lockedPackages(folder) ?? {}).flatMap(([path, entry]) => {
    if (!isObject(entry) || own(entry, 'hasInstallScript') !== true || path.split('/').includes('..'))
      return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const spec = `${name}@${String(own(entry, 'version'))}`;
    return [{ path, spec, optional: own(entry, 'optional') === true }];
  });
}

/**
 * The program that npx would run, when the folder holds all of it: for every package of the call a lock entry and
 * a folder with a manifest of that release (of the asked one, if it is exact), every dependency that is not
 * optional in its place, and a bin that resolves inside the folder. Else `undefined`.
 */
export function findInstalled(
  folder: string,
  call: NpxCall,
): { bin: string; found: FoundPackage[] } | undefined {
  const found: FoundPackage[] = [];
  for (const spec of call.packages) {
    const locked = lockedPackage(folder, spec.name);
    if (locked === undefined) return undefined;
    if (spec.version !== undefined && spec.version !== locked.version) return undefined;
    const manifest = readJson(join(folder, 'node_modules', spec.name, 'package.json'));
    if (manifest === undefined || own(manifest, 'version') !== locked.version) return undefined;
    if (own(manifest, 'name') !== spec.name) return undefined;
    found.push(locked);
  }
  const first = call.packages[0];
  if (first === undefined || !dependenciesPresent(folder)) return undefined;
  const name = call.bin ?? manifestBin(folder, first.name);
  // A path would be looked up outside of `.bin`; npx runs it from the working directory.
  if (name === undefined || /[\\/]/.test(name)) return undefined;
  const bin = join(folder, 'node_modules', '.bin', name);
  const program = real(bin);
  const root = real(folder);
  if (program === undefined || root === undefined || !program.startsWith(join(root, 'node_modules') + sep))
    return undefined;
  return { bin, found };
}

/** `getBinFromManifest` of npm: the only bin, or the one called as the package without its scope. */
function manifestBin(folder: string, name: string): string | undefined {
  const manifest = readJson(join(folder, 'node_modules', name, 'package.json'));
  const bin = manifest && own(manifest, 'bin');
  const plain = name.replace(/^@[^/]+\//, '');
  if (typeof bin === 'string') return plain;
  if (!isObject(bin)) return undefined;
  const names = Object.keys(bin);
  if (new Set(Object.values(bin)).size === 1) return names[0];
  return Object.hasOwn(bin, plain) ? plain : undefined;
}

function dependenciesPresent(folder: string): boolean {
  for (const [path, entry] of Object.entries(lockedPackages(folder) ?? {})) {
    if (path === '' || !isObject(entry)) continue;
    if (own(entry, 'optional') === true || own(entry, 'devOptional') === true || own(entry, 'link') === true)
      continue;
    if (path.split('/').includes('..') || !existsSync(join(folder, path, 'package.json'))) return false;
  }
  return true;
}

function lockedPackages(folder: string): JsonObject | undefined {
  const lock = readJson(join(folder, 'package-lock.json'));
  const packages = lock && own(lock, 'packages');
  return isObject(packages) ? packages : undefined;
}

/** npm's own files; a lock of many packages has some megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file of npm as an object, see `readJsonFile`. */
export function readJson(file: string): JsonObject | undefined {
  return readJsonFile(file, MAX_BYTES);
}
