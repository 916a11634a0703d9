import type { SeverityName } from './counts.ts';
import type { Report, ReportChange, ReportFinding } from './model.ts';
import { cut, MAX_TEXT } from './sarif-text.ts';

/** One result before it is put into SARIF's form. */
export interface SarifDraft {
  rule: string;
  severity: SeverityName;
  text: string;
  file: string;
  line: number;
  /** What makes it the same alert in the next run, whatever its line or wording. */
  identity: readonly string[];
  properties: Record<string, string>;
  justification?: string;
}

/** Unaccepted changes, findings, and what could not be checked. */
export function draftsOf(report: Report): SarifDraft[] {
  return [...uncheckedDrafts(report), ...changeDrafts(report), ...findingDrafts(report)];
}

function changeDrafts(report: Report): SarifDraft[] {
  return report.changes
    .filter(({ accepted }) => !accepted)
    .map((change) => ({
      rule: changeRule(change),
      severity: change.severity,
      text: `${about(change)} ${changeWords(change)}`,
      ...placeOf(report, change.server, change.lockLine),
      identity: [change.server, change.kind, change.name],
      properties: { server: change.server, kind: change.kind, name: change.name },
    }));
}

function changeRule({ kind, change }: ReportChange): string {
  return kind === 'server'
    ? 'AG-DR-005'
    : { changed: 'AG-DR-001', added: 'AG-DR-002', removed: 'AG-DR-003', renamed: 'AG-DR-004' }[change];
}

function changeWords({ change, from, fields, kind }: ReportChange): string {
  const places = fields.slice(0, 8).map(({ pointer, class: what }) => `${pointer} (${what})`);
  const more = fields.length > places.length ? ` and ${fields.length - places.length} more` : '';
  const list = places.length > 0 ? `: ${places.join(', ')}${more}` : '';
  switch (change) {
    case 'added':
      return kind === 'server'
        ? `is declared, but not in the lock${list}.`
        : 'is offered, but not in the lock.';
    case 'removed':
      return kind === 'server'
        ? `is in the lock, but no longer declared${list}.`
        : 'is in the lock, but no longer offered.';
    case 'renamed':
      return `is the "${from ?? ''}" of the lock under another name${list}.`;
    default:
      return `differs from the lock${list}.`;
  }
}

function about({ server, kind, name }: { server: string; kind: string; name: string }): string {
  if (kind === 'server') return `Server "${server}"`;
  if (kind === 'config') return `Declaration of server "${server}":`;
  if (kind === 'instructions') return `Instructions of server "${server}"`;
  return `${KINDS[kind] ?? kind} "${name}" of server "${server}"`;
}

const KINDS: Record<string, string> = {
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
  resourceTemplate: 'Resource template',
  skill: 'Skill',
};

function findingDrafts(report: Report): SarifDraft[] {
  return report.findings.map((finding) => ({
    rule: finding.rule,
    severity: finding.severity,
    text: findingText(finding),
    ...placeOf(
      report,
      finding.server,
      finding.kind === 'config' ? undefined : finding.lockLine,
      finding.kind === 'config',
    ),
    identity: [finding.server, finding.kind, finding.name, finding.pointer],
    properties: {
      server: finding.server,
      kind: finding.kind,
      name: finding.name,
      pointer: finding.pointer,
      evidence: cut(finding.evidence, MAX_TEXT),
    },
    ...(finding.suppressed === null ? {} : { justification: finding.suppressed }),
  }));
}

function findingText(finding: ReportFinding): string {
  const subject = finding.kind === 'config' ? `Server "${finding.server}"` : about(finding);
  return `${subject.replace(/:$/, '')}: ${finding.message} Evidence: ${finding.evidence}`;
}

function uncheckedDrafts(report: Report): SarifDraft[] {
  const servers = report.servers
    .filter(({ status }) => status === 'unchecked')
    .map((server) => ({
      rule: 'AG-DR-006',
      severity: 'high' as const,
      text: `Server "${server.key}" could not be checked: ${server.error?.message ?? 'no reason was given'}`,
      ...placeOf(report, server.key, undefined, true),
      identity: [server.key],
      properties: { server: server.key, code: server.error?.code ?? '' },
    }));
  const errors = report.errors.map((error) => ({
    rule: 'AG-DR-007',
    severity: 'high' as const,
    text: error.message,
    file: error.file ?? report.lockfile.path,
    line: error.line ?? 1,
    identity: [error.code, error.file ?? ''],
    properties: { code: error.code },
  }));
  return [...servers, ...errors];
}

/** The lock's line, else the config's line of the server, else the top of the lock. */
function placeOf(
  report: Report,
  server: string,
  lockLine: number | undefined,
  preferConfig = false,
): { file: string; line: number } {
  const entry = report.servers.find(({ key }) => key === server);
  const lock = lockLine ?? entry?.lockLine;
  if (lock !== undefined && !(preferConfig && entry?.config !== undefined))
    return { file: report.lockfile.path, line: lock };
  if (entry?.config !== undefined) return { file: entry.config, line: entry.line ?? 1 };
  return { file: report.lockfile.path, line: 1 };
}
