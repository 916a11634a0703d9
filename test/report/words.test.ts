import { expect, test } from 'vitest';
import { findingInlines } from '../../src/report/finding-words.ts';
import { worstPhrase } from '../../src/report/words.ts';
import { finding } from './fixtures.ts';

test('a server that is gone: from the configs, or from the lock of a pull request', () => {
  const gone = { change: 'removed', kind: 'server', fields: [] } as const;
  expect(worstPhrase({ ...gone, fields: [] })).toBe('in the lock, but no longer declared');
  expect(worstPhrase({ ...gone, fields: [], accepted: true })).toBe('taken out of the lock');
});

test.each([
  [4, ' and 1 more finding'],
  [5, ' and 2 more findings'],
])('of %i findings, three are told', (count, end) => {
  const findings = Array.from({ length: count }, (_, index) => finding({ rule: `AG-TP-00${index + 1}` }));
  const last = findingInlines(findings).at(-1);
  expect(last).toMatchObject({ text: end });
});
