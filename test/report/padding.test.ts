import { describe, expect, it } from 'vitest';
import { textDiff } from '../../src/report/text-diff.ts';
import { capped, lineText } from '../../src/report/text-lines.ts';

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
