import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { resolveReference } from '../util/json-schema.ts';
import { sameJson } from './equal.ts';
import type { Rewrite, SchemaWalk } from './schema-walk.ts';

/** Steps from one `$ref` to the next, and schema nodes looked at, before two targets count as different. */
const MAX_HOPS = 50;
const MAX_NODES = 20_000;

/**
 * `$ref`: another name for the same schema (`#/definitions/A` → `#/$defs/A`) is plumbing, anything else
 * `ref-changed`. What stands at the target is compared where it stands, once.
 */
export function compareRef(walk: SchemaWalk, a: Json | undefined, b: Json | undefined, at: string): void {
  const same =
    typeof a === 'string' &&
    typeof b === 'string' &&
    sameTarget(walk, a, b, { left: MAX_NODES, seen: new Set() });
  walk.add(at, same ? 'schema-plumbing' : 'ref-changed', a, b);
}

/** Keywords that may stand beside a `$ref` and change nothing that it asks for. */
const BESIDE = new Set(['$ref', 'description', 'title', 'default', 'examples', 'deprecated']);

/**
 * An in-document `$ref` on one side only, and on the other a schema in its place: what it points at is compared with
 * that, and the `$ref` itself is plumbing. False when this is not so.
 */
export const compareInlined: Rewrite = (walk, before, after, at, depth) => {
  const [old, now] = [own(before, '$ref'), own(after, '$ref')];
  if ((old === undefined) === (now === undefined)) return false;
  // `Options | null` became `Options`: compared as a choice, and what stands at the target once, where it stands.
  if (choosesReference(old === undefined ? before : after)) return false;
  const [a, b] = [followed(walk.before, before), followed(walk.after, after)];
  if (a === undefined || b === undefined) return false;
  walk.add(at, 'schema-plumbing', before, after);
  walk.compare(walk, a, b, at, depth + 1);
  return true;
};

function choosesReference(schema: JsonObject): boolean {
  return ['anyOf', 'oneOf'].some((key) => {
    const branches = own(schema, key);
    return (
      Array.isArray(branches) && branches.some((branch) => isObject(branch) && Object.hasOwn(branch, '$ref'))
    );
  });
}

/** The schema with what its `$ref` points at in the place of the `$ref`; undefined when that is not clear. */
function followed(document: Json, schema: JsonObject): JsonObject | undefined {
  const reference = own(schema, '$ref');
  if (reference === undefined) return schema;
  const target = typeof reference === 'string' ? resolveReference(document, reference) : undefined;
  if (!isObject(target) || Object.keys(schema).some((key) => !BESIDE.has(key))) return undefined;
  const { $ref: _, ...beside } = schema;
  return { ...target, ...beside };
}

interface Search {
  left: number;
  /** Pairs of references that are taken to be equal while they are looked at: schemas can be circular. */
  seen: Set<string>;
}

function sameTarget(walk: SchemaWalk, a: string, b: string, search: Search): boolean {
  const pair = JSON.stringify([a, b]);
  if (search.seen.has(pair)) return true;
  if (search.seen.size >= MAX_HOPS) return false;
  search.seen.add(pair);
  const [old, now] = [resolveReference(walk.before, a), resolveReference(walk.after, b)];
  if (old === undefined || now === undefined) return false;
  return sameSchema(walk, old, now, search);
}

/** Equal schemas, references compared by what they point at. */
function sameSchema(walk: SchemaWalk, a: Json, b: Json, search: Search): boolean {
  if (search.left-- <= 0) return false;
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => sameSchema(walk, item, b[i] as Json, search))
    );
  if (!isObject(a) || !isObject(b)) return sameJson(a, b);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [old, now] = [own(a, key), own(b, key)];
    if (old === undefined || now === undefined) return false;
    if (key === '$ref' && typeof old === 'string' && typeof now === 'string')
      return sameTarget(walk, old, now, search);
    return sameSchema(walk, old, now, search);
  });
}

/**
 * `definitions` became `$defs`, or back: the two containers are plumbing, their schemas are compared by name. False
 * when this is not so.
 */
export const definitionsMoved: Rewrite = (walk, before, after, at, depth) => {
  const from = own(before, 'definitions') === undefined ? '$defs' : 'definitions';
  const to = from === '$defs' ? 'definitions' : '$defs';
  const [old, now] = [own(before, from), own(after, to)];
  if (own(before, to) !== undefined || own(after, from) !== undefined) return false;
  if (!isObject(old) || !isObject(now)) return false;
  walk.add(`${at}/${from}`, 'schema-plumbing', old, undefined);
  walk.add(`${at}/${to}`, 'schema-plumbing', undefined, now);
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [a, b] = [own(old, name), own(now, name)];
    const here = at + pointer(b === undefined ? from : to, name);
    if (a !== undefined && b !== undefined) walk.compare(walk, a, b, here, depth + 1);
    else walk.add(here, 'schema-changed', a, b);
  }
  return true;
};
