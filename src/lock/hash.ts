import { hash } from 'node:crypto';
import { letGo } from '../util/garbage.ts';
import { type Json, type JsonObject, own } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { canonicalJson, mayDenormalise, nfc } from './canonical.ts';
import type { Hash } from './types.ts';

/** `sha256:<hex>` of a canonical JSON text's UTF-8 bytes. */
export function sha256Of(canonical: string): Hash {
  const hex = hash('sha256', canonical, 'hex');
  letGo(canonical.length);
  return `sha256:${hex}`;
}

/** Hash of a value as it is. Throws as `canonicalJson` does. */
export function hashOf(value: Json): Hash {
  return sha256Of(canonicalJson(value));
}

/** Hash of a value with every string, keys included, in NFC. Throws as `canonicalJson` and `nfc` do. */
export function nfcHashOf(value: Json): Hash {
  return nfcHash(value, canonicalJson(value));
}

function nfcHash(value: Json, canonical: string): Hash {
  return sha256Of(isNfc(canonical) ? canonical : canonicalJson(nfc(value)));
}

/** Every part of a text in NFC is in NFC too (UAX #15), so that the whole answers for all strings in it. */
function isNfc(canonical: string): boolean {
  return !mayDenormalise(canonical) || canonical.normalize('NFC') === canonical;
}

/** `DESIGN.md` §3.3: the hashes of a tool. A member that the definition lacks has no hash. */
export interface ToolHashes {
  hash: Hash;
  definitionHash: Hash;
  nameHash?: Hash;
  descriptionHash?: Hash;
  inputSchemaHash?: Hash;
}

/**
 * The hashes of a tool's definition, which is taken without `_meta` (a member `_meta` would be hashed like any other).
 * Each member's canonical text is made once and used for all of them. Throws as `canonicalJson` and `nfc` do.
 */
export function toolHashes(definition: JsonObject): ToolHashes {
  const texts = new Map<string, string>();
  for (const key of Object.keys(definition).sort(byCodeUnit))
    texts.set(key, canonicalJson(definition[key] as Json));
  const whole = objectText(texts, [...texts.keys()]);
  const hashes: ToolHashes = {
    hash: sha256Of(objectText(texts, ['description', 'inputSchema', 'name'])),
    definitionHash: nfcHash(definition, whole),
  };
  const name = texts.get('name');
  if (name !== undefined) hashes.nameHash = sha256Of(name);
  const description = texts.get('description');
  if (description !== undefined) hashes.descriptionHash = sha256Of(description);
  const inputSchema = texts.get('inputSchema');
  if (inputSchema !== undefined) hashes.inputSchemaHash = sha256Of(inputSchema);
  return hashes;
}

/** The canonical text of an object, from those of its members; `keys` in code-unit order, absent ones left out. */
function objectText(members: ReadonlyMap<string, string>, keys: readonly string[]): string {
  const parts: string[] = [];
  for (const key of keys) {
    const text = members.get(key);
    if (text !== undefined) parts.push(`${canonicalJson(key)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

/** `toolSurfaceHash`: the tools' hashes, by tool name to hash, ordered by name in UTF-16 code units. */
export function toolSurfaceHash(tools: Iterable<readonly [name: string, hash: Hash]>): Hash {
  const sorted = [...tools].sort(([a], [b]) => byCodeUnit(a, b));
  return hashOf(sorted.map(([, hash]) => hash));
}

/** The definition without `_meta`, and `_meta`; the definition is given back as it is when it has none. */
export function splitMeta(definition: JsonObject): { definition: JsonObject; meta?: Json } {
  const meta = own(definition, '_meta');
  if (meta === undefined) return { definition };
  // Object rest copies own members only, `__proto__` included.
  const { _meta, ...rest } = definition;
  return { definition: rest, meta };
}
