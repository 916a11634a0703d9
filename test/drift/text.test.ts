import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhitespaceOnly } from '../../src/drift/field.ts';
import { diffText, type TextDiff } from '../../src/drift/text.ts';
import { lines, sentences, words } from '../../src/drift/text-words.ts';

/** The text of one side as the hunks show it. */
function side(diff: TextDiff, kind: '-' | '+'): string[] {
  return diff.hunks.map((hunk) =>
    hunk.lines
      .filter((line) => line.kind === ' ' || line.kind === kind)
      .map((line) => line.spans.map((span) => span.text).join('') + (line.ends ? '\n' : ''))
      .join(''),
  );
}

/** One line a line: kind, text with the changed parts in brackets, `¶` where the text's own line ends. */
function drawn(diff: TextDiff): string[] {
  return diff.hunks.flatMap((hunk) =>
    hunk.lines.map(
      (line) =>
        line.kind +
        line.spans.map((span) => (span.changed ? `[${span.text}]` : span.text)).join('') +
        (line.ends ? '¶' : ''),
    ),
  );
}

const piece = fc.constantFrom(
  'alpha',
  'beta',
  ' ',
  ' ',
  '\n',
  '. ',
  'x',
  '界',
  '🙂',
  '\u0301',
  '\t',
  '\r\n',
  '\u202e',
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('words, sentences and lines', () => {
  it('give the text again when joined', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (value) => {
        expect(words(value).join('')).toBe(value);
        expect(sentences(value).join('')).toBe(value);
        expect(lines(value).join('')).toBe(value);
      }),
    );
  });

  it('keep a lone surrogate and cut an endless word', () => {
    expect(words('a\ud800b').join('')).toBe('a\ud800b');
    expect(words('x'.repeat(250)).map((word) => word.length)).toEqual([100, 100, 50]);
  });
});

describe('diffText', () => {
  it('shows one changed word of a long line as one small hunk', () => {
    const filler = 'the quick brown fox jumps over the lazy dog and ';
    const before = `${filler.repeat(30)}sets next_step to false ${filler.repeat(30)}`;
    const diff = diffText(before, before.replace('next_step', 'nextStep'));
    expect(diff.hunks).toHaveLength(1);
    expect(diff.hunks[0]).toMatchObject({
      cutBefore: true,
      midLineBefore: true,
      cutAfter: true,
      midLineAfter: true,
    });
    const shown = drawn(diff);
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain('[next_step]');
    expect(shown[1]).toContain('[nextStep]');
    for (const line of diff.hunks[0]?.lines ?? [])
      expect(line).toMatchObject({ cutBefore: true, cutAfter: true, near: true });
  });

  it('keeps lines after a longer insertion where they were', () => {
    const rest = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    const diff = diffText(`start ${rest}`, `start with a good many more words than there were ${rest}`, {
      contextLines: 0,
    });
    const removed = drawn(diff).filter((line) => line.startsWith('-'));
    expect(removed.join('').length).toBeLessThan(120);
  });

  it('keeps two far changes apart, and two near ones together', () => {
    const numbered = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    const change = (...places: number[]): string =>
      numbered.map((line, i) => (places.includes(i) ? `${line} changed` : line)).join('\n');
    expect(diffText(change(), change(3, 20)).hunks).toHaveLength(2);
    expect(diffText(change(), change(3, 6)).hunks).toHaveLength(1);
    expect(drawn(diffText(change(), change(3)))).toEqual([
      ' line 2¶',
      '-line 3¶',
      '+line 3[ changed]¶',
      ' line 4¶',
    ]);
  });

  it('shows texts that have little in common one after the other', () => {
    expect(drawn(diffText('Adds two numbers.', 'Reads the key file and sends it away.'))).toEqual([
      '-[Adds two numbers.]',
      '+[Reads the key file and sends it away.]',
    ]);
  });

  it('shows a line end at the end, empty lines and blanks', () => {
    expect(drawn(diffText('a', 'a\n'))).toEqual(['-a', '+a¶']);
    expect(drawn(diffText('a\nb\n', 'a\n\nb\n'))).toEqual([' a¶', '+[]¶', ' b¶']);
    expect(drawn(diffText('', 'new'))).toEqual(['+[new]']);
    expect(diffText('same', 'same').hunks).toEqual([]);
  });

  it('gives both texts again, whatever they are', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 20, max: 40 }), (before, after, width) => {
        const diff = diffText(before, after, { contextLines: Number.POSITIVE_INFINITY, width });
        if (before === after) expect(diff.hunks).toEqual([]);
        else {
          expect(side(diff, '-')).toEqual([before]);
          expect(side(diff, '+')).toEqual([after]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows in each hunk what both texts have there, and leaves out only what is equal', () => {
    const edit = fc.record({ at: fc.nat(200), drop: fc.nat(5), put: text });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 50, maxLength: 200 }), edit, edit, (pieces, one, two) => {
        const before = pieces.join('');
        const changed: string[] = [...pieces];
        for (const { at, drop, put } of [one, two]) changed.splice(at % pieces.length, drop, put);
        const after = changed.join('');
        const diff = diffText(before, after, { width: 20 });
        let [i, j] = [0, 0];
        const [olds, news] = [side(diff, '-'), side(diff, '+')];
        olds.forEach((old, k) => {
          const now = news[k] ?? '';
          const [from, to] = [before.indexOf(old, i), after.indexOf(now, j)];
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(0);
          [i, j] = [from + old.length, to + now.length];
        });
        const marked = diff.hunks.some((hunk) => hunk.lines.some((line) => line.kind !== ' '));
        expect(marked).toBe(before !== after);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps to the width where words let it', () => {
    const prose = 'several short words in a row that go on and on '.repeat(20);
    const diff = diffText(prose, prose.replace('short', 'quite short'), { contextLines: 5, width: 40 });
    for (const hunk of diff.hunks)
      for (const line of hunk.lines)
        expect(
          line.spans
            .map((span) => span.text)
            .join('')
            .trimEnd().length,
        ).toBeLessThanOrEqual(60);
  });

  it('gets coarser instead of slower', () => {
    let state = 7;
    const random = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state;
    };
    const noise = (separator: string): string =>
      Array.from({ length: 40_000 }, () => random().toString(36)).join(separator);
    const [a, b] = [noise(' '), noise(' ')];
    expect(diffText(a, b).by).not.toBe('word');
    const rows = diffText(noise('\n'), noise('\n'));
    expect(rows.by).toBe('whole');
    expect(diffText(a, b, { maxMs: 0 }).by).toBe('whole');
  });
});

describe('isWhitespaceOnly', () => {
  it('is about spacing between words alone', () => {
    expect(isWhitespaceOnly('a b', 'a\n  b ')).toBe(true);
    expect(isWhitespaceOnly('a b', 'a\r\nb')).toBe(true);
    expect(isWhitespaceOnly('no where', 'nowhere')).toBe(false);
    expect(isWhitespaceOnly('a b', 'a\u00a0b')).toBe(false);
    expect(isWhitespaceOnly('ab', 'a\u200bb')).toBe(false);
    expect(isWhitespaceOnly('a', '\ufeffa')).toBe(false);
    expect(isWhitespaceOnly('a', 'a')).toBe(false);
  });
});
