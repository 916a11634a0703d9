import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderComment } from '../../src/report/comment.ts';
import { capped } from '../../src/report/cut-lines.ts';
import type { Report, ReportChange } from '../../src/report/model.ts';
import { renderPage } from '../../src/report/page.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { renderText } from '../../src/report/text.ts';
import { textDiff } from '../../src/report/text-diff.ts';
import { lineText } from '../../src/report/text-lines.ts';
import { change, report, server } from './fixtures.ts';

const drawn = (before: string, after: string): string[] => {
  const diffs = { work: 24_000_000, compared: new Map(), drawn: new Map() };
  return capped(textDiff(before, after, { diffs }).lines, 60, 'elsewhere').map(lineText);
};

describe('padding in front of what is new', () => {
  it.each([
    ['empty lines', '\n'.repeat(12_000), '@@ 11,998 more empty lines, new @@'],
    ['lines with CRLF', '\r\n'.repeat(3_000), '@@ 2,998 more empty lines, new @@'],
    ['lines of blanks', ' \n'.repeat(3_000), '@@ 2,998 more empty lines, new @@'],
    ['characters that show nothing', '\u200b\n'.repeat(3_000), '@@ 2,998 more such lines, new @@'],
    ['dots', '.\n'.repeat(3_000), '@@ 2,998 more such lines, new @@'],
  ])('%s are counted, and the words behind them are shown', (_, padding, counted) => {
    const lines = drawn('Reads.', `Reads.${padding}Sends it away.`);
    expect(lines).toContain(counted);
    expect(lines.at(-1)).toBe('+ Sends it away.');
  });

  it('counts what is gone in the same way', () => {
    const lines = drawn(`Reads.${'\n'.repeat(50)}Asks first.`, 'Reads.');
    expect(lines).toContain('@@ 48 more empty lines, gone @@');
    expect(lines.at(-1)).toBe('- Asks first.');
  });

  it('leaves a few equal lines as they are', () => {
    expect(drawn('Reads.', 'Reads.\n\n\n\nWrites.').filter((line) => line === '+')).toHaveLength(3);
  });
});

const filler = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `Row ${from + n} of the table of places.`);
const KEPT = ['Adds a note.', 'Gives its number back.', 'Notes are kept for one year.'];
const PAYLOAD = 'send-the-private-key';

/** All that is read of a report: comment, summary, terminal, page. */
function readings(made: Report): [string, string][] {
  return [
    ['comment', renderComment(made, { id: 'x' })],
    ['summary', renderSummary(made)],
    ['terminal', renderText(made)],
    ['page', renderPage(made)],
  ];
}

function about(more: Partial<ReportChange>, purpose?: 'lock'): Report {
  return report({
    ...(purpose === undefined ? {} : { purpose }),
    servers: [server('a', { status: purpose === undefined ? 'drift' : 'new' })],
    changes: [change({ server: 'a', ...more })],
  });
}

function text(after: string, before?: string): Partial<ReportChange> {
  const field = { pointer: '/description', severity: 'medium' as const, after };
  return before === undefined
    ? { change: 'added', fields: [{ ...field, class: 'text-added' }] }
    : { fields: [{ ...field, class: 'text-changed', before }] };
}

describe('the end of what is too long is shown, and what is left out is counted before it', () => {
  it.each([
    ['a new description of 430 lines', text([...filler(0, 430), PAYLOAD].join('\n'))],
    ['a new description of 60,000 lines', text([...filler(0, 60_000), PAYLOAD].join('\n'))],
    ['a new description of one line', text(`${filler(0, 8_000).join(' ')} ${PAYLOAD}`)],
    ['a longer description', text([...filler(0, 60_000), PAYLOAD].join('\n'), 'Reads.')],
    ['a longer description of one line', text(`Reads. ${filler(0, 8_000).join(' ')} ${PAYLOAD}`, 'Reads.')],
    [
      'a description that was as long',
      text([...filler(0, 60_000), PAYLOAD].join('\n'), filler(100_000, 60_000).join('\n')),
    ],
    [
      'a small change between two that are large',
      text(
        [...filler(0, 2_500), ...KEPT, PAYLOAD, ...KEPT.toReversed(), ...filler(50_000, 2_500)].join('\n'),
        [...KEPT, 'Reads.', ...KEPT.toReversed()].join('\n'),
      ),
    ],
    [
      'a change behind thousands of others',
      text(
        [...filler(0, 12_000).flatMap((row) => [row, `New: ${row}`]), PAYLOAD].join('\n'),
        filler(0, 12_000).join('\n'),
      ),
    ],
  ])('%s', (_, more) => {
    for (const [where, shown] of readings(about(more))) {
      expect(shown.includes(PAYLOAD), where).toBe(true);
      if (where === 'comment')
        expect(shown).toMatch(/@@ [\d,]+ more lines: the whole text is in the report @@/);
    }
  });

  it('also where a long parameter follows the description', () => {
    const made = about({
      change: 'added',
      fields: [
        {
          pointer: '/description',
          class: 'text-added',
          severity: 'medium',
          after: [...filler(0, 900), PAYLOAD].join('\n'),
        },
        {
          pointer: '/inputSchema',
          class: 'schema-changed',
          severity: 'medium',
          after: {
            type: 'object',
            properties: { place: { type: 'string', description: filler(1_000, 900).join('\n') } },
          },
        },
      ],
    });
    for (const [where, shown] of readings(made)) expect(shown.includes(PAYLOAD), where).toBe(true);
  });

  it('also in what a lock pins, where a list is no removed text', () => {
    const list = filler(0, 900).map((row) => `- ${row}`);
    for (const body of [
      [...list, PAYLOAD],
      [...filler(0, 500), ...list.with(899, `- ${PAYLOAD}`)],
    ]) {
      const shown = renderText(about(text(body.join('\n')), 'lock'));
      expect(shown.includes(PAYLOAD)).toBe(true);
      expect(shown.includes('more lines')).toBe(true);
      expect(shown.includes(' gone @@')).toBe(false);
    }
  });
});

describe('cut lines', () => {
  const line = fc.integer({ min: 0, max: 9_999 }).map((n) => `+ line ${n}`);
  const lines = fc.array(
    fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: fc.constant('@@ … @@') }),
    {
      maxLength: 300,
    },
  );

  it('are as many as asked and one more, each where it stood, the rest counted, the last one shown', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 18, max: 120 }), (all, max) => {
        const shown = capped(all, max, 'elsewhere').map(lineText);
        let at = 0;
        let left = 0;
        for (const one of shown) {
          const count = /^@@ (\d+) more lines?: elsewhere @@$/.exec(one)?.[1];
          left += Number(count ?? 0);
          at = count === undefined ? all.indexOf(one, at) + 1 : at + Number(count);
          expect(at).toBeGreaterThan(0);
        }
        expect(shown.length - shown.filter((one) => one.endsWith(': elsewhere @@')).length + left).toBe(
          all.length,
        );
        expect(shown.length).toBeLessThanOrEqual(max + 1);
        expect(shown.at(-1)).toBe(all.at(-1));
      }),
    );
  });
});
