import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { listedChoices } from './schema-choices.ts';
import { compareComposition, wrapped } from './schema-composition.ts';
import {
  additionalProperties,
  isPlumbing,
  type Keyword,
  keywordField,
  keywordKind,
} from './schema-keywords.ts';
import { compareInlined, compareRef, definitionsMoved } from './schema-ref.ts';
import { compareEnum, compareRequired, compareType, requiredNames } from './schema-sets.ts';
import { type SchemaWalk, startWalk } from './schema-walk.ts';
import type { FieldChange } from './types.ts';

/** Levels of a schema that are looked into; a surface that is nested deeper cannot be pinned (`DESIGN.md` §3.3). */
const MAX_DEPTH = 200;

/**
 * The differences of two JSON Schemas, each at a pointer below `base` and with the class that says what it means to a
 * caller. No difference is lost: what no rule knows is `schema-changed` (`output-schema-changed` in an output
 * schema). Work is bounded; past the bound a whole part is one such field.
 */
export function compareSchemas(
  before: Json,
  after: Json,
  base: string,
  use: 'input' | 'output' = 'input',
): FieldChange[] {
  const walk = startWalk(before, after, use, compareAt);
  compareAt(walk, before, after, base, 0);
  return walk.fields;
}

function compareAt(walk: SchemaWalk, before: Json, after: Json, at: string, depth: number): void {
  if (depth > MAX_DEPTH || walk.left-- <= 0) {
    if (!sameJson(before, after)) walk.add(at, 'schema-changed', before, after);
    return;
  }
  if (!isObject(before) || !isObject(after)) {
    if (sameJson(before, after)) return;
    walk.add(
      at,
      isAnything(before) && isAnything(after) ? 'schema-plumbing' : 'schema-changed',
      before,
      after,
    );
    return;
  }
  if (compareInlined(walk, before, after, at, depth)) return;
  if (listedChoices(walk, before, after, at, depth)) return;
  if (wrapped(walk, before, after, at, depth)) return;
  if (definitionsMoved(walk, before, after, at, depth)) {
    compareKeywords(walk, without(before), without(after), at, depth);
    return;
  }
  compareKeywords(walk, before, after, at, depth);
}

/** `true` and `{}` both allow anything. */
function isAnything(schema: Json): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function without(schema: JsonObject): JsonObject {
  const { $defs, definitions, ...rest } = schema;
  return rest;
}

function compareKeywords(
  walk: SchemaWalk,
  before: JsonObject,
  after: JsonObject,
  at: string,
  depth: number,
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [own(before, key), own(after, key)];
    const kind = keywordKind(key);
    // What is walked anyway is not compared as a whole first: that would cost its size again at every level.
    if (a !== undefined && b !== undefined && isWalked(kind, a, b)) {
      compareNested(walk, kind, a, b, at + pointer(key), depth, { before, after });
      continue;
    }
    if (sameJson(a, b)) continue;
    compareKeyword(walk, key, a, b, at, depth, before, after);
  }
}

function isWalked(kind: Keyword, a: Json, b: Json): boolean {
  return kind === 'open' ? isObject(a) && isObject(b) : kind !== 'list' && kind !== 'other';
}

function compareNested(
  walk: SchemaWalk,
  kind: Keyword,
  a: Json,
  b: Json,
  at: string,
  depth: number,
  parents: { before: JsonObject; after: JsonObject },
): void {
  const tuple = kind === 'tuple' || (kind === 'schema' && (Array.isArray(a) || Array.isArray(b)));
  if (tuple) compareTuples(walk, a, b, at, depth);
  else if (kind === 'schema' || kind === 'open') compareAt(walk, a, b, at, depth + 1);
  else if (!isObject(a) || !isObject(b)) {
    if (!sameJson(a, b)) walk.add(at, 'schema-changed', a, b);
  } else compareMaps(walk, kind, a, b, at, depth, parents);
}

/** `properties`, `$defs`, `patternProperties` …: schemas by name. */
function compareMaps(
  walk: SchemaWalk,
  kind: Keyword,
  a: JsonObject,
  b: JsonObject,
  at: string,
  depth: number,
  parents: { before: JsonObject; after: JsonObject },
): void {
  const required = requiredNames(own(parents.after, 'required'));
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [old, now] = [own(a, name), own(b, name)];
    const here = at + pointer(name);
    if (old !== undefined && now !== undefined) compareAt(walk, old, now, here, depth + 1);
    else if (kind !== 'properties') walk.add(here, 'schema-changed', old, now);
    else if (now === undefined) walk.add(here, 'property-removed', old, now);
    else
      walk.add(here, required?.has(name) ? 'property-added-required' : 'property-added-optional', old, now);
  }
}

/** `properties` on one side only: the same as none on the other; an empty one that comes or goes is form alone. */
function compareProperties(
  walk: SchemaWalk,
  a: Json | undefined,
  b: Json | undefined,
  at: string,
  depth: number,
  parents: { before: JsonObject; after: JsonObject },
): void {
  const [old, now] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
  if (Object.keys(old).length + Object.keys(now).length === 0) walk.add(at, 'schema-plumbing', a, b);
  else compareMaps(walk, 'properties', old, now, at, depth, parents);
}

/** Lists of schemas whose order means something: `prefixItems`, and `items` of old drafts. */
function compareTuples(walk: SchemaWalk, a: Json, b: Json, at: string, depth: number): void {
  if (!Array.isArray(a) || !Array.isArray(b)) {
    if (!sameJson(a, b)) walk.add(at, 'schema-changed', a, b);
    return;
  }
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [old, now] = [a[i], b[i]];
    if (old !== undefined && now !== undefined) compareAt(walk, old, now, at + pointer(i), depth + 1);
    else walk.add(at + pointer(i), 'schema-changed', old, now);
  }
}

function compareKeyword(
  walk: SchemaWalk,
  key: string,
  a: Json | undefined,
  b: Json | undefined,
  at: string,
  depth: number,
  before: JsonObject,
  after: JsonObject,
): void {
  const here = at + pointer(key);
  const kind = keywordKind(key);
  if (key === 'required') {
    compareRequired(walk, a, b, here, before, after);
    return;
  }
  if (key === 'type') {
    compareType(walk, a, b, here, before, after);
    return;
  }
  if (key === 'enum') {
    compareEnum(walk, a, b, here);
    return;
  }
  if (key === '$ref' || key === '$dynamicRef') {
    compareRef(walk, a, b, here);
    return;
  }
  if (kind === 'list') {
    compareComposition(walk, a, b, here, depth);
    return;
  }
  if (kind === 'open') {
    walk.add(here, additionalProperties(a, b), a, b);
    return;
  }
  if (kind === 'properties' && isObject(a ?? {}) && isObject(b ?? {})) {
    // Absent on one side: the same as none. An empty one that comes or goes is form alone.
    compareProperties(walk, a, b, here, depth, { before, after });
    return;
  }
  if (isPlumbing(key, a, b)) {
    walk.add(here, 'schema-plumbing', a, b);
    return;
  }
  walk.fields.push(...walk.adjust(keywordField(key, here, a, b)));
}
