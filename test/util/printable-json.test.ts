import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printableJson } from '../../src/util/printable-json.ts';

test('JSON that is printed has the same values, and nothing hidden or commanding in it', () => {
  const sample = [
    '##[error]x',
    '##vso[task.complete]',
    '\u202eabc',
    '\u001b]0;x\u0007',
    '\u{e0041}',
    '###[a',
  ];
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...sample));
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const printed = printableJson(JSON.stringify(value, null, 2));
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(printed).not.toMatch(
        /##(?:vso)?\[|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/i,
      );
    }),
  );
  for (const one of sample) expect(JSON.parse(printableJson(JSON.stringify(one)))).toBe(one);
});
