import { AgentGateError } from '../util/errors.ts';
import { own } from '../util/json.ts';
import { hashOf, nfcHashOf, toolHashes, toolSurfaceHash } from './hash.ts';
import { skillFilesEdit } from './skill-record.ts';
import type { CapabilityKind, CapabilityRecord, Lock, LockedServer, ToolRecord } from './types.ts';

/** A place where a lock's stored text does not give its stored hash. */
export interface Edit {
  server: string;
  /** `server` for `toolSurfaceHash`. */
  kind: CapabilityKind | 'instructions' | 'server';
  /** `""` for `instructions` and `server`. */
  name: string;
  /** The member that does not fit. */
  field: string;
}

const LISTS = [
  ['prompts', 'prompt', 'name'],
  ['resources', 'resource', 'uri'],
  ['resourceTemplates', 'resourceTemplate', 'uriTemplate'],
  ['skills', 'skill', undefined],
] as const;

/**
 * Recomputes every hash whose text the lock holds, in the lock's order. Without this a doctored text would make a
 * misleading diff. A hash without a text cannot be checked, and is fine: the base specification stores hashes only.
 */
export function findEdits(lock: Lock): Edit[] {
  const edits: Edit[] = [];
  for (const [key, server] of lock.servers) {
    const add = (kind: Edit['kind'], name: string, field: string | undefined): void => {
      if (field !== undefined) edits.push({ server: key, kind, name, field });
    };
    for (const [name, record] of server.tools ?? []) add('tool', name, toolEdit(name, record));
    for (const [list, kind, member] of LISTS) {
      for (const [name, record] of server[list] ?? []) add(kind, name, capabilityEdit(name, record, member));
    }
    const { instructions } = server;
    if (instructions?.text !== undefined && !fits(instructions.hash, instructions.text, nfcHashOf))
      add('instructions', '', 'text');
    add('server', '', surfaceEdit(server));
  }
  return edits;
}

function surfaceEdit(server: LockedServer): string | undefined {
  if (server.toolSurfaceHash === undefined) return undefined;
  // Taking the tools out would otherwise read as "not pinned yet".
  if (server.tools === undefined) return 'tools';
  const computed = toolSurfaceHash([...server.tools].map(([name, record]) => [name, record.hash]));
  return computed === server.toolSurfaceHash ? undefined : 'toolSurfaceHash';
}

/** The first member of a tool's record that does not fit. */
function toolEdit(name: string, record: ToolRecord): string | undefined {
  if (record.definition === undefined) {
    if (record.nameHash !== undefined && !fits(record.nameHash, name, hashOf)) return 'nameHash';
    return metaEdit(record);
  }
  if (own(record.definition, 'name') !== name) return 'definition/name';
  try {
    const computed = toolHashes(record.definition);
    for (const field of FIELDS) {
      // A hash that is absent is not pinned; one for a member that is absent was put there by hand.
      if (record[field] !== undefined && record[field] !== computed[field]) return field;
    }
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    return 'definition';
  }
  return metaEdit(record);
}

/** The parts before the wholes, so that the edited member is named. */
const FIELDS = ['nameHash', 'descriptionHash', 'inputSchemaHash', 'hash', 'definitionHash'] as const;

function capabilityEdit(
  name: string,
  record: CapabilityRecord,
  member: string | undefined,
): string | undefined {
  if (record.definition !== undefined) {
    if (member !== undefined && own(record.definition, member) !== name) return `definition/${member}`;
    if (!fits(record.hash, record.definition, nfcHashOf)) return 'definition';
  }
  return metaEdit(record) ?? skillFilesEdit(record);
}

function metaEdit(record: CapabilityRecord): string | undefined {
  if (record.meta === undefined) return undefined;
  return record.metaHash !== undefined && fits(record.metaHash, record.meta, hashOf) ? undefined : 'meta';
}

function fits<T>(hash: string, value: T, compute: (value: T) => string): boolean {
  try {
    return compute(value) === hash;
  } catch (error) {
    if (error instanceof AgentGateError) return false;
    throw error;
  }
}
