import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, mapStrings, nfc } from '../../src/lock/canonical.ts';
import { sha256Of } from '../../src/lock/hash.ts';
import type { Json } from '../../src/util/json.ts';
import { jcs, toNfc } from './independent.ts';
import { thrown } from './support.ts';

const file = JSON.parse(readFileSync(new URL('../vectors/canonical.json', import.meta.url), 'utf8')) as {
  published: { name: string; input: string; canonical: string; sha256: string }[];
  own: { name: string; input: string; canonical: string; sha256: string }[];
  numbers: { ieee754: string; canonical: string | null }[];
  refused: { name: string; input: string; code: string }[];
};

/** Any JSON, keys that JavaScript treats apart among them. */
const anyJson = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }) as fc.Arbitrary<Json>;
const trickyKeys = fc.constantFrom(
  '__proto__',
  'constructor',
  '10',
  '9',
  '01',
  'toJSON',
  '',
  'é',
  'e\u0301',
  '😀',
  '\ufb33',
);
const trickyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, -0, 1e21, 2 ** 53),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(trickyKeys, tie('value')), { maxLength: 5 }).map(
      // fromEntries defines members; an assignment to __proto__ would not.
      (entries) => Object.fromEntries(entries) as Json,
    ),
  ),
})).value;

describe('canonical JSON', () => {
  it.each([...file.published, ...file.own])('vector: $name', ({ input, canonical, sha256 }) => {
    const value = JSON.parse(input) as Json;
    expect(canonicalJson(value)).toBe(canonical);
    expect(sha256Of(canonical)).toBe(sha256);
    expect(jcs(value)).toBe(canonical);
  });

  it.each(file.numbers)('number $ieee754', ({ ieee754, canonical }) => {
    const number = Buffer.from(ieee754, 'hex').readDoubleBE();
    if (canonical === null) expect(thrown(() => canonicalJson([number])).code).toBe('E_NUMBER');
    else expect(canonicalJson(number)).toBe(canonical);
  });

  it.each(file.refused)('refuses: $name', ({ input, code }) => {
    expect(thrown(() => canonicalJson(JSON.parse(input) as Json)).code).toBe(code);
  });

  it('takes 200 levels, and refuses far more without running out of stack', () => {
    const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;
    expect(canonicalJson(deep(200))).toBe('['.repeat(200) + ']'.repeat(200));
    expect(thrown(() => canonicalJson(deep(100_000))).code).toBe('E_TOO_DEEP');
    expect(thrown(() => nfc(deep(100_000))).code).toBe('E_TOO_DEEP');
  });

  it('is what canonicalize and a second implementation give, in order or not', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, trickyJson), (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(value));
        expect(text).toBe(jcs(value));
        // Sorted keys take the short way.
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
      }),
    );
  });
});

describe('NFC', () => {
  it('normalises texts and keys at every depth, and leaves the value alone', () => {
    const value = JSON.parse('{"e\\u0301":["e\\u0301",{"__proto__":"e\\u0301"}],"1":1}') as Json;
    const before = JSON.stringify(value);
    expect(canonicalJson(nfc(value))).toBe('{"1":1,"é":["é",{"__proto__":"é"}]}');
    expect(JSON.stringify(value)).toBe(before);
  });

  it('gives back what is normal already', () => {
    const value: Json = { a: ['é', { b: 1 }] };
    expect(nfc(value)).toBe(value);
  });

  it('refuses keys that become equal, with the place', () => {
    const value: Json = { a: [{ é: 1, 'e\u0301': 2 }] };
    expect(thrown(() => nfc(value))).toMatchObject({ code: 'E_KEYS_EQUAL', pointer: '/a/0/e\u0301' });
  });

  it('agrees with a second implementation', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, trickyJson), (value) => {
        let collides = false;
        try {
          nfc(value);
        } catch {
          collides = true;
        }
        fc.pre(!collides);
        expect(canonicalJson(nfc(value))).toBe(jcs(toNfc(value)));
      }),
    );
  });

  it('maps texts without touching what stays', () => {
    const kept = { x: 'same' };
    const value: Json = { kept, other: 'change' };
    const mapped = mapStrings(value, (text) => (text === 'change' ? 'changed' : text)) as {
      [key: string]: Json;
    };
    expect(mapped.kept).toBe(kept);
    expect(mapped.other).toBe('changed');
  });
});
