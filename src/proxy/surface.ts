import { readSurface } from '../capture/read-surface.ts';
import type { LaunchRecord, ServerPolicy } from '../config/types.ts';
import { compareServer } from '../drift/compare.ts';
import type { Change } from '../drift/types.ts';
import { pinSurface } from '../lock/pin.ts';
import { pinServerSkills } from '../lock/pin-server-skills.ts';
import { createSurfaceMask } from '../lock/surface-mask.ts';
import type { LockedServer } from '../lock/types.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import type { Connection } from './connection.ts';
import { plainName, plainPointer } from './plain-names.ts';

/** One capability that matches its record in the lock. */
export interface Allowed {
  /** Its name in the lock: the raw one with host paths masked. */
  locked: string;
  /** As the server sent it. */
  definition: JsonObject;
}

export type ListKey = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** A live surface, compared with the lock. */
export interface VerifiedSurface {
  live: LockedServer;
  changes: Change[];
  /** By the server's own name. */
  allowed: Record<ListKey, Map<string, Allowed>>;
  /** Why a name is not allowed, one clause each; by the server's own name, and by that of the lock for what is gone. */
  refused: Record<ListKey, Map<string, string>>;
  /** Only when they match. */
  instructions?: string;
  /** The launch or the source is not the reviewed one: nothing of it is allowed. */
  blocked?: string;
}

export interface SurfaceContext {
  server: string;
  policy: ServerPolicy;
  launch: LaunchRecord;
  config: string;
  locked: LockedServer;
  /** What the server was given, to the name of what held it: a lock has none of it. */
  secrets: ReadonlyMap<string, string>;
}

const KINDS = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
} as const;
const NAMES = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;
const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/**
 * Reads the whole surface, all pages merged, pins it as `agentgate lock` would and compares it with the reviewed entry.
 * Only what is in the lock and does not differ from it is allowed. Throws when the surface cannot be read or pinned as
 * a whole.
 */
export async function verifySurface(
  connection: Connection,
  context: SurfaceContext,
): Promise<VerifiedSurface> {
  const { session, handshake, deadline, paths, source } = connection;
  const { surface } = await deadline.run(() =>
    readSurface(session, handshake, { ignoreResources: context.policy.resources === 'ignore' }),
  );
  const { entry: live, problems } = pinSurface(surface, {
    server: context.server,
    paths,
    secrets: context.secrets,
    policy: context.policy,
    launch: context.launch,
    source,
    config: context.config,
    pinSkills: pinServerSkills,
  });
  const { changes } = compareServer(context.server, context.locked, live, { accepted: false });
  const verified: VerifiedSurface = {
    live,
    changes,
    allowed: { tools: new Map(), prompts: new Map(), resources: new Map(), resourceTemplates: new Map() },
    refused: { tools: new Map(), prompts: new Map(), resources: new Map(), resourceTemplates: new Map() },
  };
  const blocked = changes.find((change) => change.kind === 'server');
  if (blocked !== undefined) verified.blocked = describeChange(blocked);
  const mask = createSurfaceMask({ paths, secrets: context.secrets });
  for (const list of LISTS) {
    const refused = verified.refused[list];
    for (const problem of problems)
      if (problem.kind === KINDS[list])
        refused.set(
          problem.name,
          `could not be pinned: ${problem.code} at "${plainPointer(problem.pointer)}"`,
        );
    for (const change of changes) {
      if (change.kind !== KINDS[list]) continue;
      refused.set(change.name, describeChange(change));
      if (change.from !== undefined) refused.set(change.from, describeChange(change));
    }
    const seen = new Map<string, number>();
    for (const raw of surface[list]) {
      const name = nameOf(raw, NAMES[list]);
      if (name !== undefined) seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    for (const raw of surface[list]) {
      const name = nameOf(raw, NAMES[list]);
      if (name === undefined || !isObject(raw)) continue;
      const locked = mask(name);
      const why = refused.get(locked) ?? unpinned(list, locked, live, context.locked);
      if (verified.blocked !== undefined) refused.set(name, verified.blocked);
      else if ((seen.get(name) ?? 0) > 1) refused.set(name, 'is there twice in the list');
      else if (why !== undefined) refused.set(name, why);
      else verified.allowed[list].set(name, { locked, definition: raw });
    }
  }
  const instructions = handshake.instructions;
  const same =
    !changes.some((change) => change.kind === 'instructions') && context.locked.instructions != null;
  if (same && typeof instructions === 'string' && verified.blocked === undefined)
    verified.instructions = instructions;
  return verified;
}

function nameOf(raw: Json, member: string): string | undefined {
  const name = isObject(raw) ? own(raw, member) : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The lock must hold it, not only fail to contradict it. */
function unpinned(list: ListKey, name: string, live: LockedServer, locked: LockedServer): string | undefined {
  if (live[list]?.get(name) === undefined) return 'could not be pinned';
  if (locked[list]?.get(name) === undefined) return 'is not in the lock';
  return undefined;
}

/** One clause: what happened to it, and where. An agent reads it: nothing that nobody has reviewed speaks in it. */
export function describeChange(change: Change): string {
  const places = change.fields.map((field) => `${plainPointer(field.pointer) || 'it'} (${field.class})`);
  const shown = places.slice(0, 5).join(', ') + (places.length > 5 ? `, and ${places.length - 5} more` : '');
  if (change.kind === 'server') return `the server is not the reviewed one: ${shown}`;
  switch (change.change) {
    case 'added':
      return 'is not in the lock';
    case 'removed':
      return 'is in the lock, and the server no longer has it';
    case 'renamed':
      return `was renamed from ${JSON.stringify(change.from ?? '')} to ${JSON.stringify(plainName(change.name))}: ${shown}`;
    case 'changed':
      return `differs from the lock: ${shown}`;
  }
}
