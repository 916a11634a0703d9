import type { Severity } from '../config/types.ts';
import type { Change } from '../drift/types.ts';
import type { Finding } from './types.ts';

const ORDER: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** Rank of a severity, 0 the worst. */
export function rank(severity: Severity): number {
  return ORDER.indexOf(severity);
}

/** The next worse severity; `critical` stays. */
export function raised(severity: Severity): Severity {
  return ORDER[Math.max(0, rank(severity) - 1)] ?? severity;
}

/**
 * Gives a change, and the field that brings it, the severity of the worst finding that it adds: one of `after` that
 * is not in `before`, or is worse there, and that no suppression covers. Never lowers. Changes `changes` in place.
 */
export function raiseByFindings(
  changes: readonly Change[],
  after: readonly Finding[],
  before: readonly Finding[],
): void {
  const was = new Map<string, Finding>();
  for (const finding of before) was.set(keyOf(finding, finding.name), finding);
  const byCapability = new Map<string, Finding[]>();
  for (const finding of after) {
    if (finding.suppressed !== null) continue;
    const key = capability(finding.server, finding.kind, finding.name);
    const list = byCapability.get(key);
    if (list) list.push(finding);
    else byCapability.set(key, [finding]);
  }
  for (const change of changes) {
    if (change.change === 'removed') continue;
    for (const finding of byCapability.get(capability(change.server, change.kind, change.name)) ?? []) {
      const old = was.get(keyOf(finding, change.from ?? finding.name));
      const same = old && old.evidence === finding.evidence && rank(old.severity) <= rank(finding.severity);
      if (same) continue;
      // A lock has no page of a UI resource to look for the finding in: only another page can have brought it.
      if (isOfPage(finding) && !change.fields.some((field) => covers(field.pointer, finding.pointer)))
        continue;
      change.severity = worse(change.severity, finding.severity);
      for (const field of change.fields) {
        if (covers(field.pointer, finding.pointer) || covers(finding.pointer, field.pointer))
          field.severity = worse(field.severity, finding.severity);
      }
    }
  }
}

function isOfPage({ kind, pointer }: Finding): boolean {
  return kind === 'resource' && pointer.startsWith('/content/');
}

function worse(a: Severity, b: Severity): Severity {
  return rank(a) <= rank(b) ? a : b;
}

const capability = (server: string, kind: string, name: string): string =>
  JSON.stringify([server, kind, name]);

const keyOf = (finding: Finding, name: string): string =>
  JSON.stringify([finding.server, finding.kind, name, finding.rule, finding.pointer]);

function covers(outer: string, inner: string): boolean {
  return outer === inner || inner.startsWith(`${outer}/`);
}
