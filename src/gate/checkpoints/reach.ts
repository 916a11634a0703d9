import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { NoCheckpoint } from './no-checkpoint.ts';

/** Linux follows 40 links (`path_resolution(7)`). */
const MAX_LINKS = 40;
/** What one text may mean. */
const MAX_NAMES = 100;
const MAX_PARTS = 1_000;

/**
 * The names under which a path may be found, links followed part by part as the system does: the link at its end itself
 * and what that leads to, also when nothing is there; names that are equal but for their Unicode form. Throws
 * {@link NoCheckpoint}.
 *
 * @param path - absolute; `..` is taken as written, after links
 */
export function reached(path: string): string[] {
  const found = new Set<string>();
  const { root } = parse(path);
  walk(root, partsOf(path, root), found, 0);
  return [...found];
}

function walk(at: string, parts: readonly string[], found: Set<string>, links: number): void {
  if (links > MAX_LINKS) throw new NoCheckpoint('a path goes round in links');
  if (found.size > MAX_NAMES) throw new NoCheckpoint('it may mean too many files');
  const [part, ...rest] = parts;
  if (part === undefined) found.add(at);
  else if (part === '..') walk(dirname(at), rest, found, links);
  else
    for (const name of namesOf(at, part)) {
      const path = join(at, name);
      const target = linkTarget(path);
      if (target === undefined) {
        walk(path, rest, found, links);
        continue;
      }
      if (rest.length === 0) found.add(path);
      const { root } = parse(target);
      walk(root === '' ? at : root, [...partsOf(target, root), ...rest], found, links + 1);
    }
}

function partsOf(path: string, root: string): string[] {
  const parts = path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '' && part !== '.');
  if (parts.length > MAX_PARTS) throw new NoCheckpoint('a path is too long');
  return parts;
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A name as it is, and those that differ from it in Unicode form alone. */
function namesOf(folder: string, name: string): string[] {
  if (/^[\x00-\x7f]*$/.test(name)) return [name];
  const composed = name.normalize('NFC');
  const names = new Set([name, composed, name.normalize('NFD')]);
  try {
    for (const entry of readdirSync(folder)) if (entry.normalize('NFC') === composed) names.add(entry);
  } catch {
    // Nothing is there.
  }
  return [...names];
}
