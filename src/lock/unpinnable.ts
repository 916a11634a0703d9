import { type Json, pointer } from '../util/json.ts';
import { hasMarkRun } from '../util/json-scan.ts';
import { JSON_LIMITS } from '../util/strict-json.ts';
import { mayDenormalise } from './canonical.ts';

/** Why a definition cannot be pinned, `DESIGN.md` §3.3. `message` is a clause that follows the place. */
export interface Defect {
  code: 'E_TOO_DEEP' | 'E_LONE_SURROGATE' | 'E_NUMBER' | 'E_MARKS' | 'E_KEYS_EQUAL';
  pointer: string;
  message: string;
}

/** The first thing in a value that makes it unpinnable; undefined when there is none. Safe for any depth. */
export function findDefect(value: Json): Defect | undefined {
  return visit(value, []);
}

function visit(value: Json, path: (string | number)[]): Defect | undefined {
  if (typeof value === 'string') return textDefect(value, path);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : defect('E_NUMBER', path, 'is a number that is not finite');
  if (typeof value !== 'object' || value === null) return undefined;
  // The depth of a container is the length of its path: the outermost is level 1.
  if (path.length >= JSON_LIMITS.maxDepth)
    return defect('E_TOO_DEEP', path, `is nested deeper than ${JSON_LIMITS.maxDepth} levels`);
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  // Keys of one object differ; only normalisation can make them equal.
  const normal = Array.isArray(keys) && keys.some(mayDenormalise) ? new Set<string>() : undefined;
  for (const key of keys) {
    path.push(key);
    const found =
      (typeof key === 'string' ? keyDefect(key, normal, path) : undefined) ??
      visit((value as Record<string | number, Json>)[key] as Json, path);
    if (found !== undefined) return found;
    path.pop();
  }
  return undefined;
}

function keyDefect(
  key: string,
  normal: Set<string> | undefined,
  path: (string | number)[],
): Defect | undefined {
  const bad = textDefect(key, path);
  if (bad !== undefined || normal === undefined) return bad;
  const text = key.normalize('NFC');
  if (normal.has(text))
    return defect('E_KEYS_EQUAL', path, 'equals another key of its object after Unicode normalisation (NFC)');
  normal.add(text);
  return undefined;
}

function textDefect(text: string, path: (string | number)[]): Defect | undefined {
  if (!text.isWellFormed()) return defect('E_LONE_SURROGATE', path, 'holds a lone surrogate');
  if (hasMarkRun(text, JSON_LIMITS.maxMarks))
    return defect('E_MARKS', path, `holds more than ${JSON_LIMITS.maxMarks} combining marks in a row`);
  return undefined;
}

function defect(code: Defect['code'], path: readonly (string | number)[], message: string): Defect {
  return { code, pointer: pointer(...path), message };
}
