import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { field, textField } from './field.ts';
import type { FieldChange } from './types.ts';

/** Differences of a prompt's `arguments`, matched by name; pointers use the place in the newer list that has them. */
export function compareArguments(
  before: Json | undefined,
  after: Json | undefined,
  at: string,
): FieldChange[] {
  const [old, now] = [byName(before), byName(after)];
  if (!old || !now) return [field(at, 'schema-changed', before, after)];
  const fields: FieldChange[] = [];
  for (const [name, { value, index }] of now) {
    const was = old.get(name)?.value;
    const here = at + pointer(index);
    if (was) append(fields, compareArgument(was, value, here));
    else {
      const required = own(value, 'required') === true;
      fields.push(
        field(here, required ? 'property-added-required' : 'property-added-optional', undefined, value),
      );
    }
  }
  for (const [name, { value, index }] of old)
    if (!now.has(name)) fields.push(field(at + pointer(index), 'property-removed', value, undefined));
  // The same arguments in another order, or an empty list beside none.
  return fields.length > 0 ? fields : [field(at, 'schema-plumbing', before, after)];
}

type Arguments = Map<string, { value: JsonObject; index: number }>;

function byName(value: Json | undefined): Arguments | undefined {
  if (value === undefined) return new Map();
  if (!Array.isArray(value)) return undefined;
  const found: Arguments = new Map();
  for (const [index, item] of value.entries()) {
    const name = isObject(item) ? own(item, 'name') : undefined;
    if (!isObject(item) || typeof name !== 'string' || found.has(name)) return undefined;
    found.set(name, { value: item, index });
  }
  return found;
}

function compareArgument(before: JsonObject, after: JsonObject, at: string): FieldChange[] {
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [own(before, key), own(after, key)];
    if (sameJson(a, b)) continue;
    const here = at + pointer(key);
    if (key === 'description') fields.push(textField(here, a, b));
    else if (key === 'title') fields.push(textField(here, a, b, 'title-changed'));
    else if (key !== 'required') fields.push(field(here, 'field-changed', a, b));
    else if ((a ?? false) === (b ?? false)) fields.push(field(here, 'schema-plumbing', a, b));
    else if (b === true) fields.push(field(here, 'required-added', a, b));
    else if (a === true && (b ?? false) === false) fields.push(field(here, 'required-removed', a, b));
    else fields.push(field(here, 'schema-changed', a, b));
  }
  return fields;
}
