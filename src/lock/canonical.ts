import canonicalize from 'canonicalize';
import { AgentGateError } from '../util/errors.ts';
import { type Json, type JsonObject, setOwn } from '../util/json.ts';

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
      throw new AgentGateError('E_NUMBER', 'A number that is not finite has no canonical JSON.');
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
export function mapStrings(value: Json, change: (text: string) => string, depth = 0): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  checkDepth(depth);
  if (Array.isArray(value)) {
    let changed = false;
    const items = value.map((item) => {
      const mapped = mapStrings(item, change, depth + 1);
      changed ||= mapped !== item;
      return mapped;
    });
    return changed ? items : value;
  }
  let changed = false;
  const object: JsonObject = {};
  for (const key of Object.keys(value)) {
    const before = value[key] as Json;
    const name = change(key);
    const after = mapStrings(before, change, depth + 1);
    changed ||= name !== key || after !== before;
    if (Object.hasOwn(object, name))
      throw new AgentGateError(
        'E_KEYS_EQUAL',
        `Two keys of one object become equal: ${JSON.stringify(name)}.`,
      );
    setOwn(object, name, after);
  }
  return changed ? object : value;
}

function checkText(text: string): void {
  if (!text.isWellFormed())
    throw new AgentGateError('E_LONE_SURROGATE', 'A text with a lone surrogate has no canonical JSON.');
}

function checkDepth(depth: number): void {
  if (depth >= MAX_DEPTH)
    throw new AgentGateError('E_TOO_DEEP', `The value is nested deeper than ${MAX_DEPTH} levels.`);
}
