import type { Severity } from '../config/types.ts';
import type { CapabilityRecord, InstructionsRecord } from '../lock/types.ts';
import { append } from '../util/append.ts';
import { isObject, type Json, pointer } from '../util/json.ts';
import { compareMember } from './definition.ts';
import { nfcText } from './equal.ts';
import { field, textField } from './field.ts';
import { compareRecords } from './record.ts';
import { hasProse, orderFields, severityRank } from './severity.ts';
import { bundleFields } from './skill.ts';
import type { Change, ChangeKind, FieldChange } from './types.ts';

/** Whether instructions came, went or changed. */
export function kindOfChange(
  before: InstructionsRecord | null,
  after: InstructionsRecord | null,
): Change['change'] {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}

/** The change of a server's instructions at `/text`; `null` is none. A hash stands in for a text that is not kept. */
export function instructionsFields(
  before: InstructionsRecord | null,
  after: InstructionsRecord | null,
): FieldChange[] {
  if (before === null || after === null) {
    if (before === after) return [];
    return [textField('/text', textOf(before), textOf(after))];
  }
  const [old, now] = [before.text, after.text];
  if (old !== undefined && now !== undefined && old !== now) return [textField('/text', old, now)];
  if (before.hash === after.hash) return [];
  if (old !== undefined) return [textField('/text', old, now ?? after.hash)];
  const { before: _, ...change } = textField('/text', before.hash, now ?? after.hash);
  return [{ ...change, beforeUnknown: true }];
}

function textOf(record: InstructionsRecord | null): Json | undefined {
  return record ? (record.text ?? record.hash) : undefined;
}

/** Every top-level member of a capability that is new or gone. */
export function wholeFields(
  kind: ChangeKind,
  record: CapabilityRecord,
  change: 'added' | 'removed',
): FieldChange[] {
  const fields: FieldChange[] = [];
  const sides = (value: Json): [Json | undefined, Json | undefined] =>
    change === 'added' ? [undefined, value] : [value, undefined];
  for (const [member, value] of Object.entries(record.definition ?? {})) {
    if (member === 'name' && kind !== 'resource' && kind !== 'resourceTemplate') continue;
    if (member === 'uri' || member === 'uriTemplate') continue;
    if (member === 'annotations' || member === 'arguments')
      fields.push(field(pointer(member), 'field-changed', ...sides(value), weight(member, value)));
    else append(fields, compareMember(kind, member, ...sides(value)));
  }
  const meta = record.meta ?? record.metaHash;
  if (meta !== undefined) fields.push(field('/_meta', 'meta-changed', ...sides(meta)));
  if (kind === 'skill') append(fields, bundleFields(record, change));
  if (fields.length === 0)
    fields.push(field('', 'field-changed', ...sides(record.definition ?? record.hash)));
  if (change === 'removed') return fields.map((each) => ({ ...each, severity: 'low' }));
  // Something that was never reviewed is offered to the model, whatever it says of itself.
  return atLeastMedium(fields);
}

/** A title of three words is no sentence. */
function weight(member: string, value: Json): Severity | undefined {
  if (member !== 'annotations' || !isObject(value)) return undefined;
  const { title, ...rest } = value;
  return hasProse(rest) ? 'medium' : 'low';
}

function atLeastMedium(fields: FieldChange[]): FieldChange[] {
  const [first, ...rest] = orderFields(fields);
  if (!first || severityRank(first.severity) <= severityRank('medium')) return fields;
  return [{ ...first, severity: 'medium' }, ...rest];
}

/** What differs between two capabilities under two names: the name first. */
export function renamedFields(
  kind: ChangeKind,
  from: string,
  to: string,
  before: CapabilityRecord,
  after: CapabilityRecord,
): FieldChange[] {
  const key = kind === 'resource' ? '/uri' : kind === 'resourceTemplate' ? '/uriTemplate' : '/name';
  const fields = compareRecords(kind, before, after).fields.filter((each) => each.pointer !== key);
  const encoding = nfcText(from) === nfcText(to);
  const name = encoding
    ? field(key, 'encoding-only', from, to)
    : field(key, 'field-changed', from, to, 'medium');
  return [name, ...fields];
}
