import { byCodeUnit } from '../util/order.ts';
import { VERSION } from '../version.ts';
import { countsOf, driftGates, findingGates, severityRank } from './counts.ts';
import type { Report, ReportChange, ReportError, ReportFinding, ServerReport } from './model.ts';

/** What a report is made of. `changes` hold both parts, told apart by `accepted`. */
export interface ReportParts {
  purpose?: Report['purpose'];
  failOn: Report['failOn'];
  lockfile: Report['lockfile'];
  baseLockfile?: Report['baseLockfile'];
  scope?: Report['scope'];
  context?: Report['context'];
  /** Milliseconds. */
  durationMs: number;
  servers: ServerReport[];
  changes: ReportChange[];
  findings: ReportFinding[];
  errors: ReportError[];
  info: Report['info'];
}

/**
 * Puts the parts together: verdict and exit code as `DESIGN.md` §8 has them, changes and findings worst first,
 * then by server, kind and name; servers by key. An incomplete check is `unchecked` whatever else was found,
 * and `fail-on` never turns its 2 into a 0.
 */
export function buildReport(parts: ReportParts): Report {
  const report: Report = {
    schemaVersion: 1,
    agentgateVersion: VERSION,
    ...(parts.purpose === undefined ? {} : { purpose: parts.purpose }),
    verdict: 'clean',
    exitCode: 0,
    failOn: parts.failOn,
    lockfile: parts.lockfile,
    ...(parts.baseLockfile === undefined ? {} : { baseLockfile: parts.baseLockfile }),
    ...(parts.scope === undefined ? {} : { scope: parts.scope }),
    ...(parts.context === undefined ? {} : { context: parts.context }),
    durationMs: Math.max(0, Math.round(parts.durationMs)),
    servers: [...parts.servers].sort((a, b) => byCodeUnit(a.key, b.key)),
    changes: [...parts.changes].sort(changeOrder),
    findings: [...parts.findings].sort(findingOrder),
    errors: parts.errors,
    info: parts.info,
  };
  const verdict = verdictOf(report);
  return { ...report, ...verdict };
}

/** The verdict and exit code that follow from a report's parts; what the report itself claims is not looked at. */
export function verdictOf(report: Report): Pick<Report, 'verdict' | 'exitCode'> {
  const counts = countsOf(report);
  if (counts.errors > 0 || counts.unchecked > 0) return { verdict: 'unchecked', exitCode: 2 };
  const gating = report.findings.some((finding) => findingGates(finding, report.failOn));
  // What `lock` writes is not drift; a finding that gates is said by its exit code 2.
  if (report.purpose === 'lock')
    return gating ? { verdict: 'findings', exitCode: 2 } : { verdict: 'clean', exitCode: 0 };
  if (counts.changes > 0 || counts.drifting > 0) {
    // A drifting server without a listed change must not slip through under `any`.
    const drift =
      report.changes.some((change) => !change.accepted && driftGates(change.severity, report.failOn)) ||
      (counts.changes === 0 && report.failOn !== 'never');
    return { verdict: 'drift', exitCode: drift || gating ? 1 : 0 };
  }
  // The verdict names what was found; under `never` that is what the default gate would have found.
  const named = report.failOn === 'never' ? 'any' : report.failOn;
  if (report.findings.some((finding) => findingGates(finding, named)))
    return { verdict: 'findings', exitCode: gating ? 1 : 0 };
  return { verdict: 'clean', exitCode: 0 };
}

/** Unaccepted before accepted, worst first, then server, kind and name in code unit order. */
function changeOrder(a: ReportChange, b: ReportChange): number {
  return (
    Number(a.accepted) - Number(b.accepted) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    byCodeUnit(a.server, b.server) ||
    byCodeUnit(a.kind, b.kind) ||
    byCodeUnit(a.name, b.name)
  );
}

function findingOrder(a: ReportFinding, b: ReportFinding): number {
  return (
    Number(a.suppressed !== null) - Number(b.suppressed !== null) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    byCodeUnit(a.server, b.server) ||
    byCodeUnit(a.kind, b.kind) ||
    byCodeUnit(a.name, b.name) ||
    byCodeUnit(a.rule, b.rule) ||
    byCodeUnit(a.pointer, b.pointer)
  );
}
