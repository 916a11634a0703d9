import canonicalize from 'canonicalize';
import { AgentGateError } from '../util/errors.ts';
import { type Json, type JsonObject, pointer, setOwn } from '../util/json.ts';

/** A value that has no canonical form, or none in NFC. */
export class CanonicalError extends AgentGateError {
  /** JSON pointer to what is wrong, where it is known. */
  readonly pointer: string;

  constructor(code: string, message: string, path: readonly (string | number)[] = []) {
    super(code, message);
    this.name = 'CanonicalError';
    this.pointer = pointer(...path);
  }
}

/** Levels of arrays and objects in one definition, `DESIGN.md` §3.3. A scalar has none. */
export const MAX_DEPTH = 200;

/** Every code unit below U+0300 is in NFC and stays so (Unicode: NFC_Quick_Check=Yes, combining class 0). */
const MAY_DENORMALISE = /[\u0300-\uFFFF]/;

/**
 * The canonical JSON text of a value (RFC 8785, by the package `canonicalize`).
 *
 * Throws `E_TOO_DEEP` (more than {@link MAX_DEPTH} levels), `E_NUMBER` (not finite) and `E_LONE_SURROGATE`.
 */
export function canonicalJson(value: Json): string {
  // RFC 8785 writes numbers and strings as ECMAScript does, so that a value whose keys are in order already needs no
  // more than JSON.stringify, which is ten times faster. `JSON.parse` of a lock gives its keys in order.
  return isCanonicalOrder(value, 0) ? JSON.stringify(value) : (canonicalize(value) as string);
}

/** Checks the whole value, and says whether all keys are enumerated in UTF-16 code unit order. */
function isCanonicalOrder(value: Json, depth: number): boolean {
  if (typeof value === 'string') {
    checkText(value);
    return true;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new CanonicalError('E_NUMBER', 'A number that is not finite has no canonical JSON.');
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  checkDepth(depth);
  let ordered = true;
  if (Array.isArray(value)) {
    for (const item of value) if (!isCanonicalOrder(item, depth + 1)) ordered = false;
    return ordered;
  }
  let last = '';
  for (const key of Object.keys(value)) {
    checkText(key);
    if (key < last) ordered = false;
    last = key;
    if (!isCanonicalOrder(value[key] as Json, depth + 1)) ordered = false;
  }
  return ordered;
}

/** True when NFC may change something in a text, or in any string of a canonical JSON text. */
export function mayDenormalise(text: string): boolean {
  return MAY_DENORMALISE.test(text);
}

/**
 * The value with every string, keys included, in Unicode NFC. A value that is in NFC is given back as it is; nothing
 * is changed in place.
 *
 * Throws `E_KEYS_EQUAL` when two keys of one object become equal, and `E_TOO_DEEP`.
 */
export function nfc(value: Json): Json {
  return mapStrings(value, (text) => (mayDenormalise(text) ? text.normalize('NFC') : text));
}

/**
 * The value with every string, keys included, replaced by what `change` makes of it. Parts in which nothing changes
 * are given back as they are. Throws `E_KEYS_EQUAL` and `E_TOO_DEEP` as {@link nfc} does.
 */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  return mapAt(value, change, []);
}

function mapAt(value: Json, change: (text: string) => string, path: (string | number)[]): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(path.length);
  let changed = false;
  const mapBelow = (before: Json, key: string | number): Json => {
    path.push(key);
    const after = mapAt(before, change, path);
    path.pop();
    changed ||= after !== before;
    return after;
  };
  if (Array.isArray(value)) {
    const items = value.map(mapBelow);
    return changed ? items : value;
  }
  // A copy is begun with the first change: most objects have none, and some have a million members.
  let copy: JsonObject | undefined;
  const keys = Object.keys(value);
  for (const [index, key] of keys.entries()) {
    const name = change(key);
    const after = mapBelow(value[key] as Json, key);
    if (name !== key) changed = true;
    if (!changed) continue;
    if (copy === undefined) {
      copy = {};
      for (const earlier of keys.slice(0, index)) setOwn(copy, earlier, value[earlier] as Json);
    }
    if (Object.hasOwn(copy, name))
      throw new CanonicalError('E_KEYS_EQUAL', 'Two keys of one object become equal.', [...path, key]);
    setOwn(copy, name, after);
  }
  return copy ?? value;
}

function checkText(text: string): void {
  if (!text.isWellFormed())
    throw new CanonicalError('E_LONE_SURROGATE', 'A text with a lone surrogate has no canonical JSON.');
}

function checkDepth(depth: number): void {
  if (depth >= MAX_DEPTH)
    throw new CanonicalError('E_TOO_DEEP', `The value is nested deeper than ${MAX_DEPTH} levels.`);
}
