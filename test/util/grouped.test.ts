import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grouped } from '../../src/util/grouped.ts';

test('as the system groups whole numbers in English', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString('en-US'));
    }),
  );
  for (const count of [0, 7, 999, 1000, 1_000_000])
    expect(grouped(count)).toBe(count.toLocaleString('en-US'));
});
