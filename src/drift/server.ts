import type { LockedServer } from '../lock/types.ts';
import { type Json, type JsonObject, pointer, setOwn } from '../util/json.ts';
import { sortedEntries } from '../util/order.ts';
import { field } from './field.ts';
import { orderFields, worst } from './severity.ts';
import { skillValue } from './skill.ts';
import type { Change, FieldChange, FieldClass } from './types.ts';

/**
 * A server that is new or gone as one change: what is launched, its instructions, and every capability at
 * `/tools/<name>`, `/prompts/<name>` and so on. A new server is high: none of it was ever reviewed.
 */
export function wholeServer(
  server: string,
  before: LockedServer | undefined,
  after: LockedServer | undefined,
  accepted: boolean,
): Change | undefined {
  const entry = after ?? before;
  if (!entry) return undefined;
  const added = after !== undefined;
  const fields: FieldChange[] = [];
  const add = (at: string, fieldClass: FieldClass, value: Json, severity?: FieldChange['severity']): void => {
    const change = added
      ? field(at, fieldClass, undefined, value, severity)
      : field(at, fieldClass, value, undefined, 'low');
    fields.push(change);
  };
  if (entry.launch) add('/launch', 'launch-changed', plain(entry.launch), 'high');
  for (const [file, entries] of Object.entries(entry.gate ?? {}))
    if (entries !== null) add(pointer('gate', file), 'launch-changed', entries, 'medium');
  if (entry.source) add('/source', 'source-changed', plain(entry.source), 'high');
  if (entry.instructions)
    add(
      '/instructions',
      added ? 'text-added' : 'text-removed',
      entry.instructions.text ?? entry.instructions.hash,
    );
  for (const member of ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const)
    for (const [name, record] of sortedEntries(entry[member] ?? new Map()))
      add(
        pointer(member, name),
        'field-changed',
        member === 'skills' ? skillValue(record) : whole(record),
        'medium',
      );
  if (!entry.launch && !entry.source) add('', 'field-changed', server, 'high');
  return {
    server,
    kind: 'server',
    name: '',
    change: added ? 'added' : 'removed',
    severity: worst(fields.map((each) => each.severity)),
    accepted,
    fields: orderFields(fields),
  };
}

function whole(record: { definition?: JsonObject; meta?: Json; hash: string }): Json {
  if (!record.definition) return record.hash;
  if (record.meta === undefined) return record.definition;
  const copy = { ...record.definition };
  setOwn(copy, '_meta', record.meta);
  return copy;
}

/** A record as JSON: without the members that are undefined. */
export function plain(value: object): Json {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as JsonObject;
}
