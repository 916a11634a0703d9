import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/capture/line-reader.ts';
import { MemoryPool, MemoryShare, weightOf } from '../../src/capture/memory.ts';
import { readMessages } from '../../src/capture/message.ts';
import { formatLock, lockParts } from '../../src/lock/format.ts';
import { lockLines } from '../../src/lock/lines.ts';
import type { Lock } from '../../src/lock/types.ts';
import { countValues, endOfString } from '../../src/util/json-text.ts';

const MIB = 1024 * 1024;

describe('what servers may keep in memory together', () => {
  it('is refused beyond the limit, and is there again when a server lets go', () => {
    const pool = new MemoryPool(10 * MIB);
    const [a, b] = [new MemoryShare(pool), new MemoryShare(pool)];
    expect(a.holdAnswers(8 * MIB)).toBe(true);
    expect(b.holdAnswers(5 * MIB)).toBe(false);
    expect(b.holdAnswers(4 * MIB)).toBe(true);
    a.keepSurface();
    expect(b.holdAnswers(5 * MIB)).toBe(false);
    a.release();
    expect(b.holdAnswers(11 * MIB)).toBe(true);
    expect(b.holdPartial(MIB)).toBe(false);
  });

  it('leaves every server its first MiB, whatever the others took', () => {
    const pool = new MemoryPool(2 * MIB);
    expect(new MemoryShare(pool).holdPartial(3 * MIB)).toBe(true);
    for (let i = 0; i < 100; i++) expect(new MemoryShare(pool).holdAnswers(MIB)).toBe(true);
    expect(new MemoryShare(pool).holdAnswers(MIB + 1)).toBe(false);
  });

  it('leaves hundreds of servers as much together as some dozens', () => {
    const pool = new MemoryPool(0, 320);
    expect(pool.free).toBe(Math.floor(MIB / 10));
    for (let i = 0; i < 320; i++) expect(new MemoryShare(pool).holdAnswers(100_000)).toBe(true);
    expect(new MemoryShare(pool).holdAnswers(MIB)).toBe(false);
  });

  it('counts the second start of a server instead of the first one, not beside it', () => {
    const share = new MemoryShare(new MemoryPool(10 * MIB));
    share.holdAnswers(9 * MIB);
    share.keepSurface();
    expect(share.holdAnswers(9 * MIB)).toBe(true);
    expect(share.holdPartial(3 * MIB)).toBe(false);
  });

  it('counts characters and values', () => {
    expect(weightOf('"abcé"', 1)).toBeLessThan(weightOf('"abcł"', 1));
    expect(weightOf('[1,2]', 3)).toBeGreaterThan(3 * 16);
  });
});

describe('counting values', () => {
  it('never finds fewer than there are', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, item) => sum + count(item), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, wide) => {
        const text = JSON.stringify(value, null, wide ? 2 : 0);
        expect(countValues(text)).toBeGreaterThanOrEqual(count(value));
        expect(countValues(text)).toBeLessThanOrEqual(2 * count(value));
      }),
    );
  });

  it('knows where a string ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\\', '"', 'a', '\n') }), (value) => {
        const text = `[${JSON.stringify(value)}]`;
        expect(endOfString(text, 1)).toBe(text.length - 2);
      }),
    );
    expect(endOfString('"abc\\"', 0)).toBe(-1);
  });

  it('is done before a message is parsed', () => {
    const many = `{"jsonrpc":"2.0","id":1,"result":[${'0,'.repeat(1_000_000)}0]}`;
    expect(readMessages(many)).toMatchObject([{ message: {}, tooManyValues: true }]);
    const few = `{"jsonrpc":"2.0","id":1,"result":"${',['.repeat(1_000_000)}"}`;
    expect(readMessages(few)).toMatchObject([{ message: { id: 1 }, values: 4 }]);
  });
});

describe('large texts', () => {
  it('of a byte at a time are one line', () => {
    const reader = new LineReader({ lineBytes: 4 * MIB, totalBytes: 8 * MIB });
    const byte = Buffer.from('x');
    for (let i = 0; i < 300_000; i++) reader.push(byte);
    expect(reader.partial).toBe(300_000);
    const { lines } = reader.push(Buffer.from('y\nz'));
    expect(lines.map(({ bytes, text }) => [bytes, text.at(-1)])).toEqual([[300_001, 'y']]);
    expect(reader.partial).toBe(1);
  });

  it('of a lock have lines, whatever they hold', () => {
    for (const long of ['x'.repeat(20 * MIB), '\\n'.repeat(8 * MIB), '\\"'.repeat(8 * MIB)]) {
      const text = `{\n"servers": {\n"a": {"config": "${long}"},\n"b": {}}}`;
      expect(lockLines(text).server('b')).toBe(4);
    }
  });

  it('are written in parts that make the same text', () => {
    const lock = (size: number): Lock => ({
      lockfileVersion: 1,
      servers: new Map(
        ['a', '__proto__', '10', '9'].map((key) => [
          key,
          { config: 'c'.repeat(size), extra: {}, tools: new Map() },
        ]),
      ),
      extra: {},
    });
    for (const size of [0, 10, MIB]) {
      const parts = [...lockParts(lock(size))];
      expect(parts.join('')).toBe(formatLock(lock(size)));
      expect(parts.length > 1).toBe(size === MIB);
    }
  });
});
