import { isObject, type Json, type JsonObject } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';

/** A run of combining marks longer than any sane text has (UAX #15 calls 30 the limit); normalising it takes minutes. */
const MAX_MARKS = 1_024;

/** True when both are the same JSON value; the order of keys does not count. Any depth: an explicit stack. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return same(a, b, (text) => text);
}

/** As {@link sameJson}, with every string and key in Unicode NFC first. */
export function sameInNfc(a: Json | undefined, b: Json | undefined): boolean {
  return same(a, b, nfcText);
}

/** A text in NFC; one with an absurd run of combining marks is given back as it is. */
export function nfcText(text: string): string {
  for (const [run] of text.matchAll(/\p{M}+/gu)) if (run.length > MAX_MARKS) return text;
  return text.normalize('NFC');
}

function same(first: Json | undefined, second: Json | undefined, map: (text: string) => string): boolean {
  const stack: [Json | undefined, Json | undefined][] = [[first, second]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a === 'string' && typeof b === 'string') {
      if (map(a) !== map(b)) return false;
    } else if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) stack.push([a[i], b[i]]);
    } else if (isObject(a)) {
      if (!isObject(b) || !pushMembers(stack, a, b, map)) return false;
    } else return false;
  }
  return true;
}

function pushMembers(
  stack: [Json | undefined, Json | undefined][],
  a: JsonObject,
  b: JsonObject,
  map: (text: string) => string,
): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  let mapped: Map<string, Json | undefined> | undefined;
  for (const key of keys) {
    if (Object.hasOwn(b, key)) stack.push([a[key], b[key]]);
    else {
      mapped ??= new Map(others.map((other) => [map(other), b[other]]));
      const name = map(key);
      if (!mapped.has(name)) return false;
      stack.push([a[key], mapped.get(name)]);
    }
  }
  return true;
}

/** The value as text with sorted keys: equal values give equal text. For keys of maps, never for hashing. */
export function stableText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  const members = Object.keys(value)
    .sort(byCodeUnit)
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${members.join(',')}}`;
}
