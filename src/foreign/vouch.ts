import type { Surface } from '../capture/types.ts';
import { field, textField } from '../drift/field.ts';
import { orderFields, worst } from '../drift/severity.ts';
import type { Change, ChangeKind, FieldChange } from '../drift/types.ts';
import { wholeFields } from '../drift/whole.ts';
import { toolSurfaceHash } from '../lock/hash.ts';
import type { CapabilityKind, CapabilityRecord, LockedServer, ToolRecord } from '../lock/types.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import type { ForeignRecord, ForeignRule, ForeignServer } from './types.ts';

/** One server of which a foreign lock vouches for something. */
export interface VouchInput {
  key: string;
  foreign: ForeignServer;
  rule: ForeignRule;
  /** Raw, as the server sent it; absent for a skills folder. */
  surface?: Surface;
  /** What names are masked with when they are pinned. */
  mask?: (text: string) => string;
  /** The same, pinned. */
  entry: LockedServer;
}

export interface Vouched {
  /** What is vouched for, and nothing else. */
  entry: LockedServer;
  /** What differs from the foreign lock. */
  changes: Change[];
  /** Capabilities that match. */
  matched: number;
  /** What that program never looks at and this server has, in words. */
  unseen: string[];
}

const LISTS = [
  ['tool', 'tools'],
  ['prompt', 'prompts'],
  ['resource', 'resources'],
  ['resourceTemplate', 'resourceTemplates'],
  ['skill', 'skills'],
] as const;

const WORDS = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
  skills: 'skills',
} as const;

/** Verifies a live server by the foreign lock's own hash rule, and parts what matches from what does not. */
export function vouchServer(input: VouchInput): Vouched {
  const { entry: live, foreign } = input;
  const entry: LockedServer = {
    ...(live.config !== undefined && { config: live.config }),
    ...(live.transport !== undefined && { transport: live.transport }),
    ...(live.protocolVersion !== undefined && { protocolVersion: live.protocolVersion }),
    extra: {},
  };
  const result: Vouched = { entry, changes: [], matched: 0, unseen: [] };
  for (const [kind, list] of LISTS) {
    // Neither program asks a server for skills; what they list are a repository's.
    const asked = kind !== 'skill' || input.surface === undefined;
    const [theirs, ours] = [asked ? foreign.records.get(kind) : undefined, live[list]];
    if (theirs === undefined) {
      if (ours !== undefined && ours.size > 0) result.unseen.push(WORDS[list]);
    } else if (ours !== undefined) entry[list] = new ListVouch(kind, theirs, ours, input, result).run();
  }
  if (entry.tools !== undefined)
    entry.toolSurfaceHash = toolSurfaceHash([...entry.tools].map(([name, { hash }]) => [name, hash]));
  if (live.instructions) result.unseen.push('instructions');
  return result;
}

class ListVouch {
  private readonly kind: CapabilityKind;
  private readonly theirs: ReadonlyMap<string, ForeignRecord>;
  private readonly ours: ReadonlyMap<string, CapabilityRecord>;
  private readonly input: VouchInput;
  private readonly result: Vouched;
  private readonly kept = new Map<string, CapabilityRecord>();

  constructor(
    kind: CapabilityKind,
    theirs: ReadonlyMap<string, ForeignRecord>,
    ours: ReadonlyMap<string, CapabilityRecord>,
    input: VouchInput,
    result: Vouched,
  ) {
    this.kind = kind;
    this.theirs = theirs;
    this.ours = ours;
    this.input = input;
    this.result = result;
  }

  run(): Map<string, CapabilityRecord> {
    const seen = new Set<string>();
    const raws = rawsOf(this.kind, this.input, this.ours);
    for (const [name, record] of this.ours) {
      const raw = raws.get(name);
      const names = raw ? this.input.rule.namesOf(this.kind, raw) : [];
      const foreignName = names.find((one) => this.theirs.has(one) && !seen.has(one));
      const theirs = foreignName === undefined ? undefined : this.theirs.get(foreignName);
      if (foreignName !== undefined) seen.add(foreignName);
      if (raw === undefined || theirs === undefined)
        this.change(name, 'added', wholeFields(this.kind, record, 'added'));
      else this.compare(name, raw, theirs, record);
    }
    for (const [name, theirs] of this.theirs)
      if (!seen.has(name))
        this.change(name, 'removed', [
          field('', 'field-changed', theirs.description ?? theirs.hash ?? name, undefined, 'low'),
        ]);
    return this.kept;
  }

