import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupChanges } from '../../src/drift/group.ts';
import { severityOf, worst } from '../../src/drift/severity.ts';
import type { Change, FieldChange, FieldClass } from '../../src/drift/types.ts';
import type { JsonObject } from '../../src/util/json.ts';
import { compared } from './support.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const NEXT = 'https://json-schema.org/draft/2020-12/schema';

const tool = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: 'object', ...schema },
  ...more,
});

const names = ['a', 'b', 'c'];

describe('groups', () => {
  it('take an SDK upgrade together in one line, and leave the change that matters', () => {
    const { changes } = compared(
      {
        tools: names.map((name) =>
          tool(name, { $schema: DRAFT }, { execution: { taskSupport: 'forbidden' } }),
        ),
      },
      {
        tools: names.map((name) =>
          tool(name, { $schema: NEXT }, name === 'b' ? { description: 'Now sends it away.' } : {}),
        ),
      },
    );
    const groups = groupChanges(changes);
    expect(groups.map((group) => [group.type, group.names, group.severity])).toEqual([
      ['single', ['b'], 'medium'],
      ['plumbing', names, 'low'],
    ]);
    const pointers = groups[1]?.members.map(({ field }) => field.pointer);
    expect(pointers?.toSorted()).toEqual([
      ...names.map(() => '/execution'),
      ...names.map(() => '/inputSchema/$schema'),
    ]);
  });

  it('take equal changes together, and keep unequal ones apart', () => {
    const hint = (name: string, value: boolean): JsonObject =>
      tool(name, {}, { annotations: { openWorldHint: value } });
    const { changes } = compared(
      { tools: [hint('a', true), hint('b', true), hint('c', false)] },
      { tools: [hint('a', false), hint('b', false), hint('c', true)] },
    );
    expect(groupChanges(changes).map((group) => [group.type, group.names])).toEqual([
      ['single', ['c']],
      ['same', ['a', 'b']],
    ]);
  });

  it('take one change under many names together, with every pointer', () => {
    const schema = (constant: string): JsonObject => ({
      $defs: {
        One: { properties: { type: { const: constant } } },
        Two: { properties: { type: { const: constant } } },
      },
    });
    const { changes } = compared(
      { tools: names.map((name) => tool(name, schema('page'))) },
      { tools: names.map((name) => tool(name, schema('database'))) },
    );
    const groups = groupChanges(changes);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.fields.map((field) => field.pointer)).toEqual([
      '/inputSchema/$defs/One/properties/type/const',
      '/inputSchema/$defs/Two/properties/type/const',
    ]);
    expect(groups[0]?.members).toHaveLength(6);
  });

  it('never take parameters of other names for one', () => {
    const { changes } = compared(
      { tools: [tool('a', {}), tool('b', {})] },
      { tools: [tool('a', { properties: { one: {} } }), tool('b', { properties: { two: {} } })] },
    );
    expect(groupChanges(changes).map((group) => group.type)).toEqual(['single', 'single']);
  });

  it('leave what comes, goes or is renamed whole', () => {
    const { changes } = compared(
      { tools: [tool('a', {}), tool('b-x', {}, { description: 'Lists all that is there.' })] },
      { tools: [tool('b_x', {}, { description: 'Lists all that is there.' }), tool('d', {}), tool('e', {})] },
    );
    expect(groupChanges(changes).every((group) => group.type === 'single')).toBe(true);
  });

  it('put the worst first within a capability that a finding raised', () => {
    const field = (pointer: string, severity: FieldChange['severity']): FieldChange => ({
      pointer,
      class: 'text-changed',
      severity,
    });
    const change: Change = {
      server: 's',
      kind: 'tool',
      name: 'a',
      change: 'changed',
      severity: 'high',
      accepted: false,
      fields: [field('/description', 'medium'), field('/title', 'high')],
    };
    expect(groupChanges([change])[0]?.fields.map((each) => each.pointer)).toEqual(['/title', '/description']);
  });

  it('hold every field exactly once', () => {
    const field: fc.Arbitrary<FieldChange> = fc
      .record({
        pointer: fc.constantFrom(
          '/description',
          '/inputSchema/properties/a/type',
          '/inputSchema/properties/b/type',
          '/name',
          '',
        ),
        class: fc.constantFrom<FieldClass>('text-changed', 'schema-plumbing', 'type-changed'),
        before: fc.constantFrom('x', 'y'),
        after: fc.constantFrom('x', 'y'),
      })
      .map((made) => ({ ...made, severity: severityOf(made.class, made.after) }));
    const change: fc.Arbitrary<Change> = fc
      .record({
        server: fc.constantFrom('s', 't'),
        kind: fc.constantFrom<Change['kind']>('tool', 'prompt', 'server'),
        name: fc.constantFrom('a', 'b', '__proto__'),
        change: fc.constantFrom<Change['change']>('added', 'changed', 'renamed'),
        accepted: fc.boolean(),
        fields: fc.array(field, { maxLength: 5 }),
      })
      .map((made) => ({ ...made, severity: worst(made.fields.map((each) => each.severity)) }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const groups = groupChanges(changes);
        const told = groups.flatMap((group) => group.members.map((member) => member.field));
        const all = changes.flatMap((each) => each.fields);
        expect(told).toHaveLength(all.length);
        expect(new Set(told)).toEqual(new Set(all));
        for (const each of changes)
          if (each.fields.length === 0) expect(groups.some((group) => group.change === each)).toBe(true);
        for (const group of groups) {
          for (const member of group.members) {
            expect(group.names).toContain(member.change.name);
            expect([member.change.server, member.change.kind, member.change.accepted]).toEqual([
              group.server,
              group.kind,
              group.accepted,
            ]);
            expect(
              group.fields.some(
                (shown) => shown.pointer === member.field.pointer && shown.after === member.field.after,
              ),
            ).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
