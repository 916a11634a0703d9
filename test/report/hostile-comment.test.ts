import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { githubTree, type HtmlTree } from '../../scripts/render-github.ts';
import { renderComment } from '../../src/report/comment.ts';
import type { Report, ReportChange } from '../../src/report/model.ts';
import { renderPage } from '../../src/report/page.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { renderText } from '../../src/report/text.ts';
import type { Json } from '../../src/util/json.ts';
import { change, finding, report, server } from './fixtures.ts';
import { hostileText } from './hostile.ts';

/** A report with one text in each slot that a server, a config, a pull request or a hostile report can fill. */
function filled(next: () => string): Report {
  const key = next();
  const fields = (): ReportChange['fields'] => [
    {
      pointer: '/description',
      class: 'text-changed',
      severity: 'critical',
      before: next(),
      after: `${next()}.`,
    },
    {
      pointer: `/inputSchema/properties/${next().replaceAll('/', '~1')}`,
      class: 'property-added-required',
      severity: 'medium',
      after: { type: next(), description: next(), enum: [next(), next()] },
    },
    {
      pointer: `/${next().replaceAll('/', '~1')}`,
      class: next(),
      severity: 'low',
      before: { [next()]: next() },
      after: [next(), 1, null],
    },
    { pointer: '/inputSchema/required', class: 'required-added', severity: 'low', after: next() },
    {
      pointer: '/inputSchema/properties/a/enum',
      class: 'enum-narrowed',
      severity: 'low',
      before: [next(), next()],
      after: [next()],
    },
  ];
  const definition: Json = {
    description: next(),
    inputSchema: {
      type: 'object',
      [next()]: next(),
      properties: { [next()]: { type: next(), description: next(), [next()]: [next()] } },
      required: [next()],
    },
    outputSchema: { type: 'object', properties: { [next()]: { type: 'string', description: next() } } },
    annotations: { title: next(), readOnlyHint: false },
    [next()]: next(),
  };
  return report({
    lockfile: { path: next(), sha256: next() },
    baseLockfile: { sha256: next(), commit: next() },
    context: {
      event: next(),
      repository: next(),
      workingDirectory: next(),
      runUrl: 'https://evil.example/run',
    },
    servers: [
      server(key, {
        status: 'drift',
        cause: 'same-release',
        causeText: next(),
        isolation: next(),
        source: { type: 'npm', package: next(), version: next() },
        lockedSource: { type: 'npm', package: next(), version: next() },
        baseSource: { type: 'remote', url: next() },
      }),
      server(`a${next()}`, {
        status: 'unchecked',
        error: { code: next(), message: next(), stderr: next() },
        hashOnly: true,
      }),
      server(`b${next()}`, {
        status: 'skipped',
        reason: next(),
        source: { type: 'local', path: next() },
        switchedOff: { byPullRequest: true, ignoredBy: next() },
      }),
      server(`c${next()}`, { status: 'new' }),
    ],
    changes: [
      change({ server: key, name: next(), severity: 'critical', fields: fields() }),
      change({
        server: key,
        name: `1${next()}`,
        severity: 'medium',
        change: 'renamed',
        from: next(),
        fields: fields(),
      }),
      change({ server: key, name: `2${next()}`, severity: 'low', fields: fields() }),
      change({
        server: key,
        kind: 'resource',
        name: next(),
        change: 'added',
        fields: [{ pointer: '', class: 'field-changed', severity: 'medium', after: definition }],
      }),
      change({ server: key, kind: 'prompt', name: next(), change: 'removed', severity: 'low' }),
      change({ server: key, kind: 'skill', name: next(), change: 'removed', severity: 'low' }),
      change({
        server: key,
        kind: 'instructions',
        name: '',
        change: 'added',
        accepted: true,
        fields: [{ pointer: '/text', class: 'text-added', severity: 'high', after: next() }],
      }),
      change({
        server: next(),
        kind: 'server',
        name: '',
        change: 'added',
        severity: 'high',
        accepted: true,
        fields: [
          {
            pointer: '/launch',
            class: 'launch-changed',
            severity: 'high',
            after: { command: next(), args: [next(), next()], env: [next()] },
          },
          {
            pointer: `/tools/${next().replaceAll('/', '~1')}`,
            class: 'field-changed',
            severity: 'medium',
            after: definition,
          },
        ],
      }),
      ...['x', 'y', 'z'].map((prefix) =>
        change({
          server: key,
          name: prefix + next(),
          severity: 'low',
          accepted: true,
          fields: [
            { pointer: '/title', class: 'title-changed', severity: 'low', before: 'one', after: 'another' },
          ],
        }),
      ),
    ],
    findings: [
      finding({
        rule: next(),
        server: key,
        name: next(),
        pointer: next(),
        message: next(),
        evidence: next(),
      }),
      finding({ server: key, name: next(), message: next(), severity: 'low', evidence: next() }),
      finding({ server: key, name: next(), message: next(), suppressed: next() }),
    ],
    errors: [{ code: next(), message: next(), file: next(), line: 3 }],
    info: [{ code: next(), server: next(), message: next() }],
  });
}

const texts = fc.array(hostileText, { minLength: 12, maxLength: 30 });

