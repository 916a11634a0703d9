import type { CapabilityRecord, Hash, ToolRecord } from '../lock/types.ts';
import { append } from '../util/append.ts';
import { type Json, type JsonObject, own } from '../util/json.ts';
import { compareDefinitions } from './definition.ts';
import { field } from './field.ts';
import { compareMeta } from './meta.ts';
import { severityOf } from './severity.ts';
import { compareBundles } from './skill.ts';
import type { ChangeKind, FieldChange, FieldClass } from './types.ts';

export interface RecordDiff {
  fields: FieldChange[];
  /** True when `before` pins less of the capability than there is: a lock of the base specification. */
  partly: boolean;
  /** Paths of a skill's files that differ in their line ends only. */
  lineEnds?: string[];
}

/** The differences of one capability's two records, whatever each of them holds: definitions, or hashes alone. */
export function compareRecords(
  kind: ChangeKind,
  before: CapabilityRecord | ToolRecord,
  after: CapabilityRecord | ToolRecord,
): RecordDiff {
  const fields: FieldChange[] = [];
  let partly = false;
  if (before.definition && after.definition) {
    append(fields, compareDefinitions(kind, before.definition, after.definition));
    // Equal definitions under another hash: one of the two records is not what it says.
    if (fields.length === 0 && !sameHashes(before, after))
      fields.push(field('', 'field-changed', before.hash, after.hash, 'medium'));
  } else {
    const found = compareHashes(before, after);
    append(fields, found.fields);
    partly = found.partly;
  }
  append(fields, [...compareMetaRecords(before, after, partly), ...compareContents(before, after)]);
  partly ||= before.contentHash === undefined && after.contentHash !== undefined;
  if (kind !== 'skill') return { fields, partly };
  const bundle = compareBundles(before, after);
  append(fields, bundle.fields);
  return { fields, partly: partly || bundle.partly, lineEnds: bundle.lineEnds };
}

function sameHashes(before: ToolRecord, after: ToolRecord): boolean {
  if (before.hash !== after.hash) return false;
  const [old, now] = [before.definitionHash, after.definitionHash];
  return old === undefined || now === undefined || old === now;
}

/** What reading a UI resource gave: only its hash and size are kept. One that the lock lacks is not pinned yet. */
function compareContents(before: CapabilityRecord, after: CapabilityRecord): FieldChange[] {
  const [old, now] = [before.contentHash, after.contentHash];
  if (old === undefined || old === now) return [];
  const severity = now === undefined ? 'low' : 'medium';
  return [field('/content', 'field-changed', contentFacts(before), contentFacts(after), severity)];
}

/** All that is known of a content: "12 bytes, sha256:…"; of a lock of an older release the hash alone. */
function contentFacts({ contentHash, contentSize }: CapabilityRecord): string | undefined {
  if (contentHash === undefined || contentSize === undefined) return contentHash;
  return `${contentSize} bytes, ${contentHash}`;
}

const MEMBERS: readonly (readonly ['description' | 'inputSchema', 'descriptionHash' | 'inputSchemaHash'])[] =
  [
    ['description', 'descriptionHash'],
    ['inputSchema', 'inputSchemaHash'],
  ];

function compareHashes(before: ToolRecord, after: ToolRecord): RecordDiff {
  const fields: FieldChange[] = [];
  if (before.hash !== after.hash) {
    // Without the hashes of members nothing says which of them an absent hash stands for.
    const byMember = before.nameHash !== undefined && after.nameHash !== undefined;
    for (const [member, name] of byMember ? MEMBERS : []) {
      const [old, now] = [before[name], after[name]];
      if (old !== now) fields.push(memberField(member, before, after, old, now));
    }
    if (fields.length === 0)
      fields.push(unknownField('', 'field-changed', before, after.definition ?? after.hash));
    return { fields, partly: false };
  }
  const [old, now] = [before.definitionHash, after.definitionHash];
  if (old !== undefined && now !== undefined) {
    if (old !== now) fields.push(unknownField('', 'field-changed', before, restOf(after.definition) ?? now));
    return { fields, partly: false };
  }
  // A lock from which the definitions were taken out pins less than the one before it.
  const whole = old !== undefined || (before.definition !== undefined && before.nameHash !== undefined);
  if (whole && now === undefined && !after.definition)
    fields.push(field('', 'unpinned', before.definition ?? old, undefined));
  return { fields, partly: old === undefined && now !== undefined };
}

function memberField(
  member: 'description' | 'inputSchema',
  before: ToolRecord,
  after: ToolRecord,
  old: Hash | undefined,
  now: Hash | undefined,
): FieldChange {
  const text = member === 'description';
  const fieldClass: FieldClass = !text
    ? 'schema-changed'
    : old === undefined
      ? 'text-added'
      : now === undefined
        ? 'text-removed'
        : 'text-changed';
  const value = now === undefined ? undefined : shown(after.definition, member, now);
  const was = old === undefined ? undefined : shown(before.definition, member, old);
  const change = field(`/${member}`, fieldClass, was, value);
  if (old === undefined || before.definition) return change;
  const { before: hash, ...rest } = change;
  return { ...rest, beforeUnknown: true };
}

function shown(definition: JsonObject | undefined, member: string, hash: Hash): Json {
  return (definition && own(definition, member)) ?? hash;
}

/** A change of which only hashes tell: `after` is what there is now, as far as it is known. */
function unknownField(
  at: string,
  fieldClass: FieldClass,
  before: CapabilityRecord,
  after: Json,
): FieldChange {
  const severity = severityOf('text-changed');
  if (before.definition) return field(at, fieldClass, before.definition, after, severity);
  return { ...field(at, fieldClass, undefined, after, severity), beforeUnknown: true };
}

/** What the hash of name, description and input schema does not cover. */
function restOf(definition: JsonObject | undefined): JsonObject | undefined {
  if (!definition) return undefined;
  const { name, description, inputSchema, ...rest } = definition;
  return rest;
}

function compareMetaRecords(
  before: CapabilityRecord,
  after: CapabilityRecord,
  partly: boolean,
): FieldChange[] {
  if (before.metaHash === after.metaHash && (before.meta === undefined) === (after.meta === undefined))
    return before.meta === undefined ? [] : compareMeta(before.meta, after.meta);
  if (before.metaHash === undefined && before.meta === undefined) {
    // A record of the base specification never has one: that is not pinned, not gone.
    if (partly || !pinsMeta(before)) return [];
    return compareMeta(undefined, after.meta ?? after.metaHash);
  }
  if (before.meta !== undefined) {
    if (after.meta === undefined && after.metaHash === before.metaHash) return [];
    return compareMeta(before.meta, after.meta ?? after.metaHash);
  }
  if (before.metaHash === after.metaHash) return [];
  const change = field('/_meta', 'meta-changed', undefined, after.meta ?? after.metaHash, 'medium');
  return [{ ...change, beforeUnknown: true }];
}

function pinsMeta(record: ToolRecord): boolean {
  return record.definition !== undefined || record.definitionHash !== undefined;
}
