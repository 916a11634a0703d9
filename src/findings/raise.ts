import type { Severity } from '../config/types.ts';
import type { Change } from '../drift/types.ts';
import type { Finding } from './types.ts';

const ORDER: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const worse = (a: Severity, b: Severity): Severity => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);

const identity = (finding: Finding): string =>
  JSON.stringify([
    finding.rule,
    finding.server,
    finding.kind,
    finding.name,
    finding.pointer,
    finding.evidence,
  ]);

/**
 * A change that brings a finding takes that finding's severity (`DESIGN.md` §6): `now` are the findings of the new
 * side, `before` those of the old one. Changes the given changes in place.
 */
export function raiseByFindings(
  changes: Change[],
  now: readonly Finding[],
  before: readonly Finding[],
): void {
  const known = new Set(before.map(identity));
  const fresh = new Map<string, Finding[]>();
  for (const finding of now) {
    if (known.has(identity(finding))) continue;
    const key = JSON.stringify([finding.server, finding.kind, finding.name]);
    fresh.set(key, [...(fresh.get(key) ?? []), finding]);
  }
  if (fresh.size === 0) return;
  for (const change of changes) {
    if (change.change === 'removed') continue;
    if (change.kind === 'server') raiseServer(change, fresh);
    else raiseCapability(change, fresh.get(JSON.stringify([change.server, change.kind, change.name])) ?? []);
  }
}

function raiseCapability(change: Change, findings: readonly Finding[]): void {
  for (const finding of findings) {
    for (const field of change.fields) {
      if (within(finding.pointer, field.pointer) || within(field.pointer, finding.pointer)) {
        field.severity = worse(field.severity, finding.severity);
      }
    }
    change.severity = worse(change.severity, finding.severity);
  }
}

/** A new server brings the findings of all its capabilities. */
function raiseServer(change: Change, fresh: ReadonlyMap<string, Finding[]>): void {
  for (const findings of fresh.values()) {
    for (const finding of findings) {
      if (finding.server === change.server) change.severity = worse(change.severity, finding.severity);
    }
  }
}

function within(pointer: string, parent: string): boolean {
  return pointer === parent || pointer.startsWith(`${parent}/`);
}
