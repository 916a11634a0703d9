import { expect, test } from 'vitest';
import { worstPhrase } from '../../src/report/words.ts';

test('a server that is gone: from the configs, or from the lock of a pull request', () => {
  const gone = { change: 'removed', kind: 'server', fields: [] } as const;
  expect(worstPhrase({ ...gone, fields: [] })).toBe('in the lock, but no longer declared');
  expect(worstPhrase({ ...gone, fields: [], accepted: true })).toBe('taken out of the lock');
});
