import { isObject, type Json } from '../util/json.ts';
import { field, textField } from './field.ts';
import type { FieldChange, FieldClass } from './types.ts';

/** How a keyword's value is compared. */
export type Keyword = 'schema' | 'map' | 'properties' | 'list' | 'tuple' | 'open' | 'other';

/** Keywords whose value is one schema (JSON Schema 2020-12 and draft-07). */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'contentSchema',
]);

/** Keywords whose value is an object of schemas by name. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Keywords whose value is a list of alternatives or parts; their order means nothing. */
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf']);

/** Texts that a model reads. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'title', 'examples', 'example', '$comment']);

const LOWER_BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
]);

const UPPER_BOUNDS: ReadonlySet<string> = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
]);

/** Keywords at a value that means the same as their absence. `minContains` is 1 by default. */
const DEFAULTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['minLength', 0],
  ['minItems', 0],
  ['minProperties', 0],
  ['minContains', 1],
  ['uniqueItems', false],
  ['deprecated', false],
  ['readOnly', false],
  ['writeOnly', false],
  ['unevaluatedItems', true],
  ['additionalItems', true],
  ['nullable', false],
]);

export function keywordKind(key: string): Keyword {
  if (key === 'properties') return 'properties';
  if (key === 'prefixItems') return 'tuple';
  if (key === 'additionalProperties' || key === 'unevaluatedProperties') return 'open';
  if (SCHEMAS.has(key)) return 'schema';
  if (SCHEMA_MAPS.has(key)) return 'map';
  return SCHEMA_LISTS.has(key) ? 'list' : 'other';
}

/** The change of a keyword that holds no schema, or that only one side has. */
export function keywordField(
  key: string,
  at: string,
  before: Json | undefined,
  after: Json | undefined,
): FieldChange {
  if (TEXTS.has(key)) return textField(at, before, after);
  return field(at, keywordClass(key, before, after), before, after);
}

function keywordClass(key: string, before: Json | undefined, after: Json | undefined): FieldClass {
  if (key === 'default') return 'default-changed';
  if (key === 'const') return 'const-changed';
  if (key === 'format') return 'format-changed';
  if (LOWER_BOUNDS.has(key)) return bound(before, after, 1);
  if (UPPER_BOUNDS.has(key)) return bound(before, after, -1);
  if (key === 'pattern' || key === 'uniqueItems' || key === 'multipleOf') {
    if (isOff(key, before) && isValid(key, after)) return 'constraint-tightened';
    if (isOff(key, after) && isValid(key, before)) return 'constraint-relaxed';
  }
  return 'schema-changed';
}

function isOff(key: string, value: Json | undefined): boolean {
  return value === undefined || (key === 'uniqueItems' && value === false);
}

function isValid(key: string, value: Json | undefined): boolean {
  if (key === 'pattern') return typeof value === 'string';
  return key === 'uniqueItems' ? value === true : typeof value === 'number';
}

/** An absent bound is no bound. `sign` is 1 where a greater number allows less. */
function bound(before: Json | undefined, after: Json | undefined, sign: number): FieldClass {
  if (before !== undefined && typeof before !== 'number') return 'schema-changed';
  if (after !== undefined && typeof after !== 'number') return 'schema-changed';
  const old = before === undefined ? -Infinity : before * sign;
  const now = after === undefined ? -Infinity : after * sign;
  return now > old ? 'constraint-tightened' : 'constraint-relaxed';
}

const DIALECT = /^https?:\/\/json-schema\.org\/[\w/.-]{0,60}#?$/;

/** True for a change that comes from the library that wrote the schema: the same values are allowed as before. */
export function isPlumbing(key: string, before: Json | undefined, after: Json | undefined): boolean {
  if (key === '$schema')
    return [before, after].every(
      (value) => value === undefined || (typeof value === 'string' && DIALECT.test(value)),
    );
  if (before !== undefined && after !== undefined) return false;
  const value = before ?? after;
  // zod 4 writes them for every integer, zod 3 none; no JSON integer that survives a parser is outside.
  if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return true;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return true;
  if (key === '$defs' || key === 'definitions' || key === 'patternProperties')
    return isObject(value) && Object.keys(value).length === 0;
  return DEFAULTS.has(key) && DEFAULTS.get(key) === value;
}

/** Absent means that further properties are allowed (JSON Schema core §10.3.2.3). */
export function additionalProperties(before: Json | undefined, after: Json | undefined): FieldClass {
  const rank = (value: Json | undefined): number => {
    if (value === false) return 0;
    if (value === undefined || value === true || (isObject(value) && Object.keys(value).length === 0))
      return 2;
    return isObject(value) ? 1 : Number.NaN;
  };
  const [old, now] = [rank(before), rank(after)];
  if (Number.isNaN(old) || Number.isNaN(now)) return 'schema-changed';
  if (old === now) return 'schema-plumbing';
  return now > old ? 'additional-properties-opened' : 'additional-properties-closed';
}
