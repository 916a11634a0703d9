import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharesOf } from '../../src/util/shares.ts';

describe('sharesOf', () => {
  it('gives small ones what they need, large ones the same, and only the ends something where it is too little', () => {
    expect(sharesOf([3, 50, 4, 50], 47, 6)).toEqual([3, 20, 4, 20]);
    expect(sharesOf([9, 9], 18, 6)).toEqual([9, 9]);
    expect(sharesOf([9, 9, 9, 9, 9, 9], 18, 6)).toEqual([6, 6, 0, 0, 0, 6]);
    expect(sharesOf([], 18, 6)).toEqual([]);
  });

  it('never gives more than there is, nor more than is asked for', () => {
    const cost = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(
        fc.array(cost, { minLength: 1 }),
        cost,
        fc.integer({ min: 1, max: 20 }),
        (costs, room, least) => {
          const shares = sharesOf(costs, room, least);
          const sum = shares.reduce((a, b) => a + b, 0);
          expect(sum).toBeLessThanOrEqual(room + 1e-6);
          const all = costs.reduce((a, b) => a + b, 0);
          expect(sum).toBeGreaterThanOrEqual(Math.min(all, room) - 1e-6);
          shares.forEach((share, i) => {
            expect(share).toBeLessThanOrEqual(costs[i] ?? 0);
          });
          if (room >= 3) expect(shares.at(-1)).toBeGreaterThan(0);
          expect(shares[0]).toBeGreaterThan(0);
        },
      ),
    );
  });
});
