import { isObject, type Json } from '../../util/json.ts';

/** A text of a call that may name a file. */
export interface NamedPath {
  text: string;
  /** True: the member's name says that it is a path. False: it could be one, by its looks or because such a file exists. */
  sure: boolean;
  /** The member's name speaks of several, and this is one text. */
  several: boolean;
}

/** Names of members that hold paths, in the tools of common servers; compared in lower case without `_` and `-`. */
const WORDS = '(?:path|file|filename|dir|directory|folder|uri|source|destination|dest|src|dst|target)';
const NAMES = new RegExp(
  `^(?:from|to|root|cwd|location|output|input|\\w*(?:path|file|filename|dir|directory|folder)s?|` +
    `${WORDS}(?:s|es)?|directories|(?:source|destination|target|file|old|new|from|to)${WORDS}s?)$`,
);
const SEVERAL = /(?:s|directories)$/;
/** Longer texts are contents, not paths (`PATH_MAX` of Linux is 4,096). */
const MAX_GUESSED = 1_024;

/**
 * Every text of a call's arguments that may name a file, at any depth, names of members below a path's member included
 * (`{"files": {"a.txt": "…"}}`).
 */
export function namedPaths(args: Json): NamedPath[] {
  const found: NamedPath[] = [];
  collect(args, { sure: false, several: false, below: false }, found);
  return found;
}

interface Where {
  sure: boolean;
  several: boolean;
  /** Some member above is a path's. */
  below: boolean;
}

function collect(value: Json, where: Where, found: NamedPath[]): void {
  if (typeof value === 'string') {
    if (where.sure) found.push({ text: value, sure: true, several: where.several });
    else if (mayBePath(value)) found.push({ text: value, sure: false, several: false });
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, { ...where, several: false }, found);
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const name = key.toLowerCase().replaceAll(/[_-]/g, '');
      const sure = NAMES.test(name);
      if (where.below && !sure && mayBePath(key))
        found.push({ text: key, sure: where.sure && /[./\\]/.test(key), several: false });
      collect(child, { sure, several: sure && SEVERAL.test(name), below: where.below || sure }, found);
    }
  }
}

function mayBePath(text: string): boolean {
  return text !== '' && text.length <= MAX_GUESSED && !/[\x00-\x1f]/.test(text);
}
