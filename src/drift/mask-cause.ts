import type { ServerPolicy } from '../config/types.ts';
import type { CapabilityKind, CapabilityRecord, LockedServer } from '../lock/types.ts';
import { applyVolatile, VolatileError, volatileBudget, volatileRules } from '../lock/volatile.ts';
import type { Json } from '../util/json.ts';
import type { FoundCause } from './cause.ts';
import { sameJson } from './equal.ts';
import type { Change } from './types.ts';

/**
 * The cause where the reviewed texts, masked as the policy now says, are what the server shows: a mask was added, and
 * the server says what it said. Undefined when anything else differs too.
 */
export function maskCause(
  changes: readonly Change[],
  { locked, live, policy }: { locked: LockedServer; live: LockedServer; policy: ServerPolicy },
): FoundCause | undefined {
  if (policy.volatile.length === 0 || changes.length === 0) return undefined;
  const budget = volatileBudget();
  const explained = ({ kind, name, change }: Change): boolean => {
    if (change !== 'changed' || kind === 'server' || kind === 'skill') return false;
    const [before, after] = [textsOf(locked, kind, name), textsOf(live, kind, name)];
    if (before === undefined || after === undefined) return false;
    const rules = volatileRules(policy, kind, name);
    return sameJson(
      applyVolatile(before, rules, budget, () => undefined),
      after,
    );
  };
  try {
    if (!changes.every(explained)) return undefined;
  } catch (error) {
    if (error instanceof VolatileError) return undefined;
    throw error;
  }
  return {
    cause: 'masks-changed',
    text: 'The policy masks other texts than when it was locked; with the same masks the server says what was reviewed.',
  };
}

/** All that a mask can change of a capability, and what it cannot; undefined when the lock does not hold it. */
function textsOf(
  server: LockedServer,
  kind: Exclude<CapabilityKind, 'skill'> | 'instructions',
  name: string,
): Json | undefined {
  if (kind === 'instructions') return server.instructions?.text;
  const records: ReadonlyMap<string, CapabilityRecord> | undefined = {
    tool: server.tools,
    prompt: server.prompts,
    resource: server.resources,
    resourceTemplate: server.resourceTemplates,
  }[kind];
  const record = records?.get(name);
  if (record?.definition === undefined || record.contentHash !== undefined) return undefined;
  return record.meta === undefined ? record.definition : { ...record.definition, _meta: record.meta };
}
