import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { stableText } from './equal.ts';
import type { Rewrite, SchemaWalk } from './schema-walk.ts';

/** Pairs of branches whose likeness is worked out; with more, only equal branches are matched. */
const MAX_PAIRS = 900;

/** From this likeness on, a branch is the other one, changed. */
const ALIKE = 0.3;

/** Leaves of a branch that count for its likeness. */
const MAX_LEAVES = 200;

/**
 * `anyOf`, `oneOf`, `allOf`: branches are matched by likeness, whatever their order, and compared; one without a
 * partner is `composition-changed`, as is a list that comes or goes.
 */
export function compareComposition(
  walk: SchemaWalk,
  a: Json | undefined,
  b: Json | undefined,
  at: string,
  depth: number,
): void {
  if (!Array.isArray(a) || !Array.isArray(b)) {
    walk.add(at, 'composition-changed', a, b);
    return;
  }
  const texts = [a.map(stableText), b.map(stableText)] as const;
  for (const text of texts.flat()) walk.text -= text.length;
  if (walk.text < 0) {
    walk.add(at, 'composition-changed', a, b);
    return;
  }
  const { pairs, gone, come } = match(walk, a, b, texts);
  for (const i of gone) walk.add(at + pointer(i), 'composition-changed', a[i], undefined);
  for (const i of come) walk.add(at + pointer(i), 'composition-changed', undefined, b[i]);
  const fieldsBefore = walk.fields.length;
  for (const [i, j] of pairs) walk.compare(walk, a[i] as Json, b[j] as Json, at + pointer(j), depth + 1);
  // Only the order differs.
  if (gone.length + come.length === 0 && walk.fields.length === fieldsBefore)
    walk.add(at, 'schema-plumbing', a, b);
}

function match(
  walk: SchemaWalk,
  a: readonly Json[],
  b: readonly Json[],
  [old, now]: readonly [readonly string[], readonly string[]],
): { pairs: [number, number][]; gone: number[]; come: number[] } {
  const pairs: [number, number][] = [];
  const places = new Map<string, number[]>();
  now.forEach((text, j) => {
    const list = places.get(text);
    if (list) list.push(j);
    else places.set(text, [j]);
  });
  const gone = new Set<number>();
  const come = new Set(b.keys());
  // Last first, so that taking one is cheap.
  for (const list of places.values()) list.reverse();
  old.forEach((text, i) => {
    const j = places.get(text)?.pop();
    if (j === undefined) gone.add(i);
    else {
      come.delete(j);
      pairs.push([i, j]);
    }
  });
  walk.left -= a.length + b.length;
  if (gone.size * come.size <= MAX_PAIRS) append(pairs, matchAlike(walk, a, b, gone, come));
  return { pairs, gone: [...gone], come: [...come] };
}

/** The most alike first; takes what it pairs out of `gone` and `come`. */
function matchAlike(
  walk: SchemaWalk,
  a: readonly Json[],
  b: readonly Json[],
  gone: Set<number>,
  come: Set<number>,
): [number, number][] {
  const old = new Map([...gone].map((i) => [i, leaves(a[i])]));
  const now = new Map([...come].map((j) => [j, leaves(b[j])]));
  const scored: [number, number, number][] = [];
  for (const [i, mine] of old) for (const [j, other] of now) scored.push([likeness(mine, other), i, j]);
  walk.left -= scored.length;
  scored.sort(([x, i, j], [y, k, l]) => y - x || i - k || j - l);
  const pairs: [number, number][] = [];
  for (const [score, i, j] of scored) {
    if (score < ALIKE || !gone.has(i) || !come.has(j)) continue;
    gone.delete(i);
    come.delete(j);
    pairs.push([i, j]);
  }
  return pairs;
}

function leaves(schema: Json | undefined): Set<string> {
  const found = new Set<string>();
  const stack: [string, Json | undefined][] = [['', schema]];
  while (stack.length > 0 && found.size < MAX_LEAVES) {
    const [path, node] = stack.pop() ?? ['', null];
    if (typeof node === 'object' && node !== null) {
      found.add(path);
      for (const [key, member] of Object.entries(node)) stack.push([`${path}/${key}`, member]);
    } else found.add(`${path}=${String(node).slice(0, 200)}`);
  }
  return found;
}

function likeness(a: Set<string>, b: Set<string>): number {
  let shared = 0;
  for (const leaf of a) if (b.has(leaf)) shared++;
  return (2 * shared) / (a.size + b.size);
}

/**
 * One schema became one of several alternatives, or back: the whole is `composition-changed`, and the branch that is
 * still recognisable is compared. False when this is not so.
 */
export const wrapped: Rewrite = (walk, before, after, at, depth) => {
  for (const key of ['anyOf', 'oneOf']) {
    const [a, b] = [own(before, key), own(after, key)];
    if ((a === undefined) === (b === undefined)) continue;
    const branches = a ?? b;
    const single = a === undefined ? before : after;
    const whole = a === undefined ? after : before;
    // What stays beside the list is no part of the branch.
    const inner: JsonObject = Object.fromEntries(
      Object.entries(single).filter(([name]) => !Object.hasOwn(whole, name)),
    );
    if (!Array.isArray(branches) || Object.keys(inner).length === 0) continue;
    const best = bestBranch(inner, branches);
    if (best === undefined) continue;
    walk.add(at, 'composition-changed', before, after);
    const branch = branches[best] as Json;
    const here = `${at}/${key}/${best}`;
    if (a === undefined) walk.compare(walk, inner, branch, here, depth + 1);
    else walk.compare(walk, branch, inner, at, depth + 1);
    return true;
  }
  return false;
};

function bestBranch(single: JsonObject, branches: readonly Json[]): number | undefined {
  if (branches.length > MAX_PAIRS) return undefined;
  const mine = leaves(single);
  let best: number | undefined;
  let score = ALIKE;
  branches.forEach((branch, i) => {
    const alike = isObject(branch) ? likeness(mine, leaves(branch)) : 0;
    if (alike > score) {
      best = i;
      score = alike;
    }
  });
  return best;
}
