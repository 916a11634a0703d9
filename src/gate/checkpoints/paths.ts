import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOutside } from '../../config/config-files.ts';
import { POLICY_FILES } from '../../config/policy.ts';
import { LOCK_NAME } from '../../lock/find.ts';
import { isObject, type Json } from '../../util/json.ts';

/** It cannot be undone, so it is held. The message is one clause. */
export class NoCheckpoint extends Error {}

/** Members that name files, in the tools of common servers. */
const NAMES =
  /^(?:paths?|files?|file_?names?|file_?paths?|source(?:_?path)?|destination(?:_?path)?|target(?:_?path)?|dir(?:ectory)?|uri|from|to|old_?path|new_?path)$/i;
const MAX_PATHS = 1_000;

/** The texts that stand in members which name files, at any depth. */
export function namedPaths(value: Json, named = false): string[] {
  if (typeof value === 'string') return named ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => namedPaths(item, named));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => namedPaths(child, NAMES.test(key)));
}

/**
 * The files that a call names, relative to `root`, links resolved. Throws {@link NoCheckpoint} when there are none, and
 * for one outside of the root, in `.git`, or of the gate itself.
 */
export function resolvePaths(args: Json, root: string, gate: { cwd: string; ledger: string }): string[] {
  const texts = namedPaths(args);
  if (texts.length === 0) throw new NoCheckpoint('its arguments name no file');
  if (texts.length > MAX_PATHS) throw new NoCheckpoint('it names too many files');
  const base = realpathSync(root);
  const protectedPaths = [
    dirname(resolve(gate.ledger)),
    ...[LOCK_NAME, ...POLICY_FILES].map((file) => join(gate.cwd, file)),
  ].map(real);
  const found = new Set<string>();
  for (const text of texts) {
    const path = real(resolve(base, plainPath(text)));
    const shown = JSON.stringify(text.slice(0, 200));
    if (isOutside(base, path)) throw new NoCheckpoint(`${shown} lies outside of the server's folder`);
    const name = relative(base, path);
    if (name === '') throw new NoCheckpoint(`${shown} is the whole folder`);
    if (name.split(sep).some((part) => part.toLowerCase() === '.git'))
      throw new NoCheckpoint(`${shown} lies in git's own folder`);
    if (protectedPaths.some((one) => one === path || !isOutside(one, path) || !isOutside(path, one)))
      throw new NoCheckpoint(`${shown} belongs to the gate`);
    found.add(name);
  }
  return [...found].sort();
}

function plainPath(text: string): string {
  if (text.includes('\0')) throw new NoCheckpoint('a path holds a NUL character');
  if (/^file:/i.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      throw new NoCheckpoint('a file URI cannot be read');
    }
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(text))
    throw new NoCheckpoint(`${JSON.stringify(text.slice(0, 200))} is no file`);
  if (text.startsWith('~')) throw new NoCheckpoint('a path begins with "~"');
  return isAbsolute(text) ? text : join('.', text);
}

/** The path with the links of its deepest existing part resolved. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}
