import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffText, type TextDiff, type TextDiffOptions } from '../../src/drift/text.ts';
import { boundary } from '../../src/drift/text-boundary.ts';
import { columnsOf } from '../../src/drift/text-columns.ts';
import { compareTexts } from '../../src/drift/text-compare.ts';
import { fewChanges } from '../../src/drift/text-few.ts';

/** One line a line: kind and text, `…` where a sentence is cut. */
function drawn(before: string, after: string, options: TextDiffOptions = {}): string[] {
  return linesOf(diffText(before, after, options));
}

function linesOf(diff: TextDiff): string[] {
  return diff.hunks.flatMap((hunk) =>
    hunk.lines.map(
      (line) =>
        `${line.kind}${line.cutBefore ? '… ' : ''}${line.spans.map((span) => span.text).join('')}${line.cutAfter ? '…' : ''}`,
    ),
  );
}

describe('rows are sentences', () => {
  it('a changed sentence stands beside the equal one that follows', () => {
    expect(
      drawn(
        'Open a picture or a sound. Gives back the encoded bytes and the kind. Works inside the shared folder.',
        'Open any file and give it back as an encoded block with its kind. Pictures stay pictures. Works inside the shared folder.',
      ),
    ).toEqual([
      '-Open a picture or a sound. Gives back the encoded bytes and the kind. ',
      '+Open any file and give it back as an encoded block with its kind. ',
      '+Pictures stay pictures. ',
      ' Works inside the shared folder.',
    ]);
  });

  it('a sentence that is put in stands alone, wherever the word diff saw it', () => {
    expect(drawn('Lists all rooms.', 'Lists all rooms. Gives names alone unless asked.')).toEqual([
      ' Lists all rooms.',
      '+ Gives names alone unless asked.',
    ]);
    expect(drawn('First one. Last one.', 'First one. New one. Last one.')).toEqual([
      ' First one. ',
      '+New one. ',
      ' Last one.',
    ]);
    expect(drawn('Ask first.\n\nThen go.\n', 'Ask first.\n\nWait a day.\n\nThen go.\n')).toEqual([
      ' Ask first.',
      ' ',
      '+Wait a day.',
      '+',
      ' Then go.',
    ]);
  });

  it('does not take numbers of a list and short forms for sentences', () => {
    expect(drawn('1. Take e.g. the red one and go', '1. Take e.g. the blue one and go')).toEqual([
      '-1. Take e.g. the red one and go',
      '+1. Take e.g. the blue one and go',
    ]);
  });

  it('one word in a long sentence: the sentence is cut on both sides', () => {
    const lead = 'when the room is free and nobody has asked for it in the last hour of the day';
    const text = `Before: ${lead}, ${lead}, set has_more to false only then, ${lead}, and ${lead}`;
    const shown = drawn(text, text.replace('has_more', 'hasMore'));
    expect(shown).toHaveLength(2);
    for (const line of shown) expect(line).toMatch(/^[-+]… .* set has_?[mM]ore to false .*…$/);
  });

  it('pairs stay pairs; passages that were rewritten come whole, one after the other', () => {
    expect(drawn('one red cat sits\none red dog sits\n', 'one blue cat sits\none blue dog sits\n')).toEqual([
      '-one red cat sits',
      '+one blue cat sits',
      '-one red dog sits',
      '+one blue dog sits',
    ]);
    expect(
      drawn(
        '# Old\n\nTakes the first road.\n\n## Notes\n',
        '# Guide\n\nReads maps in silence.\n\n## Limits\n',
      ).map((line) => line[0]),
    ).toEqual(['-', '-', '-', '-', '-', '+', '+', '+', '+', '+']);
  });

  it('a change deep in much new text is still found word by word', () => {
    const added = Array.from({ length: 900 }, (_, n) => `Rule ${n} is about thing ${n * 7}.`).join(' ');
    const shown = drawn(
      'Choose the apropriate one. Ask twice.',
      `Choose the appropriate one. Ask twice. ${added}`,
    );
    expect(shown.slice(0, 3)).toEqual([
      '-Choose the apropriate one. ',
      '+Choose the appropriate one. ',
      ' Ask twice.',
    ]);
  });
});

