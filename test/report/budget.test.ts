import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { githubTree, type HtmlTree } from '../../scripts/render-github.ts';
import { COMMENT_BUDGET, renderComment } from '../../src/report/comment.ts';
import type { Report } from '../../src/report/model.ts';
import { SEVERITIES } from '../../src/report/severities.ts';
import { renderSummary, SUMMARY_BUDGET } from '../../src/report/summary.ts';
import { change, finding, report, server } from './fixtures.ts';
import { hostileText } from './hostile.ts';

const LOREM = 'A sentence about what this tool does, which parameters it takes and what comes back from it.';

function manyChanges(count: number, servers = 1, length = 4): Report {
  const severities = ['medium', 'low', 'low', 'medium', 'high'] as const;
  return report({
    servers: Array.from({ length: servers }, (_, n) => server(`server-${n}`, { status: 'drift' })),
    changes: Array.from({ length: count }, (_, n) => {
      const severity = n === count - 1 ? 'critical' : (severities[n % 4] ?? 'low');
      return change({
        server: `server-${n % servers}`,
        name: `tool_${n}`,
        severity,
        fields: [
          {
            pointer: '/description',
            class: 'text-changed',
            severity,
            before: `${LOREM} (${n})`,
            after: Array.from({ length }, (_, line) => `${LOREM} Take ${line} of ${n}.`).join('\n'),
          },
        ],
      });
    }),
  });
}

/** Every fence that opens also closes, and nothing is left open at the end. */
function expectWhole(markdown: string): void {
  let open: string | undefined;
  let folds = 0;
  for (const raw of markdown.split('\n')) {
    const line = raw.replace(/^> ?/, '');
    const ticks = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (open === undefined) {
      if (ticks !== undefined) open = ticks;
      else if (line.startsWith('<details')) folds++;
      else if (line === '</details>') folds--;
    } else if (ticks !== undefined && ticks.length >= open.length && line === ticks) open = undefined;
  }
  expect(open).toBeUndefined();
  expect(folds).toBe(0);
  expect(markdown.isWellFormed()).toBe(true);
  expect(markdown.split('\n').at(-1)).toMatch(/^<sub>/);
}

function textOf(tree: HtmlTree): string {
  return tree.type === 'text' ? (tree.value ?? '') : (tree.children ?? []).map(textOf).join('');
}

describe('the comment fits', () => {
  test('thirty large changes: every name is there, the worst in full', () => {
    const made = manyChanges(30, 1, 60);
    const text = renderComment(made, { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
    for (const one of made.changes) expect(text).toContain(`\`${one.name}\``);
    expect(text).toContain(`Take 59 of 29.`);
    expect(text).toMatch(/more lines: the whole text is in the report/);
  });

  test('a thousand changes over forty servers: what is not shown is counted and pointed to', () => {
    const text = renderComment(manyChanges(1_000, 40), {
      id: 'x',
      reportUrl: 'https://github.com/o/r/actions/runs/1',
    });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
    expect(text).toContain('not shown for space');
    expect(text).toContain('in the full report linked below');
    expect(text).toContain('**`tool_999`** · 🔴 critical');
  });

  test('fifty thousand changes', () => {
    const text = renderComment(manyChanges(50_000, 3), { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
    expect(text).toContain('**`tool_49999`** · 🔴 critical');
    expect(text).toMatch(/ and [\d,]+ more/);
  });

  test('ten thousand servers', () => {
    const text = renderComment(manyChanges(10_000, 10_000, 1), { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
  });

  test('names, keys and messages of a megabyte', () => {
    const huge = 'x`|'.repeat(350_000);
    const made = report({
      servers: [
        server(huge, { status: 'drift', causeText: huge }),
        server('b', { status: 'unchecked', error: { code: 'E_X', message: huge, stderr: huge } }),
      ],
      changes: [
        change({
          server: huge,
          name: huge,
          fields: [{ pointer: `/${huge}`, class: huge, severity: 'high', before: huge, after: `${huge}!` }],
        }),
        change({
          server: huge,
          kind: 'prompt',
          name: huge,
          change: 'added',
          fields: [{ pointer: '', class: 'field-changed', severity: 'high', after: { [huge]: huge } }],
        }),
      ],
      findings: [finding({ server: huge, name: huge, message: huge, evidence: huge, pointer: `/${huge}` })],
      errors: [{ code: huge, message: huge, file: huge }],
      info: [{ code: huge, message: huge }],
    });
    const text = renderComment(made, { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
  });

  test('a text of a million lines', () => {
    const made = report({
      servers: [server('a', { status: 'drift' })],
      changes: [
        change({
          server: 'a',
          fields: [
            {
              pointer: '/description',
              class: 'text-changed',
              severity: 'high',
              before: 'a\n'.repeat(500_000),
              after: 'b\na\n'.repeat(250_000),
            },
          ],
        }),
        change({
          server: 'a',
          name: 'new',
          change: 'added',
          fields: [
            { pointer: '/description', class: 'text-added', severity: 'high', after: 'c\n'.repeat(500_000) },
          ],
        }),
      ],
    });
    const text = renderComment(made, { id: 'x' });
    expect(text.length).toBeLessThanOrEqual(COMMENT_BUDGET);
    expectWhole(text);
    expect(text).toMatch(/@@ [\d,]+ more lines: the whole text is in the report @@/);
  });

  test('any report in any budget', () => {
    const texts = fc.array(hostileText, { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1_500, max: 20_000 }),
        (items, count, budget) => {
          const pick = (n: number): string => items[n % items.length] ?? '';
          const made = report({
            servers: [server('a', { status: 'drift' }), server(pick(1), { status: 'unchecked' })],
            changes: Array.from({ length: count }, (_, n) =>
              change({
                server: n % 3 === 0 ? 'a' : pick(n),
                name: `${n}${pick(n)}`,
                severity: SEVERITIES[n % 5] ?? 'low',
                accepted: n % 2 === 0,
                change: n % 7 === 0 ? 'removed' : 'changed',
                fields: [
                  {
                    pointer: '/description',
                    class: 'text-changed',
                    severity: SEVERITIES[n % 5] ?? 'low',
                    before: pick(n + 1),
                    after: pick(n + 2).repeat(n),
                  },
                ],
              }),
            ),
          });
          const text = renderComment(made, { id: 'x', budget });
          expect(text.length).toBeLessThanOrEqual(budget);
          expectWhole(text);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the summary fits', () => {
  test('in bytes, not characters', () => {
    const made = manyChanges(4_000, 4, 6);
    for (const one of made.changes)
      for (const field of one.fields) field.after = '説明の文章です。'.repeat(60);
    const text = renderSummary(made);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(Buffer.byteLength(text)).toBeGreaterThan(SUMMARY_BUDGET / 2);
    expectWhole(text.trimEnd());
  });

  test('and holds in full what a comment cannot', () => {
    const made = manyChanges(30, 1, 60);
    const text = renderSummary(made);
    for (let n = 0; n < 30; n++) expect(text).toContain(`Take 59 of ${n}.`);
  });
});

test('a table of a folded change is a table to GitHub', () => {
  const made = manyChanges(3);
  const last = made.changes.at(-1);
  if (last === undefined) throw new Error('no change');
  last.severity = 'low';
  last.fields = [
    {
      pointer: '/inputSchema/properties/n/maximum',
      class: 'constraint-relaxed',
      severity: 'low',
      before: 1,
      after: 2,
    },
  ];
  expect(textOf(githubTree(renderComment(made, { id: 'x' })))).not.toContain('|');
});
