import { letGo } from '../util/garbage.ts';
import { escapedUnits, replaceHidden } from '../util/hidden.ts';
import type { Json, JsonObject } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import type { CapabilityRecord, InstructionsRecord, Lock, LockedServer } from './types.ts';

/** JSON in which maps stand for objects: a map keeps names such as `10` and `__proto__` like any other. */
type Tree = Json | ReadonlyMap<string, Tree | undefined>;

/** Printable ASCII is written as it is. */
const NEEDS_CARE = /[^\x20-\x7E]/;

/**
 * The bytes of a lock, `DESIGN.md` §3.2: keys by UTF-16 code unit at every depth, two spaces, `\n`, one at the end,
 * hidden characters as `\uXXXX`. The same lock always gives the same text.
 */
export function formatLock(lock: Lock): string {
  return formatJson(lockTree(lock));
}

/** About as long is a part of {@link lockParts}, in UTF-16 code units. */
const PART = 1 << 20;

/** The text of {@link formatLock} in parts, for locks that would take much memory in one. Equal locks give equal parts. */
export function* lockParts(lock: Lock): Generator<string> {
  let part: string[] = [];
  let length = 0;
  for (const piece of pieces(lockTree(lock), '\n')) {
    part.push(piece);
    length += piece.length;
    if (length < PART) continue;
    yield part.join('');
    letGo(length);
    part = [];
    length = 0;
  }
  yield `${part.join('')}\n`;
}

function* pieces(value: Tree, indent: string): Generator<string> {
  const members = value instanceof Map ? sortedMembers(value) : [];
  if (members.length === 0) {
    yield write(value, indent);
    return;
  }
  const inner = `${indent}  `;
  let before = '{';
  for (const [key, member] of members) {
    yield `${before}${inner}${writeText(key)}: `;
    yield* pieces(member, inner);
    before = ',';
  }
  yield `${indent}}`;
}

/** Any JSON value in the form of {@link formatLock}. */
export function formatJson(value: Tree): string {
  return `${write(value, '\n')}\n`;
}

function write(value: Tree, indent: string): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[${value.map((item) => inner + write(item, inner)).join(',')}${indent}]`;
  }
  const parts = sortedMembers(value).map(
    ([key, member]) => `${inner}${writeText(key)}: ${write(member, inner)}`,
  );
  return parts.length === 0 ? '{}' : `{${parts.join(',')}${indent}}`;
}

function sortedMembers(value: object): [string, Tree][] {
  const members: [string, Tree | undefined][] =
    value instanceof Map
      ? [...value]
      : Object.keys(value).map((key) => [key, (value as Record<string, Json>)[key]]);
  return members
    .filter((member): member is [string, Tree] => member[1] !== undefined)
    .sort(([a], [b]) => byCodeUnit(a, b));
}

function writeText(text: string): string {
  const json = JSON.stringify(text);
  return NEEDS_CARE.test(json) ? replaceHidden(json, escapedUnits) : json;
}

function lockTree(lock: Lock): Tree {
  return new Map<string, Tree | undefined>([
    ...Object.entries(lock.extra),
    ['agentgateVersion', lock.agentgateVersion],
    ['generatedAt', lock.generatedAt],
    ['lockfileVersion', lock.lockfileVersion],
    ['servers', mapValues(lock.servers, serverTree)],
  ]);
}

function serverTree(server: LockedServer): Tree {
  return new Map<string, Tree | undefined>([
    ...Object.entries(server.extra),
    ['config', server.config],
    ['launch', server.launch as Json | undefined],
    ['gate', server.gate && gateTree(server.gate)],
    ['instructions', server.instructions && recordTree(server.instructions)],
    ['prompts', server.prompts && mapValues(server.prompts, recordTree)],
    ['protocolVersion', server.protocolVersion],
    ['resources', server.resources && mapValues(server.resources, recordTree)],
    ['resourceTemplates', server.resourceTemplates && mapValues(server.resourceTemplates, recordTree)],
    ['skills', server.skills && mapValues(server.skills, recordTree)],
    ['source', server.source as Json | undefined],
    ['toolSurfaceHash', server.toolSurfaceHash],
    ['tools', server.tools && mapValues(server.tools, recordTree)],
    ['transport', server.transport],
  ]);
}

/** Without the files that hold no such entry. */
function gateTree(gate: JsonObject): Tree | undefined {
  const entries = Object.entries(gate).filter(([, value]) => value !== null);
  return entries.length === 0 ? undefined : new Map<string, Tree>(entries);
}

function recordTree({ content: _, ...record }: CapabilityRecord & Partial<InstructionsRecord>): Tree {
  const { extra, ...known } = record;
  return new Map<string, Tree | undefined>([
    ...Object.entries(extra),
    ...(Object.entries(known) as unknown as [string, Tree][]),
  ]);
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => Tree): Map<string, Tree> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
