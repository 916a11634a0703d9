import type { CapabilityRecord, InstructionsRecord, Lock, LockedServer } from '../lock/types.ts';
import { listed } from '../util/listed.ts';
import { byCodeUnit, sortedEntries } from '../util/order.ts';
import { field } from './field.ts';
import { gateFields } from './gate.ts';
import { hideCredentials, hideInInstructions, hideInServer, hideInText } from './hide-credentials.ts';
import { compareLaunch } from './launch.ts';
import { compareRecords, type RecordDiff } from './record.ts';
import { releaseNotes } from './release-notes.ts';
import { findRenames } from './rename.ts';
import { wholeServer } from './server.ts';
import { orderChanges, orderFields, worst } from './severity.ts';
import type { Change, ChangeKind, FieldChange } from './types.ts';
import { unpinnedFields } from './unpinned.ts';
import { instructionsFields, kindOfChange, renamedFields, wholeFields } from './whole.ts';

export interface CompareOptions {
  /** True for base lock against head lock: what a pull request accepts. */
  accepted: boolean;
  /** Both sides are locks: a record that `after` lacks is then given up, where a live surface was not asked for it. */
  locks?: boolean;
}

export interface CompareInfo {
  code: string;
  server: string;
  message: string;
}

export interface Comparison {
  changes: Change[];
  info: CompareInfo[];
}

/** The records of a server that hold capabilities by name, and their kind. */
const RECORDS = [
  ['tool', 'tools', 'tools'],
  ['prompt', 'prompts', 'prompts'],
  ['resource', 'resources', 'resources'],
  ['resourceTemplate', 'resourceTemplates', 'resource templates'],
  ['skill', 'skills', 'skills'],
] as const;

/**
 * Compares two locks, server by server. A lock that is absent holds no server. Changes are in the order of
 * `orderChanges`.
 */
export function compareLocks(
  before: Lock | undefined,
  after: Lock | undefined,
  options: CompareOptions,
): Comparison {
  const names = new Set([...(before?.servers.keys() ?? []), ...(after?.servers.keys() ?? [])]);
  const result: Comparison = { changes: [], info: [] };
  for (const name of [...names].sort(byCodeUnit)) {
    const { changes, info } = compareServer(name, before?.servers.get(name), after?.servers.get(name), {
      ...options,
      locks: true,
    });
    for (const change of changes) result.changes.push(change);
    for (const item of info) result.info.push(item);
  }
  return { ...result, changes: orderChanges(result.changes) };
}

/**
 * Compares one server's two entries. `before` absent: a new server; `after` absent: one that is gone; each is one
 * change of kind `server` with its capabilities among the fields. A record that `before` lacks is not pinned yet: info
 * `not-pinned`, no change. What differs always gives a change, and every change has at least one field.
 */
export function compareServer(
  server: string,
  before: LockedServer | undefined,
  after: LockedServer | undefined,
  options: CompareOptions,
): Comparison {
  if (!before || !after) {
    const [old, now] = [before && hideInServer(before), after && hideInServer(after)];
    const change = wholeServer(server, old, now, options.accepted);
    return { changes: change ? [change] : [], info: [] };
  }
  return new ServerComparison(server, before, after, options).run();
}

class ServerComparison {
  private readonly changes: Change[] = [];
  private readonly info: CompareInfo[] = [];
  /** What the lock does not pin yet, in words. */
  private readonly open: string[] = [];
  /** Capabilities whose credential the lock holds as it is, in words. */
  private readonly bare: string[] = [];
  private readonly server: string;
  private readonly before: LockedServer;
  private readonly after: LockedServer;
  private readonly options: CompareOptions;

  constructor(server: string, before: LockedServer, after: LockedServer, options: CompareOptions) {
    this.server = server;
    this.before = before;
    this.after = after;
    this.options = options;
  }

  run(): Comparison {
    const { before, after } = this;
    this.change('server', '', 'changed', [
      ...compareLaunch(before, after),
      ...gateFields(before, after, this.options.locks === true),
      ...(this.options.locks === true ? unpinnedFields(before, after) : []),
    ]);
    for (const [member, word] of [
      ['source', 'source'],
      ['launch', 'launch command'],
    ] as const)
      if (before[member] === undefined && after[member] !== undefined) this.open.push(word);
    for (const [code, message] of releaseNotes(before, after)) this.note(code, message);
    this.instructions();
    for (const [kind, member, word] of RECORDS) {
      const [old, now] = [before[member], after[member]];
      if (old && now) this.records(kind, word, old, now);
      else if (old === undefined && now !== undefined) this.open.push(word);
    }
    this.surfaceHash();
    if (this.open.length > 0)
      this.note(
        'not-pinned',
        `the lock does not pin the ${listed(this.open)} of this server yet; the next lock will`,
      );
    if (this.bare.length > 0)
      this.note(
        'credential-in-lock',
        `the lock holds a credential as an older release wrote it, in ${listed(this.bare.slice(0, 5))}` +
          `${this.bare.length > 5 ? ` and ${this.bare.length - 5} more` : ''}: revoke it; the next lock keeps a digest of it only`,
      );
    return { changes: orderChanges(this.changes), info: this.info };
  }

