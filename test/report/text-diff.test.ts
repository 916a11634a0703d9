import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../src/drift/text-columns.ts';
import { renderComment } from '../../src/report/comment.ts';
import type { Report } from '../../src/report/model.ts';
import { renderPage } from '../../src/report/page.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { renderText } from '../../src/report/text.ts';
import { diffLines, diffsOf } from '../../src/report/text-diff.ts';
import { lineText } from '../../src/report/text-lines.ts';
import { change, report, server } from './fixtures.ts';

/** A report about one description for each pair. */
function about(...pairs: [string, string][]): Report {
  return report({
    servers: [server('a', { status: 'drift' })],
    changes: pairs.map(([before, after], n) =>
      change({
        server: 'a',
        name: `tool_${n}`,
        fields: [{ pointer: '/description', class: 'text-changed', severity: 'medium', before, after }],
      }),
    ),
  });
}

function lines(before: string, after: string, width?: number): string[] {
  return diffLines(before, after, { diffs: diffsOf(about([before, after])), width }).map(lineText);
}

const NOTE = '@@ spacing: · is a space, ⇥ a tab, ⏎ a line end @@';

describe('white space', () => {
  test('is drawn where nothing else changed', () => {
    expect(lines('one two', 'one  two')).toEqual([NOTE, '- one·two', '+ one··two']);
    expect(lines('one two', 'one\ttwo')).toEqual([NOTE, '- one·two', '+ one⇥two']);
    expect(lines('one two', 'one\ntwo')).toEqual([NOTE, '- one·two', '+ one⏎', '+ two']);
    expect(lines('one', 'one\n')).toEqual([NOTE, '- one', '+ one⏎']);
    expect(lines('one two', 'one\u00a0two')).toEqual([NOTE, '- one·two', '+ one⟨U+00A0⟩two']);
  });

  test('empty lines that come and go need no sign', () => {
    expect(lines('one\ntwo\n', 'one\n\ntwo\n')).toEqual(['  one', '+', '  two']);
  });

  test('its signs cannot be forged: a text that holds one gets another', () => {
    expect(lines('a·b c', 'a·b  c')[0]).toBe('@@ spacing: ␣ is a space, ⇥ a tab, ⏎ a line end @@');
    expect(lines('a·b␣▫◦ c', 'a·b␣▫◦  c')[0]).toContain('⟨U+0020⟩ is a space');
    expect(lines('a·b', 'a b').some((line) => line.startsWith('@@'))).toBe(false);
  });

  test('line ends of another system are one line', () => {
    expect(lines('a\nb\n', 'a\r\nb\r\n')).toEqual(['@@ only the line ends changed: LF → CRLF @@']);
    expect(lines('a\r\nb\r\n', 'a\nb\n')).toEqual(['@@ only the line ends changed: CRLF → LF @@']);
  });

  test('what looks the same is said to be so', () => {
    expect(lines('caf\u00e9 open', 'cafe\u0301 open')[0]).toBe(
      '@@ the same characters in another Unicode form @@',
    );
  });
});

describe('lines', () => {
  const part = fc.constantFrom(
    'one ',
    'two. ',
    '\n',
    '@@ x @@',
    '- ',
    '+ ',
    '\t',
    '\u202e',
    '\r\n',
    '界',
    '  ',
    '🙂\ufe0f',
  );
  const text = fc.array(part, { maxLength: 50 }).map((parts) => parts.join(''));

  test('hold the width; each has a sign or is ours; no equal text loses its difference', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 24, max: 120 }), (before, after, width) => {
        const shown = lines(before, after, width);
        expect(shown.length === 0).toBe(before === after);
        expect(before === after || shown.some((line) => /^[-+@]/.test(line))).toBe(true);
        for (const line of shown) {
          expect(line).toMatch(
            /^(?:[-+ ] |[-+ ]?$|@@ (?:… @@$|spacing: |only the line|the same characters))/,
          );
          if (!line.startsWith('@@')) expect(columnsOf(line)).toBeLessThanOrEqual(width + 6);
          expect(line).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u202e]/);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('a terminal gives them its width', () => {
    const long = 'many short words that go on and on and on '.repeat(12);
    const made = about([`${long}. End.`, `${long.replaceAll('short', 'shorter')}. End.`]);
    const widest = (width: number): number =>
      Math.max(
        ...renderText(made, { width })
          .split('\n')
          .filter((line) => /^\s*[-+] /.test(line))
          .map((line) => line.length),
      );
    expect(widest(60)).toBeLessThanOrEqual(60);
    expect(widest(140)).toBeLessThanOrEqual(140);
    expect(widest(140)).toBeGreaterThan(110);
  });
});