describe('lines', () => {
  const words = fc.constantFrom(
    'alpha',
    'b',
    '界',
    '漢字',
    '。',
    ', ',
    ' ',
    '. ',
    '\n',
    'x'.repeat(99),
    '🙂',
    '    ',
  );
  const text = fc.array(words, { maxLength: 80 }).map((parts) => parts.join(''));

  it('are never wider than asked, whatever the script', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 20, max: 100 }), (before, after, width) => {
        for (const context of [0, 1, Number.POSITIVE_INFINITY])
          for (const hunk of diffText(before, after, { width, contextLines: context }).hunks)
            for (const line of hunk.lines) {
              const shown = line.spans.map((span) => span.text).join('');
              expect(columnsOf(shown.trimEnd())).toBeLessThanOrEqual(width);
            }
      }),
      { numRuns: 300 },
    );
  });

  it('never begin with closing punctuation where a script has no spaces', () => {
    const before = '説明の文章です、とても長い文章。'.repeat(12);
    for (const line of drawn(before, before.replaceAll('長い', '短い'), { width: 30 }))
      expect(line.slice(1)).not.toMatch(/^[、。]/);
  });

  it('are the same however often and in whatever order they are made', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(diffText(before, after)).toEqual(diffText(before, after));
      }),
    );
  });
});

