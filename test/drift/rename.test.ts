import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/util/json.ts';
import { compared } from './support.ts';

const search = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description:
    'Searches the web for pages about a topic and gives back their titles, links and short extracts.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' }, limit: { type: 'number' } } },
  ...more,
});

const renames = (before: JsonObject[], after: JsonObject[]): string[] =>
  compared({ tools: before }, { tools: after }).changes.map((change) =>
    change.change === 'renamed' ? `${change.from} > ${change.name}` : `${change.change} ${change.name}`,
  );

describe('renames', () => {
  it('are found by an equal definition', () => {
    expect(renames([search('find')], [search('look')])).toEqual(['find > look']);
  });

  it('are found by a name that is spelled alike, and show what else changed', () => {
    const { changes } = compared(
      { tools: [search('web-search')] },
      { tools: [search('web_search', { title: 'Search' })] },
    );
    expect(changes).toMatchObject([
      {
        change: 'renamed',
        from: 'web-search',
        name: 'web_search',
        severity: 'medium',
        fields: [
          { pointer: '/name', before: 'web-search', after: 'web_search' },
          { pointer: '/title', class: 'title-changed' },
        ],
      },
    ]);
  });

  it('are found by names that differ in their Unicode form alone, be the definition ever so short', () => {
    const tool = (text: string): JsonObject => ({ name: text, description: text });
    const { changes } = compared({ tools: [tool('caf\u00e9')] }, { tools: [tool('cafe\u0301')] });
    expect(changes).toMatchObject([
      {
        change: 'renamed',
        from: 'caf\u00e9',
        name: 'cafe\u0301',
        fields: [
          { pointer: '/description', class: 'encoding-only' },
          { pointer: '/name', class: 'encoding-only' },
        ],
      },
    ]);
  });

  it('are found by likeness, the most alike first', () => {
    const reworded = (name: string): JsonObject =>
      search(name, {
        description:
          'Searches the web for pages about one topic and gives back their titles, links and short extracts.',
      });
    expect(renames([search('find')], [reworded('look')])).toEqual(['find > look']);
  });

  it('are not seen in what has little in common', () => {
    const other = { name: 'remove', description: 'Deletes a file for good.', inputSchema: {} };
    expect(renames([search('find')], [other])).toEqual(['added remove', 'removed find']);
    expect(renames([{ name: 'a' }], [{ name: 'b' }])).toEqual(['added b', 'removed a']);
  });

  it('take each name once', () => {
    const found = renames([search('a'), search('b'), search('c')], [search('x'), search('y')]);
    expect(found.sort()).toEqual(['a > x', 'b > y', 'removed c']);
  });

  it('come to an end with thousands on both sides', () => {
    const many = (prefix: string): JsonObject[] =>
      Array.from({ length: 1_500 }, (_, i) => search(`${prefix}${i}`, { title: `${prefix} ${i}` }));
    expect(renames(many('a'), many('b'))).toHaveLength(3_000);
  });
});
