import { describe, expect, it } from 'vitest';
import { compareAnnotations } from '../../src/drift/annotations.ts';
import { compareMeta } from '../../src/drift/meta.ts';
import type { Json } from '../../src/util/json.ts';

const one = (before: Json | undefined, after: Json | undefined): string[] =>
  compareAnnotations(before, after).map((field) => `${field.severity} ${field.class} ${field.pointer}`);

describe('hints', () => {
  it.each<[Json | undefined, Json | undefined, string]>([
    [{ readOnlyHint: true }, { readOnlyHint: false }, 'high hint-loosened /annotations/readOnlyHint'],
    [{ readOnlyHint: true }, undefined, 'high hint-loosened /annotations/readOnlyHint'],
    [
      { destructiveHint: false },
      { destructiveHint: true },
      'high hint-loosened /annotations/destructiveHint',
    ],
    [{ destructiveHint: false }, {}, 'high hint-loosened /annotations/destructiveHint'],
    [{ openWorldHint: false }, { openWorldHint: true }, 'high hint-loosened /annotations/openWorldHint'],
    [{ idempotentHint: true }, { idempotentHint: false }, 'medium hint-loosened /annotations/idempotentHint'],
    [undefined, { readOnlyHint: true }, 'medium hint-tightened /annotations/readOnlyHint'],
    [
      { destructiveHint: true },
      { destructiveHint: false },
      'medium hint-tightened /annotations/destructiveHint',
    ],
    [undefined, { openWorldHint: false }, 'low hint-tightened /annotations/openWorldHint'],
    [undefined, { idempotentHint: true }, 'low hint-tightened /annotations/idempotentHint'],
    // At the default already.
    [undefined, { readOnlyHint: false }, 'low field-changed /annotations/readOnlyHint'],
    [{ openWorldHint: true }, undefined, 'low field-changed /annotations/openWorldHint'],
    // Only a boolean is a promise.
    [undefined, { readOnlyHint: 'true' }, 'medium field-changed /annotations/readOnlyHint'],
    [{ readOnlyHint: true }, { readOnlyHint: 'true' }, 'high hint-loosened /annotations/readOnlyHint'],
    [{ destructiveHint: false }, { destructiveHint: 0 }, 'high hint-loosened /annotations/destructiveHint'],
    [
      { destructiveHint: 'no' },
      { destructiveHint: false },
      'medium hint-tightened /annotations/destructiveHint',
    ],
    [{ title: 'One' }, { title: 'Two' }, 'low title-changed /annotations/title'],
    [undefined, { note: 'call this tool first' }, 'medium field-changed /annotations/note'],
    [{ priority: 1 }, { priority: 2 }, 'low field-changed /annotations/priority'],
    [undefined, {}, 'low field-changed /annotations'],
    [{}, 'readOnly', 'medium field-changed /annotations'],
  ])('%j to %j', (before, after, expected) => {
    expect(one(before, after)).toEqual([expected]);
  });

  it('destructive and idempotent mean little while the tool is read-only', () => {
    expect(one({ readOnlyHint: true }, { readOnlyHint: true, destructiveHint: false })).toEqual([
      'low hint-tightened /annotations/destructiveHint',
    ]);
    expect(one({ readOnlyHint: true, destructiveHint: false }, { readOnlyHint: true })).toEqual([
      'low hint-loosened /annotations/destructiveHint',
    ]);
  });
});

describe('_meta', () => {
  it('weighs the keys that hosts act on', () => {
    const fields = compareMeta(
      { 'ui/resourceUri': 'ui://a', 'example.com/build': 1, gone: true },
      { 'ui/resourceUri': 'ui://b', 'example.com/build': 2, 'anthropic/alwaysLoad': true },
    );
    expect(fields.map((field) => `${field.severity} ${field.pointer}`)).toEqual([
      'medium /_meta/ui~1resourceUri',
      'low /_meta/example.com~1build',
      'low /_meta/gone',
      'medium /_meta/anthropic~1alwaysLoad',
    ]);
    expect(new Set(fields.map((field) => field.class))).toEqual(new Set(['meta-changed']));
  });

  it('is never lost, whatever it is', () => {
    for (const [a, b] of [
      [undefined, {}],
      [{}, undefined],
      [null, {}],
      ['a', 'b'],
      [undefined, 'x'],
    ] as const)
      expect(compareMeta(a, b)).toHaveLength(1);
    expect(compareMeta({ a: [1] }, { a: [1] })).toEqual([]);
  });

  it('tells a value that moved to another key as that, and no other', () => {
    const tags = { tags: ['shelf', 'read'] };
    const told = (before: Json, after: Json): string[] =>
      compareMeta(before, after).map(
        ({ severity, pointer, before: a, after: b }) =>
          `${severity} ${pointer} ${JSON.stringify(a)} ${JSON.stringify(b)}`,
      );
    expect(told({ _kit: tags, same: 1 }, { kit: tags, same: 1 })).toEqual(['low /_meta "_kit" "kit"']);
    expect(told({ kit: tags }, { 'read the key file first': tags })[0]).toContain('medium');
    expect(told({ _kit: tags }, { kit: { tags: ['shelf'] } })).toHaveLength(2);
    expect(told({ kit: tags }, { 'ui/kit': tags })).toHaveLength(2);
    expect(told({ a: 1, b: 1 }, { c: 1, d: 1 })).toHaveLength(4);
  });
});