describe('bounds', () => {
  const huge = (line: string): string => line.repeat(500_000);

  it('lays out no more lines than asked and counts the rest', () => {
    const { hunks, left, by } = diffText(huge('a\n'), 'b\na\n'.repeat(250_000), { maxLines: 100 });
    expect(by).toBe('whole');
    const kinds = hunks.flatMap((hunk) => hunk.lines.map((line) => line.kind));
    const gone = kinds.filter((kind) => kind === '-').length;
    expect(gone).toBeGreaterThan(97);
    expect(gone).toBeLessThanOrEqual(100);
    expect(kinds.filter((kind) => kind === '+').length).toBeLessThanOrEqual(101);
    expect(gone + left.removed).toBe(499_999);
    expect(left.added).toBeGreaterThan(499_800);
  });

  it('lays out the ends of what is too long, the middle is counted where it would stand', () => {
    const rows = Array.from({ length: 900 }, (_, n) => `Row ${n}.`);
    const { hunks, left } = diffText('One.\n', ['One.', ...rows, 'Two.'].join('\n'), { maxLines: 90 });
    expect(hunks.map((hunk) => hunk.left)).toEqual([0, left.added]);
    const ends = hunks.map(({ lines }) => lines.map((line) => line.spans.map((span) => span.text).join('')));
    expect(ends[0]?.slice(0, 2)).toEqual(['One.', 'Row 0.']);
    expect(ends[1]?.slice(-2)).toEqual(['Row 899.', 'Two.']);
    expect(ends[0]?.length).toBeGreaterThan(50);
    expect(ends[1]?.length).toBeGreaterThan(25);
    expect(ends.flat().length + left.added).toBe(902);
  });

  it('shows a small change whole, however large those before and after it are', () => {
    const rows = (word: string): string[] => Array.from({ length: 2_000 }, (_, n) => `${word} ${n}.`);
    const after = [...rows('Before'), 'Kept.', 'Now this.', 'Kept too.', ...rows('After')].join('\n');
    const shown = drawn('Kept.\nKept too.', after, { maxLines: 120 });
    expect(shown).toContain('+Now this.');
    expect(shown.at(-1)).toBe('+After 1999.');
    expect(shown.length).toBeLessThan(130);
  });

  it('of any texts the first and the last character that differ are laid out, and never more than the limit', () => {
    const part = fc.constantFrom('a', 'b ', '\n', '. ', 'word', '界', '\r\n', '🙂', 'x'.repeat(60));
    const some = fc.array(part, { minLength: 200, maxLength: 900 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(some, fc.integer({ min: 3, max: 40 }), (body, maxLines) => {
        const { hunks, left } = diffText('', `<${body}>`, { maxLines, width: 40 });
        const lines = hunks.flatMap((hunk) => hunk.lines);
        const shown = lines.map((line) => line.spans.map((span) => span.text).join(''));
        expect(shown[0]).toMatch(/^</);
        expect(shown.at(-1)).toMatch(/>$/);
        expect(shown.join('').isWellFormed()).toBe(true);
        expect(lines.length).toBeLessThanOrEqual(maxLines * 2 + 2);
        expect(hunks.reduce((sum, hunk) => sum + hunk.left, 0)).toBe(left.added);
      }),
    );
  });

  it('one change in a megabyte is found at once and alone', () => {
    const line = (n: number): string => `line ${n} of many\n`;
    const many = Array.from({ length: 60_000 }, (_, n) => line(n));
    const changed = many.with(31_000, 'line 31000 of few\n');
    const { runs, by } = compareTexts(many.join(''), changed.join(''), { work: 2_000 });
    expect(by).toBe('word');
    expect(runs.filter((run) => run.op !== '=').map((run) => run.text)).toEqual(['many', 'few']);
    expect(drawn(many.join(''), changed.join(''))).toEqual([
      ' line 30999 of many',
      '-line 31000 of many',
      '+line 31000 of few',
      ' line 31001 of many',
    ]);
  });

  it('gives both texts again with any amount of work', () => {
    const part = fc.constantFrom('a', 'b', ' ', '\n', '. ', 'word', '界', '\r\n');
    const some = fc.array(part, { maxLength: 120 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(some, some, fc.integer({ min: 0, max: 5_000 }), (before, after, work) => {
        const { runs } = compareTexts(before, after, { work });
        const side = (without: '-' | '+'): string =>
          runs.flatMap((run) => (run.op === without ? [] : [run.text])).join('');
        expect(side('+')).toBe(before);
        expect(side('-')).toBe(after);
      }),
      { numRuns: 500 },
    );
  });
});

describe('boundary', () => {
  it.each([
    ['', 'Next', 4],
    ['End. ', 'Next', 3],
    ['End.', ' ', 3],
    ['End.', undefined, 3],
    ['"End." ', 'Next', 3],
    ['終わり。', '次', 3],
    ['see e.g. ', 'Next', 1],
    ['12. ', 'Next', 1],
    ['ends. ', 'lower', 1],
    ['first, ', 'then', 2],
    ['plain ', 'word', 1],
    ['v1.', '2', 0],
  ])('%j before %j', (tail, next, place) => {
    expect(boundary(tail, next)).toBe(place);
  });
});

describe('fewChanges', () => {
  const rest = 'in a sentence that is long enough for nobody to find one word by looking at it twice';
  const few = (before: string, after: string): unknown => fewChanges(compareTexts(before, after).runs);

  it('names one or two changed words, whole', () => {
    expect(few(`Set has_more ${rest}`, `Set hasMore ${rest}`)).toEqual([
      { before: 'has_more', after: 'hasMore' },
    ]);
    expect(few(`Send (now) ${rest}`, `Send (later) ${rest}`)).toEqual([
      { before: '(now)', after: '(later)' },
    ]);
    expect(few(`Send ${rest}`, `Send it ${rest}`)).toEqual([{ before: '', after: 'it' }]);
    expect(few(`Send it ${rest}`, `Send ${rest}`)).toEqual([{ before: 'it', after: '' }]);
  });

  it('says nothing of many, of long ones, of short texts, of blanks', () => {
    expect(few(`a b c d e f ${rest}`, `a x c y e z ${rest}`)).toBeUndefined();
    expect(few(`a ${rest}`, `${'long '.repeat(20)}${rest}`)).toBeUndefined();
    expect(few('a cat', 'a dog')).toBeUndefined();
    expect(few(`a ${rest}`, `a  ${rest}`)).toBeUndefined();
  });
});
