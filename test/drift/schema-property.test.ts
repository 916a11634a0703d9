import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from '../../src/drift/equal.ts';
import { compareSchemas } from '../../src/drift/schema.ts';
import type { FieldChange } from '../../src/drift/types.ts';
import { isObject, type Json, type JsonObject, own, pointer, setOwn } from '../../src/util/json.ts';

const name = fc.constantFrom('a', 'b', 'c', 'type', 'properties', '__proto__', 'x/y', 'toString');
const word = fc.constantFrom('one', 'two words', 'send it all away', ' spaced ', 'caf\u00e9', 'cafe\u0301');
const odd: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;

/** Schemas as servers write them, and keywords with values they should not have. */
const { schema } = fc.letrec<{ schema: Json; object: Json }>((tie) => {
  const map = fc.dictionary(name, tie('schema'), { maxKeys: 3 });
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const keyword: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom(
      'string',
      'number',
      'integer',
      'object',
      ['string', 'null'],
      ['null', 'string'],
      'nonsense',
    ),
    description: word,
    title: word,
    default: odd,
    const: odd,
    enum: fc.array(fc.constantFrom('a', 'b', 'c', 1, null), { maxLength: 3 }),
    minimum: fc.constantFrom(0, 1, Number.MIN_SAFE_INTEGER),
    maxLength: fc.constantFrom(5, 10, '10'),
    pattern: word,
    format: fc.constantFrom('uri', 'email'),
    required: fc.array(name, { maxLength: 3 }),
    additionalProperties: fc.oneof(fc.boolean(), fc.constant({}), tie('schema')),
    items: fc.oneof(tie('schema'), list),
    prefixItems: list,
    not: tie('schema'),
    properties: fc.oneof({ weight: 5, arbitrary: map }, { weight: 1, arbitrary: odd }),
    patternProperties: map,
    $defs: map,
    definitions: map,
    anyOf: list,
    oneOf: list,
    allOf: list,
    $ref: fc.constantFrom('#', '#/$defs/a', '#/definitions/a', '#/properties/a', 'https://example.invalid/s'),
    $schema: fc.constantFrom(
      'http://json-schema.org/draft-07/schema#',
      'https://json-schema.org/draft/2020-12/schema',
      'no',
    ),
    'x-any': odd,
  };
  return {
    // A few keywords each: with all of them a schema would have hundreds of subschemas.
    object: fc
      .uniqueArray(fc.constantFrom(...Object.keys(keyword)), { maxLength: 4 })
      .chain((keys) =>
        fc.record(Object.fromEntries(keys.map((key) => [key, keyword[key] ?? fc.constant(null)]))),
      ) as fc.Arbitrary<Json>,
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 1, arbitrary: fc.constantFrom<Json>(true, false, {}) },
      { weight: 6, arbitrary: tie('object') },
    ),
  };
});

/** Pointers of the smallest parts that differ; lists of another length differ as a whole. */
function differing(a: Json | undefined, b: Json | undefined, at = ''): string[] {
  if (sameJson(a, b)) return [];
  if (isObject(a) && isObject(b)) return members(a, b, at);
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.flatMap((item, i) => differing(item, b[i], at + pointer(i)));
  const one = a ?? b;
  if ((a === undefined || b === undefined) && isObject(one) && Object.keys(one).length > 0)
    return members(isObject(a) ? a : {}, isObject(b) ? b : {}, at);
  return [at];
}

function members(a: JsonObject, b: JsonObject, at: string): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differing(own(a, key), own(b, key), at + pointer(key)),
  );
}

const within = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

function covered(at: string, fields: readonly FieldChange[]): boolean {
  // Of a list that grew or shrank the items are named.
  if (fields.some((field) => within(at, field.pointer) || within(field.pointer, at))) return true;
  // Branches are matched by likeness, not by place: the list is what can be named.
  const lists = [...at.matchAll(/\/(?:anyOf|oneOf|allOf)(?=\/|$)/g)].map((match) =>
    at.slice(0, match.index + match[0].length),
  );
  if (lists.some((list) => fields.some((field) => within(field.pointer, list)))) return true;
  // The property's own change says that it is required.
  const owner = /^(.*)\/required(?:\/\d+)?$/.exec(at)?.[1];
  return (
    owner !== undefined &&
    fields.some(
      (field) => field.class.startsWith('property-') && field.pointer.startsWith(`${owner}/properties/`),
    )
  );
}

/** Replaces, removes or adds one thing at a place that the numbers choose. */
function mutate(value: Json, path: readonly number[], what: Json, how: number): Json {
  if (typeof value !== 'object' || value === null || path.length === 0) return what;
  const [first = 0, ...rest] = path;
  const keys = Object.keys(value);
  if (keys.length === 0) return what;
  const key = keys[first % keys.length] ?? '';
  if (Array.isArray(value)) {
    const copy = [...value];
    const i = Number(key);
    if (rest.length === 0 && how === 0) copy.splice(i, 1);
    else if (rest.length === 0 && how === 1) copy.splice(i, 0, what);
    else copy[i] = mutate(copy[i] as Json, rest, what, how);
    return copy;
  }
  const copy = { ...value };
  if (rest.length === 0 && how === 0) delete copy[key];
  else if (rest.length === 0 && how === 1) setOwn(copy, 'added', what);
  else setOwn(copy, key, mutate(value[key] as Json, rest, what, how));
  return copy;
}

describe('no difference of two schemas is lost', () => {
  const check = (before: Json, after: Json): void => {
    const fields = compareSchemas(before, after, '');
    expect(fields.length === 0).toBe(sameJson(before, after));
    for (const at of differing(before, after))
      expect({ at, covered: covered(at, fields), fields }).toMatchObject({ covered: true });
    for (const field of fields) expect(sameJson(field.before, field.after)).toBe(false);
  };

  it('for any two schemas', () => {
    fc.assert(fc.property(schema, schema, check), { numRuns: 1_500 });
  });

  it('for a schema and itself with one thing changed', () => {
    const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
    const what = fc.oneof(odd, schema, word);
    fc.assert(
      fc.property(schema, path, what, fc.nat(2), (before, steps, value, how) =>
        check(before, mutate(before, steps, value, how)),
      ),
      { numRuns: 3_000 },
    );
  });

  it('in both directions', () => {
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        expect(compareSchemas(a, b, '').length > 0).toBe(compareSchemas(b, a, '').length > 0);
      }),
      { numRuns: 500 },
    );
  });
});
