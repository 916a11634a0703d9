import type { Report, ReportFinding } from './model.ts';
import { SEVERITIES } from './severities.ts';

export type SeverityName = (typeof SEVERITIES)[number];
export type FailOnName = Report['failOn'];

/** 0 for `critical` … 4 for `info`: lower is worse. */
export function severityRank(severity: SeverityName): number {
  return SEVERITIES.indexOf(severity);
}

/** The worst of the severities, or undefined when there is none. */
export function worstOf(severities: Iterable<SeverityName>): SeverityName | undefined {
  let worst: SeverityName | undefined;
  for (const severity of severities)
    if (worst === undefined || severityRank(severity) < severityRank(worst)) worst = severity;
  return worst;
}

/** True when a drift of this severity makes the run fail: `any` takes all of it, `never` nothing. */
export function driftGates(severity: SeverityName, failOn: FailOnName): boolean {
  if (failOn === 'never') return false;
  return failOn === 'any' || severityRank(severity) <= severityRank(failOn);
}

/** True when a finding makes the run fail: `any` starts at `medium` (`DESIGN.md` §8). */
export function findingGates(finding: ReportFinding, failOn: FailOnName): boolean {
  if (finding.suppressed !== null || failOn === 'never') return false;
  return severityRank(finding.severity) <= severityRank(failOn === 'any' ? 'medium' : failOn);
}

/** Every number that a format shows; all formats take them from here, so that they agree. */
export interface Counts {
  /** Declared or locked servers, skipped ones included. */
  servers: number;
  /** Servers by status. */
  matching: number;
  drifting: number;
  unchecked: number;
  skipped: number;
  /** Of all servers. */
  tools: number;
  skills: number;
  /** Changes that are not accepted: lock against live. */
  changes: number;
  /** Changes that this pull request accepts: base lock against head lock. */
  accepted: number;
  /** Not suppressed. */
  findings: number;
  suppressed: number;
  /** Findings that make the run fail. */
  gatingFindings: number;
  /** Errors that concern no single server. */
  errors: number;
}

/** Counts of a report. */
export function countsOf(report: Report): Counts {
  const counts: Counts = {
    servers: report.servers.length,
    matching: 0,
    drifting: 0,
    unchecked: 0,
    skipped: 0,
    tools: 0,
    skills: 0,
    changes: 0,
    accepted: 0,
    findings: 0,
    suppressed: 0,
    gatingFindings: 0,
    errors: report.errors.length,
  };
  for (const server of report.servers) {
    counts.tools += server.tools;
    counts.skills += server.skills ?? 0;
    if (server.status === 'match') counts.matching++;
    else if (server.status === 'unchecked') counts.unchecked++;
    else if (server.status === 'skipped') counts.skipped++;
    else counts.drifting++;
  }
  for (const change of report.changes) {
    if (change.accepted) counts.accepted++;
    else counts.changes++;
  }
  for (const finding of report.findings) {
    if (finding.suppressed !== null) counts.suppressed++;
    else counts.findings++;
    if (findingGates(finding, report.failOn)) counts.gatingFindings++;
  }
  return counts;
}
