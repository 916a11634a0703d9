import type { LockedServer } from '../lock/types.ts';
import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { sameJson } from './equal.ts';
import { field } from './field.ts';
import { withoutRelease } from './launch.ts';
import type { FieldChange } from './types.ts';

/** AgentGate's own package, as a launcher's argument names it. */
const OWN = { type: 'npm' as const, package: '@agentgate/agentgate' };

/**
 * How clients start the server through AgentGate's proxy: an entry that was taken away, that goes around it, or that asks
 * for something else (another lock, no isolation) is a change at `/gate/<config>/<entry>`. Another release of it is none. Of
 * a live server only configs that were read are compared; between two locks all.
 */
export function gateFields(before: LockedServer, after: LockedServer, locks: boolean): FieldChange[] {
  if (before.launch === undefined || (after.gate === undefined && !locks)) return [];
  const fields: FieldChange[] = [];
  const [old, now] = [before.gate ?? {}, after.gate ?? {}];
  for (const file of [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(byCodeUnit)) {
    if (!locks && !Object.hasOwn(now, file)) continue;
    const [was, is] = [entriesOf(old, file), entriesOf(now, file)];
    for (const name of [...new Set([...Object.keys(was), ...Object.keys(is)])].sort(byCodeUnit)) {
      const [a, b] = [own(was, name), own(is, name)];
      append(fields, entryFields(pointer('gate', file, name), a, b));
    }
  }
  return fields;
}

/** Member by member, where the entry is there before and after, or is new: a reader is to see how the proxy is started. */
function entryFields(at: string, a: Json | undefined, b: Json | undefined): FieldChange[] {
  if (sameJson(comparable(a), comparable(b))) return [];
  if (a === undefined && isObject(b) && own(b, 'direct') !== true)
    return Object.keys(b)
      .sort(byCodeUnit)
      .map((member) => field(at + pointer(member), 'launch-changed', undefined, own(b, member), 'medium'));
  if (!isObject(a) || !isObject(b) || own(a, 'direct') !== own(b, 'direct'))
    return [field(at, 'launch-changed', a, b, 'high')];
  const [old, now] = [comparable(a), comparable(b)] as [JsonObject, JsonObject];
  const members = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(byCodeUnit);
  return members
    .filter((member) => !sameJson(own(old, member), own(now, member)))
    .map((member) => field(at + pointer(member), 'launch-changed', own(a, member), own(b, member), 'high'));
}

function entriesOf(record: JsonObject, file: string): JsonObject {
  const entries = own(record, file);
  return isObject(entries) ? entries : {};
}

function comparable(entry: Json | undefined): Json {
  if (!isObject(entry)) return entry ?? null;
  const args = own(entry, 'args');
  if (!Array.isArray(args)) return entry;
  return { ...entry, args: args.map((arg) => (typeof arg === 'string' ? withoutRelease(arg, OWN) : arg)) };
}
