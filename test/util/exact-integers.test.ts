import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rememberIntegers, stringifyExact } from '../../src/util/exact-integers.ts';
import type { JsonObject } from '../../src/util/json.ts';

function read(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject;
  rememberIntegers(text, value);
  return value;
}

describe('integers beyond 2^53', () => {
  it.each([
    '{"a":9007199254740993}',
    '{"a":[1,-12345678901234567890,{"b":1152921504606846976}],"":18446744073709551615}',
    '{"__proto__":{"x":12345678901234567890},"a":"\\\\\\"12345678901234567890","b":"integer 12345678901234567890"}',
    '{"a":0.1234567890123456,"b":1.5e+21,"c":1e-7,"d":null,"e":[[],{}],"f":true}',
  ])('are written as they were read: %s', (text) => {
    expect(stringifyExact(read(text))).toBe(text);
  });

  it('in a copy, too, as long as the object that holds them is the same', () => {
    const value = read('{"content":[],"structuredContent":{"id":12345678901234567890}}');
    expect(stringifyExact({ jsonrpc: '2.0', result: { ...value, resultType: 'complete' } })).toBe(
      '{"jsonrpc":"2.0","result":{"content":[],"structuredContent":{"id":12345678901234567890},"resultType":"complete"}}',
    );
  });

  it('leave everything else as JSON.stringify writes it', () => {
    read('{"a":12345678901234567890}');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyExact(read(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
