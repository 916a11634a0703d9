import { literalPattern } from '../util/pattern.ts';
import type { MaskName } from './types.ts';

/** Absolute folders of the host that a server was given. */
export interface HostPaths {
  cwd?: string;
  home?: string;
  tmpdir?: string;
}

/** Replaces host paths in a text, and notes in `used` which. */
export type Masker = (text: string, used?: Set<MaskName>) => string;

const NAMES: readonly MaskName[] = ['CREDENTIAL', 'CWD', 'HOME', 'SECRET', 'TMPDIR', 'volatile'];

const QUOTES = '"\'`´‘’“”«»';
const BRACKETS = '()[\\]{}<>|';
/** What may stand before a path: nothing, white space, a quote, a bracket, a list's separator, `=`, a URI's `://`. */
const BEFORE = `(?<=^|[\\s${QUOTES}${BRACKETS}=:;,]|:///?)`;
/**
 * What ends one, `DESIGN.md` §3.3: the end of the text, a separator, a quote or white space; and the full stop of a
 * sentence, which would otherwise let the path of a home into the lock.
 */
const AFTER = `(?=[.!?]*(?:$|[\\s${QUOTES}${BRACKETS}])|[:;,/\\\\])`;
/** What follows in the same Windows path. */
const REST = `[^\\s${QUOTES}${BRACKETS}:;,]*`;

/**
 * Makes the replacement of §3.3: the host's own paths become `${CWD}`, `${HOME}`, `${TMPDIR}`. Only paths of at least
 * two segments count (`/tmp` and `/root` are words that any text may use), only whole ones, the longest first;
 * `file://` before one stays. A Windows path is also found with `/` or doubled `\`, with its drive letter in the other
 * case, and percent-encoded as in a URI; what follows in that path gets `/`, and a URI loses the `/` before
 * the drive, so that every system gives one text. Linear in the text.
 */
export function createMasker(paths: HostPaths): Masker {
  const names = new Map<string, MaskName>();
  const add = (path: string | undefined, name: MaskName): void => {
    if (path === undefined) return;
    for (const spelling of spellings(path)) if (!names.has(spelling)) names.set(spelling, name);
  };
  add(paths.cwd, 'CWD');
  add(paths.home, 'HOME');
  add(paths.tmpdir, 'TMPDIR');
  if (names.size === 0) return (text) => text;
  const spelled = [...names.keys()].sort((a, b) => b.length - a.length);
  const path = `(${spelled.map(literalPattern).join('|')})${AFTER}`;
  const windows = spelled.some((each) => WINDOWS.test(each));
  const pattern = windows
    ? new RegExp(`${BEFORE}(?:(?<=://)/)?${path}(${REST})`, 'gu')
    : new RegExp(`${BEFORE}${path}()`, 'gu');
  return (text, used) => {
    // Few texts name a path, and the plain search is many times faster than the pattern.
    if (!spelled.some((each) => text.includes(each))) return text;
    return text.replace(pattern, (_, found: string, more: string) => {
      const name = names.get(found) ?? 'CWD';
      used?.add(name);
      return `\${${name}}${more.replace(/\\+/g, '/')}`;
    });
  };
}

/** The masks that were used, in the order in which a lock lists them; undefined when there are none. */
export function maskList(used: ReadonlySet<MaskName>): MaskName[] | undefined {
  const list = NAMES.filter((name) => used.has(name));
  return list.length > 0 ? list : undefined;
}

/** A drive, or a share. */
const WINDOWS = /^([A-Za-z]):[/\\]|^\\\\/;

/** The ways in which a text may write a path; none for a path that is relative or shorter than two segments. */
function spellings(path: string): string[] {
  const trimmed = path.replace(/[/\\]+$/, '');
  const windows = WINDOWS.exec(trimmed);
  if (windows === null && !trimmed.startsWith('/')) return [];
  const segments = trimmed.split(windows ? /[/\\]+/ : /\/+/).filter((part) => part !== '');
  if (segments.length - (windows?.[1] === undefined ? 0 : 1) < 2) return [];
  const all = new Set<string>();
  for (const base of new Set([trimmed, trimmed.normalize('NFC'), trimmed.normalize('NFD')])) {
    if (windows === null) {
      all.add(base).add(encodeURI(base.toWellFormed()));
      // macOS resolves these to /private; a server may give either.
      if (/^\/(?:tmp|var|etc)\//.test(base)) all.add(`/private${base}`);
      continue;
    }
    for (const drive of drives(base)) {
      const slashed = drive.replaceAll('\\', '/');
      all.add(drive).add(slashed).add(slashed.replaceAll('/', '\\')).add(drive.replaceAll('\\', '\\\\'));
      all.add(encodeURI(slashed.toWellFormed())).add(encodeURI(slashed.toWellFormed()).replace(':', '%3A'));
    }
  }
  return [...all];
}

function drives(path: string): string[] {
  return /^[A-Za-z]:/.test(path)
    ? [`${path.charAt(0).toUpperCase()}${path.slice(1)}`, `${path.charAt(0).toLowerCase()}${path.slice(1)}`]
    : [path];
}
