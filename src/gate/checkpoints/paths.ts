import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { JsonObject } from '../../util/json.ts';
import { isOutside } from '../../util/paths.ts';
import { type NamedPath, namedPaths } from './named-paths.ts';
import { NoCheckpoint, shownText } from './no-checkpoint.ts';
import { reached } from './reach.ts';
import type { ServerPlaces } from './server-places.ts';
import { spellings } from './spellings.ts';

const MAX_PATHS = 1_000;

/** What belongs to the gate, and is never kept or put back. */
export interface GateFiles {
  ledger: string;
  /** Files and folders besides, absolute: `ownFiles`. */
  own: readonly string[];
}

/**
 * Every path that a call may mean, relative to the server's folder: each text that names a file, in each spelling, from
 * each folder that it may be relative to, through links. Throws {@link NoCheckpoint} when there is none, and when one of
 * them cannot be kept (outside of the folder, in `.git`, the gate's own): which one a server would take is not known.
 */
export function resolvePaths(args: JsonObject, places: ServerPlaces, gate: GateFiles): string[] {
  if (places.elsewhere !== undefined) throw new NoCheckpoint(places.elsewhere);
  const texts = namedPaths(args);
  if (!texts.some(({ sure }) => sure)) throw new NoCheckpoint('its arguments name no file');
  if (texts.length > MAX_PATHS) throw new NoCheckpoint('it names too many files');
  const keepable = new Keepable(places, gate);
  const found = new Set<string>();
  for (const named of texts)
    for (const path of meant(named, places)) {
      const name = named.sure ? keepable.nameOf(path, named.text) : keepable.guessed(path, named.text);
      if (name !== undefined) found.add(name);
    }
  if (found.size > MAX_PATHS) throw new NoCheckpoint('it may mean too many files');
  return [...found].sort();
}

/** The paths that the one text of a call which names a file may mean; none when there are several, or it is not clear. */
export function meantBySole(args: JsonObject, places: ServerPlaces): string[] {
  const [named, ...more] = namedPaths(args).filter(({ sure }) => sure);
  if (named === undefined || more.length > 0 || places.elsewhere !== undefined) return [];
  try {
    return [...meant(named, places)];
  } catch {
    return [];
  }
}

function meant(named: NamedPath, { root, bases }: ServerPlaces): Set<string> {
  const paths = new Set<string>();
  let spelled: string[];
  try {
    spelled = spellings(named);
  } catch (error) {
    if (named.sure) throw error;
    return paths;
  }
  for (const text of spelled) {
    if (!isAbsolute(text) && bases.length === 0)
      throw new NoCheckpoint(
        `${shownText(named.text)} is relative, and it is not known to which folder; absolute paths are`,
      );
    for (const base of isAbsolute(text) ? [root] : bases) {
      for (const path of reached(resolve(base, text))) paths.add(path);
      // A system takes ".." after the link before it, most programs before.
      if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text))
        for (const path of reached(isAbsolute(text) ? text : `${base}${sep}${text}`)) paths.add(path);
    }
  }
  return paths;
}

class Keepable {
  private readonly root: string;
  private readonly own: string[];
  private readonly several: boolean;

  constructor(places: ServerPlaces, gate: GateFiles) {
    this.root = realpathSync(places.root);
    this.several = places.bases.length > 1;
    this.own = [dirname(resolve(gate.ledger)), ...gate.own].flatMap(reached);
  }

  nameOf(path: string, text: string): string {
    const shown = shownText(text);
    const means =
      this.several && !isAbsolute(text)
        ? `${shown} may mean ${JSON.stringify(path)} (an absolute path is clear), which`
        : shown;
    if (isOutside(this.root, path)) throw new NoCheckpoint(`${means} lies outside of the server’s folder`);
    const name = relative(this.root, path);
    if (name === '') throw new NoCheckpoint(`${means} is the whole folder`);
    if (name.split(sep).some((part) => part.toLowerCase() === '.git'))
      throw new NoCheckpoint(`${means} lies in git’s own folder`);
    if (this.own.some((one) => !isOutside(one, path) || !isOutside(path, one)))
      throw new NoCheckpoint(`${means} belongs to the gate`);
    return name;
  }

  /** Of a text that only looks like a path: what is not there, nor could be made there, was not meant. */
  guessed(path: string, text: string): string | undefined {
    if (path === this.root || /^[./\\]*$/.test(text)) return undefined;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isThere = stats !== undefined && (!stats.isDirectory() || /[\\/]/.test(text));
    const couldBe = /[\\/]/.test(text) && !isOutside(this.root, path) && existsSync(dirname(path));
    return isThere || couldBe ? this.nameOf(path, text) : undefined;
  }
}
