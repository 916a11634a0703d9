import type { CapabilityRecord, ToolRecord } from '../lock/types.ts';
import { isObject, type Json, own } from '../util/json.ts';
import { byCodeUnit, sortedEntries } from '../util/order.ts';
import { nfcText, stableText } from './equal.ts';
import type { ChangeKind } from './types.ts';

export interface Rename {
  from: string;
  to: string;
}

/** Pairs whose likeness is worked out. With more only equal definitions and like names are matched: linear. */
const MAX_PAIRS = 10_000;

/** Words of a definition that count for its likeness. */
const MAX_WORDS = 400;

/** From this likeness on two capabilities with unlike names are one; with names alike but for their spelling less does. */
const ALIKE = 0.85;
const ALIKE_BY_NAME = 0.4;

/** Definitions with fewer words have too little in them to be told apart by. */
const MIN_WORDS = 6;

/**
 * Pairs of a capability that is gone and one that has come which are the same under another name: first names that
 * are equal in NFC, then equal definitions, then names that differ in spelling only (`tavily-search`, `tavily_search`), then by likeness, the most
 * alike first. Deterministic, and each name is in one pair at most.
 */
export function findRenames(
  kind: ChangeKind,
  gone: ReadonlyMap<string, CapabilityRecord>,
  come: ReadonlyMap<string, CapabilityRecord>,
): Rename[] {
  if (gone.size === 0 || come.size === 0) return [];
  const old = new Map(sortedEntries(gone));
  const now = new Map(sortedEntries(come));
  const renames: Rename[] = [];
  const take = (from: string, to: string): void => {
    old.delete(from);
    now.delete(to);
    renames.push({ from, to });
  };
  const key = kind === 'resource' ? 'uri' : kind === 'resourceTemplate' ? 'uriTemplate' : 'name';
  // In two normal forms, a name is the same one: no list may hold both.
  pairUp(old, now, (name) => nfcText(name), take);
  pairUp(old, now, (_, record) => withoutKey(record, key), take);
  const bags = new Map<CapabilityRecord, Set<string>>();
  const like = (from: CapabilityRecord, to: CapabilityRecord): number =>
    likeness(bagOf(from, key, bags), bagOf(to, key, bags));
  pairUp(
    old,
    now,
    (name) => plainName(name),
    (from, to) => {
      const [a, b] = [old.get(from), now.get(to)];
      if (a && b && (!a.definition || !b.definition || like(a, b) >= ALIKE_BY_NAME)) take(from, to);
    },
  );
  if (old.size * now.size > MAX_PAIRS) return renames;
  const scored: [number, string, string][] = [];
  for (const [from, a] of old)
    for (const [to, b] of now) {
      const score = like(a, b);
      const words = Math.min(bagOf(a, key, bags).size, bagOf(b, key, bags).size);
      if (score >= ALIKE && words >= MIN_WORDS) scored.push([score, from, to]);
    }
  scored.sort(([x, a, c], [y, b, d]) => y - x || byCodeUnit(a, b) || byCodeUnit(c, d));
  for (const [, from, to] of scored) if (old.has(from) && now.has(to)) take(from, to);
  return renames;
}

/** Pairs what has the same key on both sides; several with one key are paired in the order of their names. */
function pairUp(
  old: ReadonlyMap<string, CapabilityRecord>,
  now: ReadonlyMap<string, CapabilityRecord>,
  keyOf: (name: string, record: CapabilityRecord) => string | undefined,
  pair: (from: string, to: string) => void,
): void {
  const places = new Map<string, string[]>();
  for (const [name, record] of now) {
    const key = keyOf(name, record);
    if (key === undefined) continue;
    const names = places.get(key);
    if (names) names.push(name);
    else places.set(key, [name]);
  }
  // Last first, so that taking one is cheap.
  for (const names of places.values()) names.reverse();
  for (const [name, record] of [...old]) {
    const key = keyOf(name, record);
    const to = key === undefined ? undefined : places.get(key)?.pop();
    if (to !== undefined) pair(name, to);
  }
}

/** The definition but for its name, as text; of a hash-only tool the hashes that say the same. */
function withoutKey(record: CapabilityRecord | ToolRecord, key: string): string | undefined {
  if (!record.definition) return undefined;
  const { [key]: _, ...rest } = record.definition;
  // A definition that is nothing but its name is equal to any other such.
  return Object.keys(rest).length === 0 ? undefined : stableText(rest);
}

/** `tavily-search`, `tavily_search` and `tavilySearch` are spelled alike. */
function plainName(name: string): string | undefined {
  const plain = nfcText(name)
    .toLowerCase()
    .replace(/[-_.\s]/g, '');
  return plain === '' ? undefined : plain;
}

function bagOf(record: CapabilityRecord, key: string, bags: Map<CapabilityRecord, Set<string>>): Set<string> {
  const known = bags.get(record);
  if (known) return known;
  const bag = new Set<string>();
  for (const [member, value] of Object.entries(record.definition ?? {}))
    if (member !== key && member !== 'annotations' && member !== 'execution') addWords(bag, member, value);
  bags.set(record, bag);
  return bag;
}

/** Words of texts, and paths of a schema down to its parameters. */
function addWords(bag: Set<string>, member: string, value: Json | undefined): void {
  if (typeof value === 'string') {
    for (const word of value
      .slice(0, 20_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,50}/gu) ?? []) {
      if (bag.size >= MAX_WORDS) return;
      bag.add(word);
    }
  } else if (isObject(value)) {
    const properties = own(value, 'properties');
    if (!isObject(properties)) return;
    for (const [name, schema] of Object.entries(properties)) {
      if (bag.size >= MAX_WORDS) return;
      bag.add(`${member}/${name}`);
      const type = isObject(schema) ? own(schema, 'type') : undefined;
      if (typeof type === 'string') bag.add(`${member}/${name}:${type}`);
    }
  }
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}
