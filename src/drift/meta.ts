import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { field } from './field.ts';
import { severityOf } from './severity.ts';
import type { FieldChange } from './types.ts';

/** Keys of `_meta` that hosts act on: MCP Apps, ChatGPT, Claude (they hide tools, add UI, load always). */
const ACTED_ON = /^(ui$|ui\/|openai\/|anthropic\/)/;

/**
 * Differences of `_meta`, one field per key, at `/_meta/<key>`. A value that moved to another key as it is, as an SDK's
 * upgrade does, is one field at `/_meta`, with the two keys.
 */
export function compareMeta(before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (sameJson(before, after)) return [];
  const odd = [before, after].some((side) => side !== undefined && !isObject(side));
  if (odd) return [field('/_meta', 'meta-changed', before, after, 'medium')];
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const fields: FieldChange[] = [];
  const moved = movedKeys(old, now);
  for (const [from, to] of moved) fields.push(field('/_meta', 'meta-changed', from, to));
  const told = new Set(moved.flat());
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (told.has(key)) continue;
    const [a, b] = [own(old, key), own(now, key)];
    if (sameJson(a, b)) continue;
    const severity = ACTED_ON.test(key) ? 'medium' : severityOf('meta-changed', b);
    fields.push(field(`/_meta${pointer(key)}`, 'meta-changed', a, b, severity));
  }
  return fields.length > 0 ? fields : [field('/_meta', 'meta-changed', before, after)];
}

/** Pairs of a key that is gone and one that has come with the same value; never one that hosts act on. */
function movedKeys(old: JsonObject, now: JsonObject): [string, string][] {
  const only = (one: JsonObject, other: JsonObject): string[] =>
    Object.keys(one).filter((key) => !Object.hasOwn(other, key) && !ACTED_ON.test(key));
  const [gone, come] = [only(old, now), only(now, old)];
  const [from, to] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || from === undefined || to === undefined) return [];
  return sameJson(own(old, from), own(now, to)) ? [[from, to]] : [];
}
