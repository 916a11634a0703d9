import { describe, expect, test } from 'vitest';
import { githubTree, type HtmlTree } from '../../scripts/render-github.ts';
import { COMMENT_BUDGET, renderComment } from '../../src/report/comment.ts';
import { formatReport } from '../../src/report/json.ts';
import { parseReport } from '../../src/report/parse-report.ts';
import { renderSummary, SUMMARY_BUDGET } from '../../src/report/summary.ts';
import { sharedDir } from '../support/shared.ts';
import { pairReport } from './surface-pair.ts';

const folder = sharedDir();
const npm = '@modelcontextprotocol/server-';

function comment(key: string, name: string, before: string | undefined, after: string | undefined): string {
  const made = pairReport(folder ?? '', [{ key, package: name, before, after }]);
  const text = renderComment(made, { id: 'x' });
  expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
  expect(parseReport(formatReport(made))).toEqual(JSON.parse(JSON.stringify(made)));
  return text;
}

const linesUnderHead = (text: string): string[] => text.split('\n').slice(2, 12);

function links(tree: HtmlTree): HtmlTree[] {
  return [
    ...(tree.tagName === 'a' || tree.tagName === 'img' ? [tree] : []),
    ...(tree.children ?? []).flatMap(links),
  ];
}

describe.skipIf(folder === undefined)('recorded releases (needs ../shared/surfaces)', () => {
  test('filesystem: the flipped hint is the first thing, the hint on all tools one line', () => {
    const text = comment('filesystem', `${npm}filesystem`, '2025.12.18', '2026.8.31');
    expect(linesUnderHead(text)).toContain('> + annotations.destructiveHint: true');
    expect(text).toContain(
      '<b>14 tools</b> · ⚪ low · the same change: <code>annotations.openWorldHint</code> added, <code>false</code>',
    );
    expect(text).toContain('~~`blob`~~');
    expect(text.length).toBeLessThan(6_000);
  });

  test('filesystem with another SDK: one line says that nothing but plumbing changed', () => {
    const text = comment('filesystem', `${npm}filesystem`, '2026.8.31', '2.0.1');
    expect(text.match(/· ⚪ low · /g)).toHaveLength(1);
    expect(text).toContain('only generated parts of the schemas changed');
    expect(text).not.toContain('[!CAUTION]');
    expect(text.length).toBeLessThan(3_000);
  });

  test('sequential-thinking: one word in 2,700 characters is one line', () => {
    const text = comment('thinking', `${npm}sequential-thinking`, '2025.11.25', '2025.12.18');
    const changed = text.split('\n').filter((line) => /^[-+] /.test(line));
    expect(changed).toHaveLength(2);
    expect(changed[0]).toContain('next_thought_needed');
    expect(changed[1]).toContain('nextThoughtNeeded');
  });

  test('github: a choice of two objects in words', () => {
    const text = comment('github', `${npm}github`, '2025.3.28', '2025.4.8');
    expect(text).toContain(
      '| parameter `comments[]` | object: `body`, `path`, `position` | either of 2 objects:',
    );
  });

  test('supabase: instructions that appear, parameters that become required; key order is nothing', () => {
    const text = comment('supabase', '@supabase/mcp-server-supabase', '0.5.10', '0.8.0');
    expect(text).toContain('**server instructions** · 🟠 medium · new server instructions, never reviewed');
    expect(text).toContain('| parameter `entrypoint_path` | optional | required |');
    expect(text).toContain('4 changed, 1 added');
  });

  test('firecrawl: 70 kB became 130 kB, and every tool is named and begun', () => {
    const made = pairReport(folder ?? '', [
      { key: 'firecrawl', package: 'firecrawl-mcp', before: '3.20.4', after: '3.26.0' },
    ]);
    const text = renderComment(made, { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    for (const one of made.changes) if (one.name !== '') expect(text).toContain(`\`${one.name}\``);
    expect(text).not.toContain('not shown for space');
    const summary = renderSummary(made);
    expect(summary).not.toContain('more lines: the whole text is in the report');
    expect(Buffer.byteLength(summary)).toBeLessThan(SUMMARY_BUDGET);
  });

  test('a new server and one that is gone', () => {
    const fresh = comment('context7', '@upstash/context7-mcp', undefined, '4.1.1');
    expect(fresh).toContain('### context7 · new server');
    expect(fresh).toContain('**`resolve-library-id`** · 🟠 medium · new tool, never reviewed');
    const gone = comment('context7', '@upstash/context7-mcp', '4.1.1', undefined);
    expect(gone).toContain('### context7 · no longer declared');
    expect(gone.length).toBeLessThan(1_500);
  });

  test.each([
    ['mongodb-mcp-server', '1.12.0', '2.1.1'],
    ['chrome-devtools-mcp', '0.20.0', '1.2.0'],
    ['@notionhq/notion-mcp-server', '2.0.0', '2.5.2'],
    [`${npm}everything`, '2025.9.25', '2026.1.26'],
  ])('%s %s → %s: no link and no picture comes of it', (name, before, after) => {
    expect(links(githubTree(comment('it', name, before, after)))).toEqual([]);
  });
});
