import type { DeclaredServer } from '../config/types.ts';
import type { LockedServer } from '../lock/types.ts';
import { pointer } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { placed } from './finding.ts';
import { raised, rank } from './raise.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules/all.ts';
import { SurfaceSearch } from './surface-search.ts';
import type { Finding } from './types.ts';

export interface FindOptions {
  /** Only these rules; all when absent. */
  rules?: readonly Rule[];
  /** Of the same rules; may have begun with servers, and remembers texts from one call to the next. */
  search?: SurfaceSearch;
}

/** For {@link findIn}, to begin with before all surfaces are there. */
export function surfaceSearch(): SurfaceSearch {
  return new SurfaceSearch(RULES);
}

/** Of one rule on one capability this many are listed, the worst: more of the same helps nobody. */
const MAX_PER_RULE = 5;

/**
 * What looks dangerous in the servers' surfaces and in their declarations. `servers` by key: live surfaces as pinned,
 * or a lock's. Severities are those of the rules; several rules on one capability raise each other by one. Worst
 * first, then by server, kind, name, rule and pointer. Never throws for what a text holds.
 */
export function findIn(
  servers: ReadonlyMap<string, LockedServer>,
  declared: readonly DeclaredServer[],
  options: FindOptions = {},
): Finding[] {
  const rules = options.rules ?? RULES;
  const surfaces: Finding[] = [];
  for (const rule of rules) {
    if (rule.on !== 'surfaces') continue;
    for (const hit of rule.match(servers)) surfaces.push(placed(rule, hit, hit.server, hit.kind, hit.name));
  }
  const search = options.search ?? new SurfaceSearch(rules);
  const found = search.findIn(servers);
  const { faints } = search;
  const all = raiseTogether(limited([...onlyOnce(found, faints), ...surfaces]), faints);
  for (const one of declared) {
    for (const rule of rules) {
      if (rule.on !== 'config') continue;
      for (const hit of rule.match(one, servers.get(one.key)))
        all.push(placed(rule, hit, one.key, 'config', ''));
      for (const { config, name, entry } of one.gates ?? [])
        for (const hit of rule.match(entry, undefined)) {
          const at = pointer('gate', config, name) + hit.pointer;
          all.push(placed(rule, { ...hit, pointer: at }, one.key, 'config', ''));
        }
    }
  }
  return all.sort(
    (a, b) =>
      rank(a.severity) - rank(b.severity) ||
      byCodeUnit(a.server, b.server) ||
      byCodeUnit(a.kind, b.kind) ||
      byCodeUnit(a.name, b.name) ||
      byCodeUnit(a.rule, b.rule) ||
      byCodeUnit(a.pointer, b.pointer),
  );
}

/** Of what only smells, one of each rule on a capability is enough. */
function onlyOnce(findings: readonly Finding[], faints: ReadonlySet<Finding>): Finding[] {
  const seen = new Set<string>();
  return findings.filter((one) => {
    if (!faints.has(one)) return true;
    const key = JSON.stringify([one.server, one.kind, one.name, one.rule]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function limited(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return [...findings]
    .sort((a, b) => rank(a.severity) - rank(b.severity))
    .filter((one) => {
      const key = JSON.stringify([one.server, one.kind, one.name, one.rule]);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= MAX_PER_RULE;
    });
}

/** `DESIGN.md` §7: several on one capability raise each other by one. Several places of one rule are not several. */
function raiseTogether(findings: readonly Finding[], faints: ReadonlySet<Finding>): Finding[] {
  const rulesOf = new Map<string, Set<string>>();
  const keyOf = (one: Finding): string => JSON.stringify([one.server, one.kind, one.name]);
  for (const one of findings) {
    if (faints.has(one)) continue;
    const rules = rulesOf.get(keyOf(one)) ?? new Set();
    rules.add(one.rule);
    rulesOf.set(keyOf(one), rules);
  }
  return findings.map((one) =>
    !faints.has(one) && (rulesOf.get(keyOf(one))?.size ?? 0) > 1
      ? { ...one, severity: raised(one.severity) }
      : one,
  );
}
