import { describe, expect, test } from 'vitest';
import { mapPool } from '../../src/util/pool.ts';

/** Work that ends when it is told to, and what runs at any time. */
function gates(count: number) {
  const opens: (() => void)[] = [];
  const waits = Array.from({ length: count }, () => new Promise<void>((open) => opens.push(open)));
  return { wait: (index: number) => waits[index], open: (index: number) => opens[index]?.() };
}

const turn = () => new Promise<void>((done) => setImmediate(done));

describe('mapPool', () => {
  test('what is released makes room before it is done; results keep the order', async () => {
    const { wait, open } = gates(4);
    const begun: number[] = [];
    const releases: (() => void)[] = [];
    const all = mapPool([0, 1, 2, 3], 2, async (item, index, release) => {
      begun.push(item);
      releases[index] = release;
      await wait(index);
      return `r${item}`;
    });
    await turn();
    expect(begun).toEqual([0, 1]);
    releases[1]?.();
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    // It made its room already: its end makes none again.
    open(1);
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    open(2);
    await turn();
    expect(begun).toEqual([0, 1, 2, 3]);
    open(3);
    open(0);
    expect(await all).toEqual(['r0', 'r1', 'r2', 'r3']);
  });

  test('one at a time is one at a time, released or not', async () => {
    let running = 0;
    let most = 0;
    await mapPool([1, 2, 3], 1, async (_, __, release) => {
      running++;
      most = Math.max(most, running);
      release();
      await turn();
      running--;
    });
    expect(most).toBe(1);
  });

  test('an error is given, also of what was released', async () => {
    const failing = mapPool([1, 2], 2, async (item, _, release) => {
      release();
      await turn();
      if (item === 2) throw new Error('no');
      return item;
    });
    await expect(failing).rejects.toThrow('no');
  });
});
