import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { compareAnnotations } from './annotations.ts';
import { compareArguments } from './arguments.ts';
import { sameInNfc, sameJson } from './equal.ts';
import { field, textField } from './field.ts';
import { compareSchemas } from './schema.ts';
import { compareFrontmatter } from './skill.ts';
import type { ChangeKind, FieldChange } from './types.ts';

/**
 * The differences of two raw definitions of one capability, without `_meta`. Not empty unless they are the same JSON
 * value.
 */
export function compareDefinitions(kind: ChangeKind, before: JsonObject, after: JsonObject): FieldChange[] {
  if (sameJson(before, after)) return [];
  const encoding = sameInNfc(before, after);
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [own(before, key), own(after, key)];
    if (sameJson(a, b)) continue;
    if (encoding) fields.push(field(pointer(key), 'encoding-only', a, b));
    else append(fields, compareMember(kind, key, a, b));
  }
  return fields.length > 0 ? fields : [field('', 'field-changed', before, after)];
}

/** Fields of one member that are told apart; a schema that somebody made to exhaust a report can have a million. */
const MAX_FIELDS = 10_000;

/** The differences of one top-level member, absent on one side or different; as one field when they are too many. */
export function compareMember(
  kind: ChangeKind,
  key: string,
  before: Json | undefined,
  after: Json | undefined,
): FieldChange[] {
  const at = pointer(key);
  if (key === 'description' || key === 'body') return [textField(at, before, after)];
  if (key === 'title') return [textField(at, before, after, 'title-changed')];
  if (key === 'icons') return [field(at, 'icon-changed', before, after)];
  if (kind === 'tool') {
    if (key === 'inputSchema' || key === 'outputSchema') return compareSchemaMember(key, at, before, after);
    if (key === 'annotations') return compareAnnotations(before, after);
    if (key === 'execution')
      return [field(at, isExecution(before, after) ? 'schema-plumbing' : 'field-changed', before, after)];
  }
  if (kind === 'prompt' && key === 'arguments') return compareArguments(before, after, at);
  if (kind === 'skill' && key === 'frontmatter' && isObject(before) && isObject(after))
    return compareFrontmatter(before, after);
  // A resource's name is no key, only a label.
  if (key === 'name' && (kind === 'resource' || kind === 'resourceTemplate'))
    return [textField(at, before, after)];
  return compareOther(at, before, after);
}

function compareSchemaMember(
  key: 'inputSchema' | 'outputSchema',
  at: string,
  before: Json | undefined,
  after: Json | undefined,
): FieldChange[] {
  const output = key === 'outputSchema';
  const whole = (): FieldChange[] => [
    field(at, output ? 'output-schema-changed' : 'schema-changed', before, after),
  ];
  if (before === undefined || after === undefined) return whole();
  const fields = compareSchemas(before, after, at, output ? 'output' : 'input');
  return fields.length > MAX_FIELDS ? whole() : fields;
}

/** `execution.taskSupport` of protocol 2025-11-25, which SDKs add and later dropped again. */
function isExecution(...values: (Json | undefined)[]): boolean {
  return values.every(
    (value) =>
      value === undefined ||
      (isObject(value) &&
        Object.entries(value).every(
          ([key, member]) =>
            key === 'taskSupport' &&
            (member === 'forbidden' || member === 'optional' || member === 'required'),
        )),
  );
}

/** Members of a known object (resource annotations, skill frontmatter, unknown members), each at its own pointer. */
function compareOther(at: string, before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (!isObject(before) || !isObject(after)) return [field(at, 'field-changed', before, after)];
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [own(before, key), own(after, key)];
    if (sameJson(a, b)) continue;
    if (key === 'description') fields.push(textField(at + pointer(key), a, b));
    else fields.push(field(at + pointer(key), 'field-changed', a, b));
  }
  if (fields.length > MAX_FIELDS) return [field(at, 'field-changed', before, after)];
  return fields;
}
