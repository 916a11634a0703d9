import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, nfc } from '../../src/lock/canonical.ts';
import { hashOf, nfcHashOf, splitMeta, toolHashes, toolSurfaceHash } from '../../src/lock/hash.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { jcs, pick, sha, toNfc } from './independent.ts';
import { pinned } from './support.ts';

type Hashes = { [field: string]: string };
const file = JSON.parse(readFileSync(new URL('../vectors/hashes.json', import.meta.url), 'utf8')) as {
  tools: { name: string; definition: string; canonical: Hashes; hashes: Hashes }[];
  surfaces: { name: string; definitions: JsonObject[]; canonical: string; toolSurfaceHash: string }[];
  capabilities: {
    name: string;
    kind: string;
    definition: string;
    canonical: string;
    hash: string;
    metaHash?: string;
  }[];
  instructions: { text: string; canonical: string; hash: string }[];
  skills: { frontmatter: Json; body: string; canonical: string; hash: string }[];
};

describe('hash vectors', () => {
  it.each(file.tools)('tool: $name', ({ definition, canonical, hashes }) => {
    const raw = JSON.parse(definition) as JsonObject;
    const { definition: rest, meta } = splitMeta(raw);
    const { metaHash, ...others } = hashes;
    expect(toolHashes(rest)).toEqual(others);
    expect(meta === undefined ? undefined : hashOf(meta)).toBe(metaHash);
    expect(canonicalJson(nfc(rest))).toBe(canonical.definition);
    // By way of a surface too.
    const record = [...(pinned({ tools: [raw] }).tools?.values() ?? [])][0];
    expect(record).toMatchObject(hashes);
    expect(
      Object.keys(record ?? {})
        .filter((key) => /hash$/i.test(key))
        .sort(),
    ).toEqual(Object.keys(hashes).sort());
  });

  it.each(file.surfaces)('surface: $name', ({ definitions, canonical, toolSurfaceHash: expected }) => {
    expect(sha(canonical)).toBe(expected);
    for (const tools of [definitions, definitions.toReversed()])
      expect(pinned({ tools }).toolSurfaceHash).toBe(expected);
  });

  it.each(file.capabilities)('$kind: $name', ({ kind, definition, canonical, hash, metaHash }) => {
    const list = `${kind}s` as 'prompts' | 'resources' | 'resourceTemplates';
    const record = [...(pinned({ [list]: [JSON.parse(definition)] })[list]?.values() ?? [])][0];
    expect(record?.hash).toBe(hash);
    expect(record?.metaHash).toBe(metaHash);
    expect(canonicalJson(nfc(record?.definition ?? null))).toBe(canonical);
  });

  it.each(file.instructions)('instructions: $text', ({ text, canonical, hash }) => {
    expect(pinned({ instructions: text }).instructions).toMatchObject({ text, hash });
    expect(sha(canonical)).toBe(hash);
  });

  it.each(file.skills)('skill: $canonical', ({ frontmatter, body, hash }) => {
    expect(nfcHashOf({ frontmatter, body })).toBe(hash);
  });
});

describe('hashes', () => {
  it('of a tool agree with a second implementation for any definition', () => {
    const definition = fc
      .dictionary(
        fc.constantFrom(
          'name',
          'description',
          'inputSchema',
          'title',
          'outputSchema',
          '10',
          'é',
          '__proto__',
        ),
        fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
      )
      .map((object) => Object.fromEntries(Object.entries(object)) as JsonObject);
    fc.assert(
      fc.property(definition, (object) => {
        const own = (key: string): boolean => Object.hasOwn(object, key);
        const expected: Hashes = {
          hash: sha(jcs(pick(object, (key) => ['name', 'description', 'inputSchema'].includes(key)))),
          definitionHash: sha(jcs(toNfc(object))),
        };
        for (const member of ['name', 'description', 'inputSchema'])
          if (own(member)) expected[`${member}Hash`] = sha(jcs(object[member] as Json));
        expect(toolHashes(object)).toEqual(expected);
      }),
    );
  });

  it('normalises strings, not the text around them: a mark at a start stays apart', () => {
    // U+0338 would compose with ">" before it if the whole JSON text were normalised.
    const object: JsonObject = { a: ['\u0338', 'e\u0301'] };
    expect(nfcHashOf(object)).toBe(sha('{"a":["\u0338","é"]}'));
  });

  it('of a surface is ordered by UTF-16 code units', () => {
    const list: [string, string][] = [
      ['\ufb33', 'sha256:c'],
      ['\u{1f600}', 'sha256:b'],
      ['Z', 'sha256:a'],
    ];
    expect(toolSurfaceHash(list)).toBe(sha('["sha256:a","sha256:b","sha256:c"]'));
  });
});
