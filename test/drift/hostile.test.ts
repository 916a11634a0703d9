import { describe, expect, it } from 'vitest';
import { compareServer } from '../../src/drift/compare.ts';
import { compareDefinitions } from '../../src/drift/definition.ts';
import { nfcText, sameInNfc, sameJson } from '../../src/drift/equal.ts';
import { groupChanges } from '../../src/drift/group.ts';
import { compareSchemas } from '../../src/drift/schema.ts';
import { hasProse } from '../../src/drift/severity.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { pinned } from './support.ts';

// Each of these took minutes, or the stack, in some plain way of doing it; the suite's time limit is the assertion.
const MEGA = 1_000_000;

describe('input that is made to hang or crash', () => {
  it('a text of one endless word, or of endless blanks', () => {
    expect(hasProse('a'.repeat(MEGA))).toBe(false);
    expect(hasProse(`${'a'.repeat(MEGA)} b`)).toBe(false);
    expect(hasProse(`${' '.repeat(MEGA)}one two three`)).toBe(true);
    const changed = compareDefinitions(
      'tool',
      { description: 'a'.repeat(MEGA) },
      { description: ' '.repeat(MEGA) },
    );
    expect(changed).toMatchObject([{ class: 'text-changed' }]);
  });

  it('a schema and an object of more members than a list can be spread from', () => {
    const many = (from: number): JsonObject =>
      Object.fromEntries(
        Array.from({ length: 150_000 }, (_, index) => [`p${from + index}`, { type: 'string' }]),
      );
    const schema = (from: number): JsonObject => ({ type: 'object', properties: many(from) });
    const tool = (from: number, x: Json): JsonObject => ({ name: 'a', inputSchema: schema(from), x });
    const told = (before: JsonObject, after: JsonObject): string[][] =>
      compareDefinitions('tool', before, after).map((field) => [field.pointer, field.class]);
    expect(told(tool(0, many(0)), tool(MEGA, many(MEGA)))).toEqual([
      ['/inputSchema', 'schema-changed'],
      ['/x', 'field-changed'],
    ]);
    // What people can still read is told apart.
    const more = { ...schema(0), properties: { ...many(0), more: { type: 'string' } } };
    expect(told(tool(0, 1), { ...tool(0, 1), inputSchema: more })).toEqual([
      ['/inputSchema/properties/more', 'property-added-optional'],
    ]);
  });

  it('runs of combining marks just below the limit, and above it', () => {
    const below = `${'\u0301'.repeat(1_024)}a`.repeat(500);
    expect(nfcText(below).length).toBeGreaterThan(0);
    const above = `a${'\u0301\u0327'.repeat(200_000)}`;
    expect(nfcText(above)).toBe(above);
    expect(sameInNfc(above, `${above}b`)).toBe(false);
  });

  it('values nested deeper than the stack', () => {
    const nested = (leaf: Json): Json => {
      let value: Json = leaf;
      for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { a: value };
      return value;
    };
    expect(sameJson(nested(1), nested(1))).toBe(true);
    expect(sameJson(nested(1), nested(2))).toBe(false);
    expect(compareDefinitions('tool', { x: nested(1) }, { x: nested(2) })).toHaveLength(1);
  });

  it('alternatives within alternatives, all alike', () => {
    const nested = (text: string): Json => {
      let schema: Json = { description: text.repeat(2_000) };
      for (let i = 0; i < 150; i++)
        schema = { anyOf: [schema, ...Array.from({ length: 20 }, (_, k) => ({ title: `${text}${i}${k}` }))] };
      return schema;
    };
    expect(compareSchemas(nested('a '), nested('b '), '').length).toBeGreaterThan(0);
  });

  it('references that go round, in the thousands', () => {
    const ring = (step: number): Json => ({
      $defs: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${(i + step) % 2_000}` }]),
      ),
    });
    expect(compareSchemas(ring(1), ring(2), '')).toHaveLength(2_000);
  });

  it('a surface of thousands of capabilities, all changed, all alike', () => {
    const tools = (text: string): JsonObject[] =>
      Array.from({ length: 3_000 }, (_, i) => ({
        name: `t${i}`,
        description: text,
        inputSchema: { type: 'object' },
      }));
    const { changes } = compareServer(
      'one',
      pinned({ tools: tools('One.') }),
      pinned({ tools: tools('Two.') }),
      {
        accepted: false,
      },
    );
    expect(changes).toHaveLength(3_000);
    expect(groupChanges(changes)).toHaveLength(1);
  });
});