  private compare(name: string, raw: JsonObject, theirs: ForeignRecord, record: CapabilityRecord): void {
    const verdict = this.input.rule.vouch(theirs, raw);
    if (!verdict.matches) {
      const fields = verdict.differs.map((member) => differingField(member, theirs, raw, record));
      this.change(name, 'changed', fields);
      return;
    }
    const { record: pinned, left } = vouchedRecord(record, verdict.whole);
    for (const word of left) if (!this.result.unseen.includes(word)) this.result.unseen.push(word);
    this.kept.set(name, pinned);
    this.result.matched++;
  }

  private change(name: string, change: Change['change'], fields: FieldChange[]): void {
    this.result.changes.push(changeOf(this.input.key, this.kind, name, change, fields));
  }
}

/** A change that nobody has accepted. */
export function changeOf(
  server: string,
  kind: ChangeKind,
  name: string,
  change: Change['change'],
  fields: FieldChange[],
): Change {
  const severity = worst(fields.map((each) => each.severity));
  return { server, kind, name, change, severity, accepted: false, fields: orderFields(fields) };
}

/** The raw definitions by the name that the pinned record has. */
function rawsOf(
  kind: CapabilityKind,
  { surface, rule, mask }: VouchInput,
  ours: ReadonlyMap<string, CapabilityRecord>,
): Map<string, JsonObject> {
  const raws = new Map<string, JsonObject>();
  if (kind === 'skill') {
    for (const [name, record] of ours) {
      const text = skillText(record);
      const raw = text === undefined ? undefined : rule.skill?.(name, text);
      if (raw !== undefined) raws.set(name, raw);
    }
    return raws;
  }
  const [list, member] = RAW[kind];
  const pinnedName = mask ?? ((name: string) => name);
  for (const raw of surface?.[list] ?? []) {
    const name = isObject(raw) ? own(raw, member) : undefined;
    if (isObject(raw) && typeof name === 'string') raws.set(pinnedName(name), raw);
  }
  return raws;
}

const RAW = {
  tool: ['tools', 'name'],
  prompt: ['prompts', 'name'],
  resource: ['resources', 'uri'],
  resourceTemplate: ['resourceTemplates', 'uriTemplate'],
} as const;

/** The text of a repository skill's `SKILL.md`. */
function skillText(record: CapabilityRecord): string | undefined {
  const head = record.files?.get('SKILL.md')?.head;
  const body = record.definition && own(record.definition, 'body');
  return head === undefined || typeof body !== 'string' ? undefined : head + body;
}

function differingField(
  member: '' | 'description' | 'inputSchema',
  theirs: ForeignRecord,
  raw: JsonObject,
  record: CapabilityRecord,
): FieldChange {
  const now: Json | undefined =
    member === '' ? record.definition : record.definition && own(record.definition, member);
  if (member === 'description' && theirs.description !== undefined)
    return textField('/description', theirs.description, own(raw, 'description'));
  const fieldClass =
    member === '' ? 'field-changed' : member === 'description' ? 'text-changed' : 'schema-changed';
  const at = member === '' ? '' : `/${member}`;
  return { ...field(at, fieldClass, undefined, now, 'medium'), beforeUnknown: true };
}

/** Members that the hashes of a lock of the base specification cover. */
const BASE_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'inputSchema']);

/** The record without what is not vouched for, and words for what was left out. */
function vouchedRecord(record: ToolRecord, whole: boolean): { record: ToolRecord; left: string[] } {
  const {
    meta,
    metaHash,
    content,
    contentHash,
    contentSize,
    definition,
    definitionHash,
    bundleHash,
    files,
    ...hashes
  } = record;
  const left = [
    ...(meta === undefined ? [] : ['_meta']),
    ...(contentHash === undefined ? [] : ['contents of UI resources']),
  ];
  if (files !== undefined) {
    // Only SKILL.md is hashed by others, without its mode.
    if (files.size === 1 && files.get('SKILL.md')?.mode === 'file') return { record, left };
    return {
      record: { ...hashes, ...(definition && { definition }) },
      left: [...left, 'other files of skills'],
    };
  }
  const covered =
    whole ||
    (meta === undefined && Object.keys(definition ?? {}).every((member) => BASE_MEMBERS.has(member)));
  if (!covered)
    return {
      record: hashes,
      left: [...left, 'titles, annotations and output schemas'],
    };
  return {
    record: { ...hashes, ...(definition && { definition }), ...(definitionHash && { definitionHash }) },
    left,
  };
}
