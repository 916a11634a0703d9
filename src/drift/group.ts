import type { Severity } from '../config/types.ts';
import { type Json, pointerTokens } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { stableText } from './equal.ts';
import { severityRank, worst } from './severity.ts';

/** A field change, or its like in a report. */
export interface GroupField {
  pointer: string;
  class: string;
  severity: Severity;
  before?: Json;
  after?: Json;
  beforeUnknown?: true;
}

/** A change, or its like in a report. */
export interface GroupChange {
  server: string;
  kind: string;
  name: string;
  change: string;
  severity: Severity;
  accepted: boolean;
  fields: readonly GroupField[];
}

/**
 * What is told in one piece. `single`: one capability, with the fields that no other group has. `same`: one field
 * change that several capabilities share. `plumbing`: all schema plumbing of a server's capabilities of one kind.
 */
export interface ChangeGroup<C extends GroupChange = GroupChange> {
  type: 'single' | 'same' | 'plumbing';
  server: string;
  kind: C['kind'];
  accepted: boolean;
  /** The worst of its fields; of a `single`, that of the change when none of its fields is told elsewhere. */
  severity: Severity;
  /** The capabilities' names, in code-unit order. */
  names: string[];
  /** Of a `single`: the change itself. Its `fields` may hold more than the group's. */
  change?: C;
  /**
   * The fields to show. Of `same` and `plumbing`: each different one once (with several pointers in a `same`, the same
   * change stands at each of them).
   */
  fields: C['fields'][number][];
  /** Who has which of the fields: all of them, so that nothing is told twice or never. */
  members: { change: C; field: C['fields'][number] }[];
}

/** From so many capabilities on, an equal field change is told once. */
const MIN_NAMES = 2;

/**
 * Sorts fields into groups, so that an SDK upgrade which touches every tool is one line and does not bury the one
 * change that matters. Every field of every change is a member of exactly one group. Worst first; among equals a
 * single capability before a group, plumbing last; then by server, kind and name.
 */
export function groupChanges<C extends GroupChange>(changes: readonly C[]): ChangeGroup<C>[] {
  const shared = new Map<string, ChangeGroup<C>['members']>();
  const left: { change: C; fields: C['fields'][number][] }[] = [];
  for (const change of changes) {
    const rest: C['fields'][number][] = [];
    for (const field of change.fields) {
      const key = keyOf(change, field);
      if (key === undefined) {
        rest.push(field);
        continue;
      }
      const members = shared.get(key);
      if (members) members.push({ change, field });
      else shared.set(key, [{ change, field }]);
    }
    left.push({ change, fields: rest });
  }
  const groups: ChangeGroup<C>[] = [];
  const alone = new Map<C, Set<GroupField>>();
  for (const members of shared.values()) {
    const plumbing = isPlumbing(members[0]?.field);
    const names = new Set(members.map(({ change }) => change.name));
    if (plumbing || names.size >= MIN_NAMES)
      groups.push(sharedGroup(members, plumbing ? 'plumbing' : 'same'));
    else
      for (const { change, field } of members) {
        const fields = alone.get(change);
        if (fields) fields.add(field);
        else alone.set(change, new Set([field]));
      }
  }
  for (const { change, fields } of left) {
    const single = new Set<GroupField>([...fields, ...(alone.get(change) ?? [])]);
    if (single.size > 0 || change.fields.length === 0) groups.push(singleGroup(change, single));
  }
  return groups.sort(byWeight);
}

function keyOf(change: GroupChange, field: GroupField): string | undefined {
  if (change.change !== 'changed' && change.change !== 'renamed') return undefined;
  if (change.kind === 'server' || change.kind === 'instructions') return undefined;
  if (change.change === 'renamed' && /^\/(name|uri|uriTemplate)$/.test(field.pointer)) return undefined;
  const place = [change.accepted, change.server, change.kind];
  if (isPlumbing(field)) return JSON.stringify([...place, 'plumbing']);
  return JSON.stringify([
    ...place,
    field.class,
    field.severity,
    field.beforeUnknown === true,
    nameFree(field.pointer),
    stableText(field.before),
    stableText(field.after),
  ]);
}

function isPlumbing(field: GroupField | undefined): boolean {
  return field?.class === 'schema-plumbing' && severityRank(field.severity) >= severityRank('low');
}

/** Keywords whose members are named or numbered by the server's author. */
const NAMES = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
const PLACES = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'arguments']);

/** The pointer with names and places on the way left out; its last token always stays. */
function nameFree(pointer: string): string {
  const tokens = pointerTokens(pointer);
  for (let i = 0; i + 2 < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (NAMES.has(token) || (PLACES.has(token) && /^\d+$/.test(tokens[i + 1] ?? ''))) tokens[++i] = '*';
  }
  return tokens.join('\n');
}

function sharedGroup<C extends GroupChange>(
  members: ChangeGroup<C>['members'],
  type: 'same' | 'plumbing',
): ChangeGroup<C> {
  const change = members[0]?.change as C;
  const distinct = new Map<string, C['fields'][number]>();
  for (const { field } of members) {
    // All but the pointer is equal in a `same`.
    const key =
      type === 'same'
        ? field.pointer
        : JSON.stringify([field.pointer, stableText(field.before), stableText(field.after)]);
    if (!distinct.has(key)) distinct.set(key, field);
  }
  return {
    type,
    server: change.server,
    kind: change.kind,
    accepted: change.accepted,
    severity: worst(members.map(({ field }) => field.severity)),
    names: [...new Set(members.map((member) => member.change.name))].sort(byCodeUnit),
    fields: [...distinct.values()].sort((a, b) => byCodeUnit(a.pointer, b.pointer)),
    members,
  };
}

function singleGroup<C extends GroupChange>(change: C, single: ReadonlySet<GroupField>): ChangeGroup<C> {
  // A finding can have raised a field after the change was put in order.
  const fields = change.fields
    .filter((field) => single.has(field))
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
  const whole = fields.length === change.fields.length;
  return {
    type: 'single',
    server: change.server,
    kind: change.kind,
    accepted: change.accepted,
    severity: whole ? change.severity : worst(fields.map((field) => field.severity)),
    names: [change.name],
    change,
    fields,
    members: fields.map((field) => ({ change, field })),
  };
}

const TYPES = ['single', 'same', 'plumbing'];

function byWeight(a: ChangeGroup, b: ChangeGroup): number {
  return (
    Number(a.accepted) - Number(b.accepted) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
    byCodeUnit(a.server, b.server) ||
    byCodeUnit(a.kind, b.kind) ||
    byCodeUnit(a.names[0] ?? '', b.names[0] ?? '') ||
    byCodeUnit(a.fields[0]?.pointer ?? '', b.fields[0]?.pointer ?? '')
  );
}