function cycle(items: string[]): () => string {
  let index = 0;
  return () => items[index++ % items.length] ?? '';
}

function elements(tree: HtmlTree): HtmlTree[] {
  return [...(tree.type === 'element' ? [tree] : []), ...(tree.children ?? []).flatMap(elements)];
}

function outsideCode(tree: HtmlTree): string {
  if (tree.type === 'text') return tree.value ?? '';
  if (tree.tagName === 'code' || tree.tagName === 'pre') return ' ';
  return (tree.children ?? []).map(outsideCode).join('');
}

const ALLOWED = new Set([
  'h2',
  'h3',
  'p',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'pre',
  'code',
  'details',
  'summary',
  'strong',
  'b',
  'del',
  's',
  'sub',
  'ul',
  'li',
  'blockquote',
]);
/** These frame the comment: their number follows from the report's shape alone. */
const FRAME = ['h2', 'h3', 'sub', 'blockquote'];

function frameOf(tree: HtmlTree): Record<string, number> {
  const all = elements(tree);
  return Object.fromEntries(FRAME.map((tag) => [tag, all.filter((one) => one.tagName === tag).length]));
}

const AFTERWARDS = /@[\p{L}\p{N}]|#\d|\bgh-\d|www\.|:\/\/|:[\w+-]+:|\b[0-9a-f]{7,40}\b|\$/iu;

function expectHarmless(markdown: string, shape: Record<string, number>): void {
  const tree = githubTree(markdown);
  const strange = elements(tree).filter((one) => !ALLOWED.has(one.tagName ?? ''));
  expect(strange.map((one) => one.tagName)).toEqual([]);
  expect(frameOf(tree)).toEqual(shape);
  expect(outsideCode(tree)).not.toMatch(AFTERWARDS);
}

describe('a report that is hostile in every text', () => {
  const shape = frameOf(
    githubTree(renderComment(filled(cycle(Array.from({ length: 97 }, (_, n) => `t${n}`))), { id: 'x' })),
  );

  test('the shape to compare with has all parts', () => {
    expect(shape.h2).toBe(4);
    expect(shape.blockquote).toBe(2);
    expect(shape.sub).toBe(1);
  });

  test('the comment holds only what our skeleton puts there', () => {
    fc.assert(
      fc.property(texts, (items) => {
        const next = cycle(items);
        let n = 0;
        // Names are told apart, so that changes and servers stay as many as in the shape.
        const markdown = renderComment(
          filled(() => `${next()}${n++}`),
          { id: 'x' },
        );
        expectHarmless(markdown, shape);
        expect(markdown.match(/agentgate:comment/gi)).toHaveLength(1);
        expect(markdown.startsWith('<!-- agentgate:comment id="x" -->\n')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('the summary too', () => {
    fc.assert(
      fc.property(texts, (items) => {
        const next = cycle(items);
        let n = 0;
        expectHarmless(renderSummary(filled(() => `${next()}${n++}`)), shape);
      }),
      { numRuns: 40 },
    );
  });

  test('the page holds no element, attribute or address that is not ours', () => {
    fc.assert(
      fc.property(texts, (items) => {
        const page = renderPage(filled(cycle(items)));
        const tags = page.match(/<[^>]*>/g) ?? [];
        const ours =
          /^<(?:!doctype html|html lang="en"|\/?(?:html|head|body|main|title|style|h[234]|p|ul|li|pre|span|table|thead|tbody|tr|th|td|details|summary|div|code|b|s|mark)|meta (?:charset="utf-8"|http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"|name="viewport" content="[^"<]*"|name="color-scheme" content="light dark")|p class="small"|t[hd] class="(?:right|center)"|span class="line(?: (?:add|del|at))?"|div class="alert (?:caution|warning)"|details open)>$/;
        expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('the terminal gets no control code and the runner no command', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 120 }), fc.boolean(), (items, width, verbose) => {
        const output = renderText(filled(cycle(items)), { width, verbose });
        expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        for (const line of output.split('\n')) {
          expect(line.trimStart().startsWith('::')).toBe(false);
          expect(line).not.toContain('##[');
        }
      }),
      { numRuns: 50 },
    );
  });
});

const cmark = spawnSync('cmark-gfm', ['--version'], { encoding: 'utf8' });

describe.skipIf(cmark.error !== undefined)("GitHub's own parser, when cmark-gfm is installed", () => {
  test('makes no link, picture or other element of hostile texts', () => {
    fc.assert(
      fc.property(texts, (items) => {
        const markdown = renderComment(filled(cycle(items)), { id: 'x' });
        const { stdout } = spawnSync(
          'cmark-gfm',
          [
            '--unsafe',
            '-e',
            'table',
            '-e',
            'strikethrough',
            '-e',
            'autolink',
            '-e',
            'tagfilter',
            '-e',
            'tasklist',
          ],
          { input: markdown, encoding: 'utf8' },
        );
        const tags = [
          ...stdout.replace(/^<!-- agentgate:comment id="x" -->\n/, '').matchAll(/<\/?([a-z!][a-z0-9-]*)/gi),
        ].map((match) => match[1] ?? '');
        expect(tags.length).toBeGreaterThan(20);
        expect(tags.filter((tag) => !ALLOWED.has(tag))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
