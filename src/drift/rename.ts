import type { CapabilityRecord } from '../lock/types.ts';
import { byCodeUnit } from '../util/order.ts';
import { stableText } from './equal.ts';
import type { ChangeKind } from './types.ts';

export interface Rename {
  from: string;
  to: string;
}

/** Pairs of a capability that is gone and one that has come which are the same under another name. */
export function findRenames(
  kind: ChangeKind,
  gone: ReadonlyMap<string, CapabilityRecord>,
  come: ReadonlyMap<string, CapabilityRecord>,
): Rename[] {
  if (gone.size === 0 || come.size === 0) return [];
  const key = kind === 'resource' ? 'uri' : kind === 'resourceTemplate' ? 'uriTemplate' : 'name';
  const text = (record: CapabilityRecord): string | undefined => {
    if (!record.definition) return undefined;
    const { [key]: _, ...rest } = record.definition;
    return stableText(rest);
  };
  const places = new Map<string, string[]>();
  for (const [name, record] of [...come].sort(([a], [b]) => byCodeUnit(a, b))) {
    const definition = text(record);
    if (definition === undefined) continue;
    places.set(definition, [...(places.get(definition) ?? []), name]);
  }
  const renames: Rename[] = [];
  for (const [from, record] of [...gone].sort(([a], [b]) => byCodeUnit(a, b))) {
    const to = places.get(text(record) ?? '')?.shift();
    if (to !== undefined) renames.push({ from, to });
  }
  return renames;
}
