import { describe, expect, it } from 'vitest';
import { compareServer } from '../../src/drift/compare.ts';
import { type ChangeGroup, groupChanges } from '../../src/drift/group.ts';
import { diffText } from '../../src/drift/text.ts';
import type { Change } from '../../src/drift/types.ts';
import { changeOf, recorded, surfacesDir } from './support.ts';

const OFFICIAL = '@modelcontextprotocol/server-';

function pair(
  name: string,
  before: string,
  after: string,
): { changes: Change[]; groups: ChangeGroup<Change>[] } {
  const { changes } = compareServer('one', recorded(name, before), recorded(name, after), {
    accepted: false,
  });
  for (const change of changes) expect(change.fields.length).toBeGreaterThan(0);
  return { changes, groups: groupChanges(changes) };
}

const fields = (change: Change | undefined): string[] =>
  (change?.fields ?? []).map((field) => `${field.severity} ${field.class} ${field.pointer}`);

describe.skipIf(surfacesDir() === undefined)(
  'real releases (needs the recorded surfaces beside the project)',
  () => {
    it('filesystem 2025.12.18 to 2026.8.31: the flipped hint leads, 14 tools share one line', () => {
      const { changes, groups } = pair(`${OFFICIAL}filesystem`, '2025.12.18', '2026.8.31');
      expect(changes).toHaveLength(14);
      expect(groups.map((group) => [group.severity, group.type, group.names.length])).toEqual([
        ['high', 'single', 1],
        ['medium', 'single', 1],
        ['low', 'same', 14],
      ]);
      expect(groups[0]?.names).toEqual(['move_file']);
      expect(groups[0]?.fields).toMatchObject([
        { pointer: '/annotations/destructiveHint', class: 'hint-loosened', before: false, after: true },
      ]);
      expect(groups[2]?.fields).toMatchObject([{ pointer: '/annotations/openWorldHint', after: false }]);
      expect(fields(changeOf(changes, 'read_media_file'))).toEqual([
        'medium text-changed /description',
        'low hint-tightened /annotations/openWorldHint',
        'low composition-changed /outputSchema/properties/content/items',
        'low enum-narrowed /outputSchema/properties/content/items/anyOf/0/properties/type/enum',
      ]);
    });

    it.each([
      [`${OFFICIAL}filesystem`, '2026.8.31', '2.0.1', 14],
      ['@upstash/context7-mcp', '3.2.5', '4.1.1', 2],
    ])('%s %s to %s: an SDK upgrade is one line', (name, before, after, tools) => {
      const { groups } = pair(name, before, after);
      expect(groups.map((group) => [group.type, group.names.length])).toEqual([['plumbing', tools]]);
      const keywords = groups[0]?.members.map(({ field }) => field.pointer.split('/').at(-1));
      expect(new Set(keywords)).toEqual(new Set(['$schema', 'execution']));
    });

    it('mongodb 2.1.1 to 3.0.4: the plumbing of 27 tools does not bury the one text', () => {
      const { groups } = pair('mongodb-mcp-server', '2.1.1', '3.0.4');
      expect(groups.map((group) => [group.type, group.kind, group.names.length])).toEqual([
        ['single', 'resourceTemplate', 1],
        ['single', 'tool', 1],
        ['single', 'instructions', 1],
        ['plumbing', 'tool', 27],
      ]);
    });

    it('sequential-thinking 2025.11.25 to 2025.12.18: one word', () => {
      const { changes } = pair(`${OFFICIAL}sequential-thinking`, '2025.11.25', '2025.12.18');
      expect(changes.map((change) => fields(change))).toEqual([['medium text-changed /description']]);
      const [field] = changes[0]?.fields ?? [];
      const { hunks } = diffText(String(field?.before), String(field?.after));
      const words = hunks.flatMap((hunk) =>
        hunk.lines.flatMap((line) => line.spans.filter((span) => span.changed).map((span) => span.text)),
      );
      expect(words).toEqual(['next_thought_needed', 'nextThoughtNeeded']);
      const shown = hunks.flatMap((hunk) => hunk.lines);
      expect(shown.map((line) => line.kind)).toEqual([' ', '-', '+']);
    });

    it('github 2025.3.28 to 2025.4.8: one nested schema of 26 tools', () => {
      const { changes } = pair(`${OFFICIAL}github`, '2025.3.28', '2025.4.8');
      expect(changes.map((change) => change.name)).toEqual(['create_pull_request_review']);
      expect(fields(changes[0])).toEqual([
        'medium text-changed /inputSchema/properties/comments/description',
        'medium composition-changed /inputSchema/properties/comments/items',
      ]);
    });

    it('supabase 0.5.10 to 0.8.0: the order of keys in 24 tools is no drift', () => {
      const { changes } = pair('@supabase/mcp-server-supabase', '0.5.10', '0.8.0');
      expect(changes.filter((change) => change.kind === 'tool').map((change) => change.name)).toEqual([
        'create_branch',
        'deploy_edge_function',
        'get_cost',
        'list_tables',
      ]);
      expect(changes[0]).toMatchObject({ kind: 'instructions', change: 'added' });
    });

    it('memory 2026.1.26 to 2026.8.31: annotations of all tools, and a resource', () => {
      const { changes, groups } = pair(`${OFFICIAL}memory`, '2026.1.26', '2026.8.31');
      expect(changes.filter((change) => change.kind === 'tool')).toHaveLength(9);
      expect(changes.some((change) => change.kind === 'resource' && change.change === 'added')).toBe(true);
      const tools = groups.filter((group) => group.kind === 'tool');
      expect(tools.every((group) => group.type === 'same' || group.fields.length === 1)).toBe(true);
    });

    it('mongodb 1.12 to 2.1.1: two destructive tools lead, one required parameter is told once', () => {
      const { groups } = pair('mongodb-mcp-server', '1.12.0', '2.1.1');
      expect(groups[0]).toMatchObject({ severity: 'high', names: ['rename-collection', 'update-many'] });
      const connection = groups.filter((group) =>
        group.fields.some((field) => field.pointer === '/inputSchema/properties/connectionId'),
      );
      expect(connection).toMatchObject([{ type: 'same', fields: [{ class: 'property-added-required' }] }]);
      expect(connection[0]?.names.length).toBeGreaterThanOrEqual(20);
    });

    it('notion 2.0.0 to 2.5.2: constants in duplicated definitions are told once each', () => {
      const { groups } = pair('@notionhq/notion-mcp-server', '2.0.0', '2.5.2');
      const constants = groups.filter((group) =>
        group.fields.some((field) => field.class === 'const-changed'),
      );
      expect(constants.every((group) => group.type === 'same' && group.names.length === 21)).toBe(true);
      expect(constants.length).toBeLessThanOrEqual(5);
    });

    it('context7 2.1.2 to 3.2.5 and firecrawl 3.20.4 to 3.26.0: the instructions are told', () => {
      for (const [name, before, after] of [
        ['@upstash/context7-mcp', '2.1.2', '3.2.5'],
        ['firecrawl-mcp', '3.20.4', '3.26.0'],
      ] as const) {
        const { changes } = pair(name, before, after);
        const told = changes.filter((change) => change.kind === 'instructions');
        expect(told).toMatchObject([
          { change: 'changed', fields: [{ pointer: '/text', class: 'text-changed' }] },
        ]);
      }
    });

    it('everything 2025.9.25 to 2026.1.26: prompts, resources and templates are told', () => {
      const { changes } = pair(`${OFFICIAL}everything`, '2025.9.25', '2026.1.26');
      const kinds = new Set(changes.map((change) => change.kind));
      for (const kind of ['instructions', 'tool', 'prompt', 'resource', 'resourceTemplate'] as const)
        expect(kinds.has(kind), kind).toBe(true);
    });

    it('every recorded release equals itself', () => {
      for (const [name, version] of [
        [`${OFFICIAL}everything`, '2026.8.31'],
        ['firecrawl-mcp', '3.26.0'],
        ['@notionhq/notion-mcp-server', '2.5.2'],
        ['mongodb-mcp-server', '3.0.4'],
      ] as const)
        expect(pair(name, version, version).changes).toEqual([]);
    });
  },
);
