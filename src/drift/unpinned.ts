import type { LockedServer } from '../lock/types.ts';
import type { Json } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { field } from './field.ts';
import { plain } from './server.ts';
import type { FieldChange } from './types.ts';

/**
 * What one lock of a server pins and the next one no longer does, each record at its own pointer. High: whatever the
 * server shows there from now on is compared with nothing, so a pull request that takes a record out of the lock
 * accepts every future text.
 */
export function unpinnedFields(before: LockedServer, after: LockedServer): FieldChange[] {
  const fields: FieldChange[] = [];
  const gone = (member: string, value: Json): void => {
    fields.push(field(`/${member}`, 'unpinned', value, undefined));
  };
  for (const member of ['launch', 'source'] as const) {
    const record = before[member];
    if (record !== undefined && after[member] === undefined) gone(member, plain(record));
  }
  const { instructions } = before;
  if (instructions !== undefined && after.instructions === undefined)
    gone('instructions', instructions && (instructions.text ?? instructions.hash));
  for (const member of ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const) {
    const records = before[member];
    // A lock of the base specification may hold the hash over all tools in place of them.
    if (records === undefined || after[member] !== undefined) continue;
    if (member !== 'tools' || after.toolSurfaceHash !== before.toolSurfaceHash)
      gone(member, [...records.keys()].sort(byCodeUnit));
  }
  if (!before.tools && !after.tools && before.toolSurfaceHash !== undefined && !after.toolSurfaceHash)
    gone('toolSurfaceHash', before.toolSurfaceHash);
  return fields;
}