describe('changed words', () => {
  const rest = 'only when the whole list of rooms was read and there is nothing left that could be asked for';

  test('stand before the lines when they are few', () => {
    const comment = renderComment(
      about([`Set has_more to false ${rest}.`, `Set hasMore to false ${rest}.`]),
      { id: 'x' },
    );
    expect(comment).toContain('`description`: `has_more` → `hasMore`\n\n```diff\n');
  });

  test('are inert in the comment', () => {
    const comment = renderComment(about([`Ask x ${rest}`, `Ask [@you](http://e.vil)|\`<b>\` ${rest}`]), {
      id: 'x',
    });
    expect(comment).toContain('`description`: `x` → `` [@you](http://e.vil)|`<b>` ``');
  });

  test('are marked on the page, and only where the rest of the line stayed', () => {
    const page = renderPage(about([`Set has_more ${rest}.`, `Set hasMore ${rest}.`]));
    expect(page).toContain('- Set <mark>has_more</mark> only');
    expect(page).toContain('+ Set <mark>hasMore</mark> only');
    expect(renderPage(about(['Opens a door.', 'Reads the secret key file first.']))).not.toContain('<mark>');
    const hostile = renderPage(about([`Set <mark> ${rest}.`, `Set </mark><script> ${rest}.`]));
    expect(hostile).not.toContain('<script>');
    expect(hostile).toContain('&lt;');
  });
});

describe('work', () => {
  const noise = (seed: number, count: number): string =>
    Array.from({ length: count }, (_, n) =>
      (((seed + 7) * (n + 11) * 2_654_435_761) % 1_000_003).toString(36),
    ).join(' ');

  test('is shared by the renderings of one report', () => {
    const made = about(['one two three', 'one 2 three'], ['a b', 'a c']);
    renderComment(made, { id: 'x' });
    const { compared } = diffsOf(made);
    const before = [...compared.values()].map((inner) => [...inner.values()]);
    renderSummary(made);
    renderText(made, { width: 120 });
    renderPage(made);
    expect([...compared.values()].map((inner) => [...inner.values()])).toEqual(before);
    expect(diffsOf(made).compared).toBe(compared);
    for (const [n, inner] of [...compared.values()].entries())
      for (const [k, one] of [...inner.values()].entries()) expect(one).toBe(before[n]?.[k]);
  });

  test('shrinks for each text when there are many, and small ones do not feel it', () => {
    const large = Array.from({ length: 200 }, (_, n): [string, string] => [
      noise(n, 4_000),
      noise(n + 1, 4_000),
    ]);
    const made = about(...large, ['Asks once.', 'Asks twice.']);
    expect(diffsOf(made).work).toBeLessThan(200_000);
    expect(diffsOf(about(...large.slice(0, 2))).work).toBe(4_000_000);
    expect(renderText(made)).toContain('+ Asks twice.');
  });

  test('decides the text by the report alone, in whatever order it is drawn', () => {
    const pairs = Array.from({ length: 60 }, (_, n): [string, string] => [
      noise(n, 3_000),
      noise(n + 1, 3_000),
    ]);
    const one = about(...pairs);
    const other = about(...pairs);
    const comment = renderComment(one, { id: 'x' });
    const summary = renderSummary(one);
    expect(renderSummary(other)).toBe(summary);
    expect(renderComment(other, { id: 'x' })).toBe(comment);
  });
});

describe('many of one kind', () => {
  const resource = (name: string, kind: 'added' | 'removed'): Report['changes'][number] =>
    change({
      server: 'a',
      kind: 'resource',
      name,
      change: kind,
      severity: kind === 'added' ? 'medium' : 'low',
      fields: [
        {
          pointer: '',
          class: 'field-changed',
          severity: kind === 'added' ? 'medium' : 'low',
          [kind === 'added' ? 'after' : 'before']: { uri: name, name: 'n', description: `Page of ${name}` },
        },
      ],
    });
  const comment = (changes: Report['changes']): string =>
    renderComment(report({ servers: [server('a', { status: 'drift' })], changes }), { id: 'x' });

  test('gone and counted up: one line', () => {
    const text = comment(Array.from({ length: 100 }, (_, n) => resource(`doc://page/${n + 1}`, 'removed')));
    expect(text).toContain('**100 resources gone** · ⚪ low · `doc://page/1` to `doc://page/100`');
  });

  test('gone with a hole in the count: every name, folded', () => {
    const changes = Array.from({ length: 30 }, (_, n) => resource(`doc://page/${n + 1}`, 'removed'));
    const text = comment(changes.filter((one) => one.name !== 'doc://page/7'));
    expect(text).toContain('<details><summary><b>29 resources gone</b> · ⚪ low</summary>');
    for (const one of changes) expect(text.includes(`\`${one.name}\``)).toBe(one.name !== 'doc://page/7');
  });

  test('new and short: one table; a long one stands alone', () => {
    const changes = ['a', 'b', 'c', 'd'].map((name) => resource(`doc://${name}`, 'added'));
    const [first] = changes;
    const field = first?.fields[0];
    if (field) field.after = { uri: 'doc://a', name: 'n', description: 'Long. '.repeat(60) };
    const text = comment(changes);
    expect(text).toContain('**3 resources** · 🟠 medium · new, never reviewed');
    expect(text).toContain('| `doc://b` | Page of `doc://b` | `name: n` |');
    expect(text).toContain('resource **`doc://a`** · 🟠 medium · new resource, never reviewed');
  });
});
