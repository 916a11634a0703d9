import { isObject, type Json, type JsonObject, own, pointerTokens } from '../../util/json.ts';
import { COMPOSING, resolveReference } from '../../util/json-schema.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';
import { shownValue } from './shown-value.ts';

/** Entries of `required` that no property answers to. */
export function unknownRequired(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema, parents, root } of context.schemas) {
    const required = own(schema, 'required');
    if (required === undefined || typeof required === 'boolean') continue;
    if (!Array.isArray(required)) {
      hits.push({
        pointer: `${at}/required`,
        shown: shownValue(required),
        message: 'is no list of names',
      });
      continue;
    }
    if (required.length === 0) continue;
    const known = new Set<string>();
    let open = collect(schema, root, known, 0);
    for (const parent of enclosing(parents, at)) open = collect(parent, root, known, 0) || open;
    for (const [index, name] of required.entries()) {
      if (typeof name === 'string' && (known.has(name) || (open && isIdentifier(name)))) continue;
      hits.push({
        pointer: `${at}/required/${index}`,
        shown: shownValue(name),
        message: 'is required, but is no property',
      });
    }
  }
  return hits;
}

const isIdentifier = (name: string): boolean => /^[\p{L}\p{N}_.$@:/-]{1,64}$/u.test(name);

/**
 * The schemas that describe the same value as the one at `at`: those around it as long as only composition lies
 * between ("anyOf": [{"required": ["a"]}] beside "properties").
 */
function enclosing(parents: readonly JsonObject[], at: string): JsonObject[] {
  const tokens = pointerTokens(at);
  const same: JsonObject[] = [];
  let end = tokens.length;
  for (let i = parents.length - 1; i >= 0; i--) {
    const last = tokens[end - 1] ?? '';
    const beforeLast = tokens[end - 2] ?? '';
    if (COMPOSING.has(last)) end -= 1;
    else if (COMPOSING.has(beforeLast)) end -= 2;
    else break;
    same.push(parents[i] as JsonObject);
  }
  return same;
}

/** Adds the properties that a value of this schema can have; true when names may come from elsewhere. */
function collect(schema: Json | undefined, root: JsonObject, known: Set<string>, depth: number): boolean {
  if (!isObject(schema) || depth > 16) return false;
  let open = false;
  const properties = own(schema, 'properties');
  if (isObject(properties)) for (const name of Object.keys(properties)) known.add(name);
  else if (isObject(own(schema, 'additionalProperties'))) open = true;
  if (isObject(own(schema, 'patternProperties'))) open = true;
  const reference = own(schema, '$ref');
  if (typeof reference === 'string') {
    const target = resolveReference(root, reference);
    open = target === undefined ? true : collect(target, root, known, depth + 1) || open;
  }
  if (own(schema, '$dynamicRef') !== undefined || own(schema, '$recursiveRef') !== undefined) open = true;
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const list = own(schema, key);
    if (Array.isArray(list)) for (const one of list) open = collect(one, root, known, depth + 1) || open;
  }
  for (const key of ['if', 'then', 'else', 'not'])
    open = collect(own(schema, key), root, known, depth + 1) || open;
  for (const key of ['dependentSchemas', 'dependencies']) {
    const map = own(schema, key);
    if (isObject(map))
      for (const one of Object.values(map)) open = collect(one, root, known, depth + 1) || open;
  }
  return open;
}
