import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import type { TextRole } from './rule.ts';

/** One string of a definition: a member's value, an item, or a key. */
export interface WalkedText {
  /** Of the string; for a key, of the member that it names. */
  pointer: string;
  text: string;
  role: TextRole;
  isKey: boolean;
}

/** Members whose strings are data of a schema, not prose about it. */
const VALUE_KEYS = new Set([
  'default',
  'enum',
  'const',
  'examples',
  'example',
  'pattern',
  'format',
  'required',
  'type',
  '$ref',
  '$schema',
  '$id',
  'mimeType',
]);
const NAME_KEYS = new Set(['name', 'uri', 'uriTemplate']);
/** The lock refuses deeper definitions; a text from elsewhere must not overflow the stack. */
const MAX_DEPTH = 256;

/**
 * Every string and every key of `value`, at every depth, in document order. `base` is the JSON pointer of `value`
 * itself.
 */
export function* walkTexts(
  value: Json,
  base = '',
  role: TextRole = 'prose',
  depth = 0,
): Generator<WalkedText> {
  if (typeof value === 'string') {
    yield { pointer: base, text: value, role, isKey: false };
    return;
  }
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walkTexts(item, `${base}/${index}`, role, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    const at = base + pointer(key);
    yield { pointer: at, text: key, role: 'name', isKey: true };
    yield* walkTexts(member, at, roleOf(key, role, depth), depth + 1);
  }
}

function roleOf(key: string, parent: TextRole, depth: number): TextRole {
  if (parent === 'value' || VALUE_KEYS.has(key)) return 'value';
  if (depth === 0 && NAME_KEYS.has(key)) return 'name';
  return 'prose';
}

/** A schema inside a definition. */
export interface WalkedSchema {
  pointer: string;
  schema: JsonObject;
  /** The schemas around it, outermost first. */
  parents: readonly JsonObject[];
}

/** Keywords whose value is one schema, a map of schemas, or a list of schemas (drafts 04 to 2020-12). */
const ONE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const MAP = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);

/** A schema and every schema inside it, in document order. */
function* walkSchemas(
  schema: Json | undefined,
  base: string,
  parents: readonly JsonObject[] = [],
): Generator<WalkedSchema> {
  if (!isObject(schema) || parents.length > MAX_DEPTH) return;
  yield { pointer: base, schema, parents };
  const inner = [...parents, schema];
  for (const [key, value] of Object.entries(schema)) {
    const at = base + pointer(key);
    if (MAP.has(key) && isObject(value)) {
      for (const [name, one] of Object.entries(value)) yield* walkSchemas(one, at + pointer(name), inner);
    } else if (LIST.has(key) && Array.isArray(value)) {
      for (const [index, one] of value.entries()) yield* walkSchemas(one, `${at}/${index}`, inner);
    } else if (ONE.has(key)) {
      yield* walkSchemas(value, at, inner);
    }
  }
}

/** The schemas of a tool's definition: of its input and its output. */
export function schemasOf(definition: JsonObject): (WalkedSchema & { root: JsonObject })[] {
  const found: (WalkedSchema & { root: JsonObject })[] = [];
  for (const member of ['inputSchema', 'outputSchema']) {
    const root = own(definition, member);
    if (!isObject(root)) continue;
    for (const walked of walkSchemas(root, pointer(member))) found.push({ ...walked, root });
  }
  return found;
}
