import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { code, cut, type Inline, joined, text } from './document.ts';

/** A value in a table cell, and whether the cell shows all of it. */
export interface ValueWords {
  inlines: Inline[];
  complete: boolean;
}

/** Longest value that a cell shows whole, in characters. */
const CELL = 80;

/** Keywords of JSON Schema that {@link schemaWords} puts into words. */
const LIMITS: [string, string][] = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
  ['minLength', 'length ≥'],
  ['maxLength', 'length ≤'],
  ['minItems', 'items ≥'],
  ['maxItems', 'items ≤'],
  ['multipleOf', 'multiple of'],
  ['format', 'format'],
  ['pattern', 'pattern'],
  ['default', 'default'],
  ['const', 'always'],
];

const isScalar = (value: Json): value is string | number | boolean | null =>
  value === null || typeof value !== 'object';

function scalar(value: string | number | boolean | null): ValueWords {
  const words = typeof value === 'string' ? (value === '' ? '""' : value) : JSON.stringify(value);
  // A text that reads like another type is quoted.
  const shown =
    typeof value === 'string' && /^(?:true|false|null|-?\d[\d.e+-]*)$/.test(value)
      ? JSON.stringify(value)
      : words;
  if (shown.length <= CELL) return { inlines: [code(shown)], complete: true };
  return { inlines: [code(`${cut(shown, CELL - 1)}…`)], complete: false };
}

/** A `type`: one or several names of types, which are never quoted. */
function typeWords(value: Json | undefined): ValueWords {
  const names = Array.isArray(value) ? value : [value];
  if (
    names.length === 0 ||
    names.length > 12 ||
    !names.every((one) => typeof one === 'string' && one.length <= CELL)
  )
    return valueWords(value);
  return {
    inlines: joined(
      names.map((one) => [code(String(one))]),
      ' ',
    ),
    complete: true,
  };
}

/** Any JSON value, short. `undefined` means that the member is not there. */
export function valueWords(value: Json | undefined): ValueWords {
  if (value === undefined) return { inlines: [text('—')], complete: true };
  if (isScalar(value)) return scalar(value);
  if (Array.isArray(value) && value.length > 0 && value.length <= 12 && value.every(isScalar)) {
    const words = value.map((item) => scalar(item));
    return {
      inlines: joined(
        words.map((word) => word.inlines),
        ' ',
      ),
      complete: words.every((word) => word.complete),
    };
  }
  const json = JSON.stringify(value);
  if (json.length <= CELL) return { inlines: [code(json)], complete: true };
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  return { inlines: [text(`${Array.isArray(value) ? 'a list' : 'an object'} of ${size}`)], complete: false };
}

/** Both sides of a list: what is gone is struck, what is new is bold. Used for `enum`, `required` and `type`. */
export function listWords(
  value: Json | undefined,
  other: Json | undefined,
  side: 'before' | 'after',
  types = false,
): ValueWords {
  if (!Array.isArray(value) || value.length > 24 || !value.every(isScalar))
    return types ? typeWords(value) : valueWords(value);
  const there = new Set(
    (Array.isArray(other) ? other : other === undefined ? [] : [other]).map((item) => JSON.stringify(item)),
  );
  const words = value.map((item) => ({
    ...(types ? typeWords(item) : scalar(item)),
    kept: there.has(JSON.stringify(item)),
  }));
  const cells = words.map(({ inlines, kept }): Inline[] =>
    inlines.map((inline) =>
      kept || inline.kind !== 'code'
        ? inline
        : { ...inline, ...(side === 'before' ? { struck: true } : { strong: true }) },
    ),
  );
  if (cells.length === 0) return { inlines: [text('none')], complete: true };
  return { inlines: joined(cells, ' '), complete: words.every((word) => word.complete) };
}

/** A schema in words: `string`, `list of string`, `one object: a, b`; whether nothing of it is left out. */
export function schemaWords(schema: Json | undefined): ValueWords {
  if (schema === undefined) return { inlines: [text('—')], complete: true };
  if (!isObject(schema)) return valueWords(schema);
  const seen = new Set<string>();
  const take = (key: string): Json | undefined => {
    const value = own(schema, key);
    if (value !== undefined) seen.add(key);
    return value;
  };
  let complete = true;
  const add = (words: ValueWords): Inline[] => {
    complete &&= words.complete;
    return words.inlines;
  };
  const out: Inline[][] = [];
  const choice = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  if (Array.isArray(choice) && choice.length > 0) {
    seen.add(own(schema, 'anyOf') === undefined ? 'oneOf' : 'anyOf');
    const shown = choice.slice(0, 4).map((option) => add(schemaWords(option)));
    if (choice.length > 4) complete = false;
    const objects = choice.every((option) => isObject(option) && own(option, 'type') === 'object');
    out.push([
      text(objects ? `either of ${choice.length} objects: ` : 'either '),
      ...joined(objects ? shown.map((words) => words.slice(1)) : shown, objects ? ' · ' : ' or '),
    ]);
  }
  const type = own(schema, 'type');
  if (type === 'object') {
    take('type');
    const properties = take('properties');
    // The lock keeps no order, so in the order of a server one side would differ from the other.
    const names = isObject(properties) ? Object.keys(properties).sort(byCodeUnit) : [];
    if (names.length === 0) out.push([text('object')]);
    else {
      // Names alone do not show what the properties say.
      complete = false;
      out.push([
        text('object: '),
        ...joined(
          names.slice(0, 8).map((key) => [code(cut(key, CELL))]),
          ', ',
        ),
      ]);
      if (names.length > 8) out.push([text(`${names.length - 8} more`)]);
    }
    if (own(schema, 'required') !== undefined) complete = false;
  } else if (type === 'array' && own(schema, 'items') !== undefined) {
    take('type');
    out.push([text('list of '), ...add(schemaWords(take('items')))]);
  } else if (type !== undefined) out.push(add(typeWords(take('type'))));
  const reference = take('$ref');
  if (typeof reference === 'string')
    out.push(add(valueWords(reference.replace(/^#\/(?:\$defs|definitions)\//, ''))));
  const values = take('enum');
  if (values !== undefined) out.push([text('one of '), ...add(valueWords(values))]);
  for (const [key, words] of LIMITS) {
    const value = take(key);
    if (value !== undefined) out.push([text(`${words} `), ...add(valueWords(value))]);
  }
  const complete_ = complete && Object.keys(schema).every((key) => seen.has(key));
  if (out.length === 0) return { inlines: [text('a schema')], complete: complete_ };
  return { inlines: joined(out, ', '), complete: complete_ };
}

/** Members of a schema that {@link schemaWords} does not show, beside its description. */
export function withoutDescription(schema: Json | undefined): Json | undefined {
  if (!isObject(schema) || typeof own(schema, 'description') !== 'string') return schema;
  const rest: JsonObject = Object.create(null);
  for (const key of Object.keys(schema)) if (key !== 'description') rest[key] = schema[key] ?? null;
  return rest;
}
