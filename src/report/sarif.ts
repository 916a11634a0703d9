import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { ruleInfos } from '../findings/rules/all.ts';
import { visibleLine } from '../util/hidden.ts';
import { VERSION } from '../version.ts';
import { type SeverityName, severityRank } from './counts.ts';
import type { Report, ReportChange, ReportFinding } from './model.ts';
import { CHECK_RULES, type SarifRule, toRule } from './sarif-rules.ts';

/** GitHub code scanning takes 25,000 results a run, and shows the worst 5,000 of them. */
export const MAX_RESULTS = 25_000;
/** GitHub cuts a longer message. */
const MAX_TEXT = 1_000;
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

interface Draft {
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

/**
 * The report as SARIF 2.1.0 (OASIS), for GitHub code scanning: unaccepted changes, findings (suppressed ones marked),
 * and what could not be checked, which would otherwise read as "fixed". Worst first, at most {@link MAX_RESULTS}.
 * Paths are relative to the repository, line numbers those of the lock, else of the config.
 */
export function renderSarif(report: Report): string {
  const drafts = [...uncheckedDrafts(report), ...changeDrafts(report), ...findingDrafts(report)];
  drafts.sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
  const kept = drafts.slice(0, MAX_RESULTS);
  const rules = rulesFor(kept);
  const index = new Map(rules.map((rule, at) => [rule.id, at]));
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'AgentGate',
            informationUri: 'https://github.com/agentgate/action',
            version: VERSION,
            semanticVersion: VERSION,
            rules,
          },
        },
        automationDetails: { id: `agentgate/${uriOf(report, report.lockfile.path)}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
        invocations: [invocation(report, drafts.length - kept.length)],
        results: kept.map((draft) => resultOf(report, draft, index.get(draft.rule) ?? -1)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function invocation(report: Report, left: number): object {
  const notifications = [
    ...report.errors.map(({ code, message }) => ({
      level: 'error',
      descriptor: { id: code },
      message: { text: plain(message) },
    })),
    ...report.info.map(({ code, message }) => ({
      level: 'note',
      descriptor: { id: code },
      message: { text: plain(message) },
    })),
  ];
  if (left > 0)
    notifications.push({
      level: 'warning',
      descriptor: { id: 'results-left-out' },
      message: { text: `${left} results of lower severity are left out; the JSON report has all.` },
    });
  return {
    executionSuccessful: report.exitCode !== 2,
    exitCode: report.exitCode,
    ...(notifications.length > 0 ? { toolExecutionNotifications: notifications.slice(0, 1000) } : {}),
  };
}

function rulesFor(drafts: readonly Draft[]): SarifRule[] {
  const used = new Set(drafts.map(({ rule }) => rule));
  const rules = [...CHECK_RULES, ...ruleInfos().map(toRule)].filter(({ id }) => used.has(id));
  const known = new Set(rules.map(({ id }) => id));
  // A report of another release may name a rule that this one does not know.
  for (const id of used) if (!known.has(id)) rules.push({ id, name: id, shortDescription: { text: id } });
  return rules;
}

function resultOf(report: Report, draft: Draft, ruleIndex: number): object {
  return {
    ruleId: draft.rule,
    ruleIndex,
    level: levelOf(draft.severity),
    message: { text: plain(draft.text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(report, draft.file), uriBaseId: '%SRCROOT%' },
          region: { startLine: Math.max(1, draft.line) },
        },
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint(draft.rule, ...draft.identity)}:1` },
    ...(draft.justification === undefined
      ? {}
      : {
          suppressions: [{ kind: 'external', status: 'accepted', justification: plain(draft.justification) }],
        }),
    properties: { severity: draft.severity, ...draft.properties },
  };
}

function levelOf(severity: SeverityName): 'error' | 'warning' | 'note' {
  if (severity === 'critical' || severity === 'high') return 'error';
  return severity === 'medium' ? 'warning' : 'note';
}

/** 16 hex digits, as GitHub's own. */
function fingerprint(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

function changeDrafts(report: Report): Draft[] {
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

function findingDrafts(report: Report): Draft[] {
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

function uncheckedDrafts(report: Report): Draft[] {
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

/** Relative to the repository's root, percent-encoded; never absolute, never above the root. */
function uriOf(report: Report, path: string): string {
  const folder = report.context?.workingDirectory ?? '.';
  const slashes = path.replaceAll('\\', '/').replace(/^(?:[A-Za-z]:)?\/+/, '');
  const joined = posix.normalize(posix.join(/^(?:\/|[A-Za-z]:)/.test(folder) ? '.' : folder, slashes));
  const inside = joined.replace(/^(?:\.\.\/)+/, '').replace(/^\.\/|^\/+/, '');
  return (inside === '' || inside === '.' || inside === '..' ? 'agentgate.lock' : inside)
    .split('/')
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd')))
    .join('/');
}

/** On one line, hidden characters shown; `[` and `]` escaped, as SARIF reads "[text](1)" as a link (§3.11.6). */
function plain(text: string): string {
  return cut(visibleLine(text.replace(/\s*\n\s*/g, ' ')).replace(/[[\]\\]/g, '\\$&'), MAX_TEXT);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$|\\$/, '')}…`;
}
