import { describe, expect, it } from 'vitest';
import { chaos } from '../support/strangers/chaos.ts';

describe('servers of which a third misbehave', () => {
  it.each([
    ['ci', 'auto', 11],
    ['action', 'none', 12],
  ] as const)('%s, isolation %s: each comes out as it would alone', async (entry, isolation, seed) => {
    const { wrong, misbehaving, peakMiB } = await chaos({ seed, servers: 18, entry, isolation });
    expect(wrong).toEqual([]);
    expect(misbehaving).toBe(6);
    expect(peakMiB).toBeLessThan(512);
  });
});
