import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Surface } from '../../src/capture/types.ts';
import { compareServer } from '../../src/drift/compare.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { captureLines, fuzz, pinnedSurface, saysTheSame } from '../support/strangers/fuzz.ts';

describe('answers with mutated bytes', () => {
  it('never come out as a match that they are not, and never as a fault', async () => {
    const { wrong, outcomes, answers } = await fuzz({ seed: 1, count: 2_000, processes: 8 });
    expect(wrong).toEqual([]);
    expect(answers).toBe(2_000);
    // It would see nothing if everything were refused, or nothing.
    for (const outcome of ['match', 'drift', 'E_UNPINNABLE', 'E_LIST', 'E_PROTOCOL'])
      expect(outcomes.get(outcome)).toBeGreaterThan(5);
    expect(outcomes.has('E_TIMEOUT')).toBe(false);
  });

  it('are judged by other means than the product', () => {
    const line = (prompt: string, after = ''): Buffer =>
      Buffer.from(`{"jsonrpc":"2.0","id":3,"result":{"prompts":[${prompt}]}}${after}\n`);
    const prompt = '{"name":"daily","arguments":[{"name":"day","required":true}]}';
    expect(saysTheSame('prompts/list', line(prompt))).toBe(true);
    expect(
      saysTheSame(
        'prompts/list',
        line('{ "arguments":[{"required":true,"name":"d\\u0061y"}],"name":"daily"}'),
      ),
    ).toBe(true);
    expect(saysTheSame('prompts/list', line(prompt.replace('true', 'false')))).toBe(false);
    expect(saysTheSame('prompts/list', line(prompt.replace('{', '{"name":"x",')))).toBe(false);
    expect(saysTheSame('prompts/list', Buffer.concat([line(''), line(prompt)]))).toBe(false);
    expect(saysTheSame('prompts/list', line(prompt, '}'))).toBe(false);
    expect(saysTheSame('prompts/list', undefined)).toBe(false);
  });
});

const definition = fc.record(
  {
    name: fc.string({ minLength: 1, unit: 'grapheme', maxLength: 12 }),
    description: fc.string({ unit: 'grapheme', maxLength: 40 }),
    inputSchema: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>,
    _meta: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>),
  },
  { requiredKeys: ['name'] },
);

/** The same JSON in other letters: keys in another order, characters as escapes, white space. */
function otherText(value: unknown, random: () => number): string {
  const space = (): string => (random() < 0.2 ? ' ' : '');
  const text = (string: string): string =>
    JSON.stringify(string).replace(/[a-zA-Z]/g, (letter) =>
      random() < 0.1 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
    );
  if (typeof value === 'string') return fixEscapes(value, text);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => space() + otherText(item, random)).join(',')}${space()}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${space()}${fixEscapes(key, text)}:${space()}${otherText(member, random)}`,
  );
  return `{${(random() < 0.5 ? members.reverse() : members).join(',')}}`;
}

/** A letter that belongs to an escape already is left alone. */
function fixEscapes(string: string, text: (string: string) => string): string {
  return JSON.stringify(string).includes('\\') ? JSON.stringify(string) : text(string);
}

async function entryOf(tools: string) {
  const line = (id: number, result: string): Buffer =>
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
  const begin =
    '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"1"}}';
  const capture = await captureLines(
    new Map([
      ['initialize', line(1, begin)],
      ['tools/list', line(2, `{"tools":${tools}}`)],
    ] as const),
  );
  if (!capture.ok) return capture.error.code;
  return pinnedSurface(capture.surface satisfies Surface);
}

describe('any surface', () => {
  it('matches itself in other letters, and nothing that differs by one value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(definition, {
          minLength: 1,
          maxLength: 4,
          selector: ({ name }) => name.normalize('NFC'),
        }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
        async (tools, stream, more) => {
          const locked = await entryOf(JSON.stringify(tools));
          // What cannot be pinned (names of marks alone, say) has its own tests.
          fc.pre(typeof locked !== 'string');
          const random = (): number => stream.next().value ?? 0;
          const same = await entryOf(otherText(tools, random));
          if (typeof same === 'string') throw new Error(same);
          expect(compareServer('odd', locked, same, { accepted: false }).changes).toEqual([]);
          const changed = structuredClone(tools) as JsonObject[];
          const first = changed[0] as JsonObject;
          first.description = `${String(first.description ?? '')}${more}`;
          const other = await entryOf(JSON.stringify(changed));
          if (typeof other === 'string') return;
          expect(compareServer('odd', locked, other, { accepted: false }).changes).not.toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