  private change(
    kind: ChangeKind,
    name: string,
    change: Change['change'],
    fields: readonly FieldChange[],
    from?: string,
  ): void {
    if (fields.length === 0) return;
    this.changes.push({
      server: this.server,
      kind,
      name: hideInText(name),
      change,
      ...(from !== undefined && { from: hideInText(from) }),
      severity: worst(fields.map((each) => each.severity)),
      accepted: this.options.accepted,
      fields: orderFields(fields),
    });
  }

  private note(code: string, message: string): void {
    this.info.push({ code, server: this.server, message });
  }

  private lineEnds(skill: string, paths: readonly string[]): void {
    this.note(
      'line-ends',
      `skill ${JSON.stringify(skill)}: ${paths.length === 1 ? JSON.stringify(paths[0]) : `${paths.length} files`} ` +
        `${paths.length === 1 ? 'differs' : 'differ'} in line ends only, as git converts them on some machines: mark the folder "-text" in .gitattributes`,
    );
  }

  private instructions(): void {
    const [old, now] = [this.before.instructions, this.after.instructions];
    if (old === undefined) {
      if (now !== undefined) this.open.push('instructions');
    } else if (now !== undefined) this.instructionsChange(old, now);
  }

  private instructionsChange(old: InstructionsRecord | null, now: InstructionsRecord | null): void {
    if (instructionsFields(old, now).length === 0) return;
    const [before, after] = [hideInInstructions(old), hideInInstructions(now)];
    if (before !== old) this.bare.push('its instructions');
    this.change('instructions', '', kindOfChange(old, now), instructionsFields(before, after));
  }

  /** As `compareRecords`, with no credential in what the fields show. */
  private recordDiff(
    kind: ChangeKind,
    name: string,
    old: CapabilityRecord,
    now: CapabilityRecord,
  ): RecordDiff {
    const diff = compareRecords(kind, old, now);
    if (diff.fields.length === 0) return diff;
    const [before, after] = [hideCredentials(old), hideCredentials(now)];
    if (before === old && after === now) return diff;
    if (before !== old) this.bare.push(`${kind} ${JSON.stringify(hideInText(name))}`);
    const { fields } = compareRecords(kind, before, after);
    // They may differ in nothing else than a credential.
    return {
      ...diff,
      fields: fields.length > 0 ? fields : [field('', 'field-changed', old.hash, now.hash, 'medium')],
    };
  }

  private records(
    kind: ChangeKind,
    word: string,
    before: ReadonlyMap<string, CapabilityRecord>,
    after: ReadonlyMap<string, CapabilityRecord>,
  ): void {
    let partly = false;
    const gone = new Map<string, CapabilityRecord>();
    const come = new Map<string, CapabilityRecord>();
    for (const [name, record] of after) {
      const old = before.get(name);
      if (!old) {
        come.set(name, hideCredentials(record));
        continue;
      }
      const diff = this.recordDiff(kind, name, old, record);
      partly ||= diff.partly;
      if (diff.lineEnds !== undefined && diff.lineEnds.length > 0) this.lineEnds(name, diff.lineEnds);
      this.change(kind, name, 'changed', diff.fields);
    }
    for (const [name, record] of before) if (!after.has(name)) gone.set(name, hideCredentials(record));
    for (const { from, to } of findRenames(kind, gone, come)) {
      const [old, now] = [gone.get(from), come.get(to)];
      if (!old || !now) continue;
      gone.delete(from);
      come.delete(to);
      this.change(kind, to, 'renamed', renamedFields(kind, from, to, old, now), from);
    }
    for (const [name, record] of sortedEntries(gone))
      this.change(kind, name, 'removed', wholeFields(kind, record, 'removed'));
    for (const [name, record] of sortedEntries(come))
      this.change(kind, name, 'added', wholeFields(kind, record, 'added'));
    if (partly)
      this.note(
        'not-pinned',
        `the lock pins only a part of each of the ${word} of this server (a lock of an older release); the next lock pins all`,
      );
  }

  /** A lock that holds no tools, only the hash over them. */
  private surfaceHash(): void {
    const { before, after } = this;
    const [old, now] = [before.toolSurfaceHash, after.toolSurfaceHash];
    if (before.tools && after.tools) return;
    if (old === undefined || now === undefined || old === now) return;
    const change = field('/toolSurfaceHash', 'field-changed', old, now, 'medium');
    this.change('server', '', 'changed', [change]);
  }
}
