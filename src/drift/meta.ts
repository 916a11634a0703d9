import { isObject, type Json, own, pointer } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { field } from './field.ts';
import { severityOf } from './severity.ts';
import type { FieldChange } from './types.ts';

/** Keys of `_meta` that hosts act on: MCP Apps, ChatGPT, Claude (they hide tools, add UI, load always). */
const ACTED_ON = /^(ui$|ui\/|openai\/|anthropic\/)/;

/** Differences of `_meta`, one field per key, at `/_meta/<key>`. */
export function compareMeta(before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (sameJson(before, after)) return [];
  const odd = [before, after].some((side) => side !== undefined && !isObject(side));
  if (odd) return [field('/_meta', 'meta-changed', before, after, 'medium')];
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [a, b] = [own(old, key), own(now, key)];
    if (sameJson(a, b)) continue;
    const severity = ACTED_ON.test(key) ? 'medium' : severityOf('meta-changed', b);
    fields.push(field(`/_meta${pointer(key)}`, 'meta-changed', a, b, severity));
  }
  return fields.length > 0 ? fields : [field('/_meta', 'meta-changed', before, after)];
}
