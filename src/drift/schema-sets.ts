import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { JSON_TYPES } from '../util/json-schema.ts';
import { sameJson, stableText } from './equal.ts';
import type { KeywordComparison, SchemaWalk } from './schema-walk.ts';

/** The names in a `required` list; undefined when it is no list of names. An absent one is empty. */
export function requiredNames(value: Json | undefined): Set<string> | undefined {
  if (value === undefined) return new Set();
  if (!Array.isArray(value)) return undefined;
  const names = new Set<string>();
  for (const name of value) {
    if (typeof name !== 'string') return undefined;
    names.add(name);
  }
  return names;
}

/**
 * `required`: one field per name, at the list's pointer, so that the same name over many tools is the same change. A
 * name that comes or goes with its property is told by the property's own change.
 */
export const compareRequired: KeywordComparison = (walk, a, b, at, before, after) => {
  const [old, now] = [requiredNames(a), requiredNames(b)];
  if (!old || !now) {
    walk.add(at, 'schema-changed', a, b);
    return;
  }
  const [had, has] = [own(before, 'properties') ?? {}, own(after, 'properties') ?? {}];
  let differs = false;
  for (const name of now) {
    if (old.has(name)) continue;
    differs = true;
    if (!cameOrWent(had, has, name)) walk.add(at, 'required-added', undefined, name);
  }
  for (const name of old) {
    if (now.has(name)) continue;
    differs = true;
    if (!cameOrWent(has, had, name)) walk.add(at, 'required-removed', name, undefined);
  }
  // The same names in another order, twice, or an empty list beside none.
  if (!differs) walk.add(at, 'schema-plumbing', a, b);
};

function cameOrWent(without: Json, withIt: Json, name: string): boolean {
  return (
    isObject(without) && isObject(withIt) && !Object.hasOwn(without, name) && Object.hasOwn(withIt, name)
  );
}

/** `type`: a name or a list of names; `integer` is within `number`; absent allows everything. */
export const compareType: KeywordComparison = (walk, a, b, at, before, after) => {
  const [old, now] = [typeNames(a), typeNames(b)];
  if (old === undefined || now === undefined) {
    walk.add(at, 'type-changed', a, b);
    return;
  }
  // A type that only says what `const` or `enum` says already.
  if (a === undefined || b === undefined) {
    const implied = old === 'any' ? now : old;
    if (implied !== 'any' && valuesHaveType(before, after, implied)) {
      walk.add(at, 'schema-plumbing', a, b);
      return;
    }
  }
  const widened = !covers(old, now);
  const narrowed = !covers(now, old);
  if (widened && narrowed) walk.add(at, 'type-changed', a, b);
  else walk.add(at, widened ? 'type-widened' : narrowed ? 'type-narrowed' : 'schema-plumbing', a, b);
};

type Types = Set<string> | 'any';

function typeNames(value: Json | undefined): Types | undefined {
  if (value === undefined) return 'any';
  const list = Array.isArray(value) ? value : [value];
  const names = new Set<string>();
  for (const name of list) {
    if (typeof name !== 'string' || !JSON_TYPES.has(name)) return undefined;
    names.add(name);
  }
  return names;
}

/** True when everything of type `inner` is of type `outer`. */
function covers(outer: Types, inner: Types): boolean {
  if (outer === 'any') return true;
  if (inner === 'any') return false;
  return [...inner].every((name) => outer.has(name) || (name === 'integer' && outer.has('number')));
}

function valuesHaveType(before: JsonObject, after: JsonObject, types: Set<string>): boolean {
  for (const key of ['const', 'enum']) {
    const value = own(before, key);
    if (value === undefined || !sameJson(value, own(after, key))) continue;
    const values = key === 'enum' && Array.isArray(value) ? value : [value];
    return values.every((item) => covers(types, new Set([typeOf(item)])));
  }
  return false;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** `enum`: the order of the values means nothing; absent allows everything. */
export function compareEnum(walk: SchemaWalk, a: Json | undefined, b: Json | undefined, at: string): void {
  if ((a !== undefined && !Array.isArray(a)) || (b !== undefined && !Array.isArray(b))) {
    walk.add(at, 'schema-changed', a, b);
    return;
  }
  if (a === undefined) {
    walk.add(at, 'enum-narrowed', a, b);
    return;
  }
  if (b === undefined) {
    walk.add(at, 'enum-widened', a, b);
    return;
  }
  const [old, now] = [new Set(a.map(stableText)), new Set(b.map(stableText))];
  // With values both new and gone, the new ones say what the change introduces.
  if ([...now].some((value) => !old.has(value))) walk.add(at, 'enum-widened', a, b);
  else if ([...old].some((value) => !now.has(value))) walk.add(at, 'enum-narrowed', a, b);
  else walk.add(at, 'schema-plumbing', a, b);
}
