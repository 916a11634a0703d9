import { visibleLine } from '../util/hidden.ts';
import { driftGates, findingGates, type SeverityName, severityRank } from './counts.ts';
import { cut } from './document.ts';
import { failureLine } from './failure-line.ts';
import { headlineWords } from './headline.ts';
import type { Report } from './model.ts';
import { capabilityKey } from './units.ts';
import { changePhrase, KIND_WORDS } from './words.ts';

export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** Where an annotation stands: relative to the workspace, 1-based. What concerns no file has none. */
interface Place {
  file?: string;
  line?: number;
  /** Of an error in a config or the lock. */
  column?: number;
}

/** One annotation. All texts are plain. */
export interface Annotation extends Place {
  level: AnnotationLevel;
  title: string;
  message: string;
}

/**
 * The runner keeps 10 of a level in a step and drops the rest in silence: 9 of the report, and one place for why the run
 * fails, or why a comment could not be written.
 */
const PER_LEVEL = 9;
/** The runner cuts a message here. Source of both: actions/runner, `ExecutionContext.cs`. */
const MESSAGE = 4_096;
const TITLE = 200;

interface Draft extends Annotation {
  severity: SeverityName;
}

/**
 * The annotations of a report: one per capability, worst first, at most nine a level. An error is what makes the run
 * fail, a warning what does not, a notice what the pull request accepts. A failing run ends with why it fails.
 */
export function annotationsFor(report: Report): Annotation[] {
  const drafts = [
    ...fromErrors(report),
    ...fromServers(report),
    ...fromChanges(report),
    ...fromFindings(report),
  ];
  return (['error', 'warning', 'notice'] as const).flatMap((level) => {
    const those = drafts
      .filter((draft) => draft.level === level)
      .sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
    const closes = level === 'error' && report.exitCode !== 0;
    const room = closes || those.length <= PER_LEVEL ? PER_LEVEL : PER_LEVEL - 1;
    const shown = those.slice(0, room).map(({ severity: _, ...annotation }): Annotation => annotation);
    const more = those.length - shown.length;
    const others = `${more} more of this level are in the job summary`;
    if (closes) {
      const message = more > 0 ? `${failureLine(report)}; ${others}` : failureLine(report);
      return [...shown, { level, title: 'AgentGate', message: oneLine(message, MESSAGE) }];
    }
    if (more === 0) return shown;
    const message = `${others}; ${headlineWords(report)}.`;
    return [...shown, { level, title: `AgentGate: ${more} more`, message: oneLine(message, MESSAGE) }];
  });
}

function workspacePath(report: Report, path: string): string {
  const directory = report.context?.workingDirectory ?? '.';
  const full = directory === '.' || directory === '' ? path : `${directory}/${path}`;
  return oneLine(full.replace(/^(?:\.\/)+/, ''), 1_000);
}

function oneLine(words: string, length: number): string {
  const line = visibleLine(words.replace(/\s+/g, ' '));
  return line.length <= length ? line : `${cut(line, length - 1)}…`;
}

/** On the lock's line of the capability, else of the server, else the config's line of the server. */
function place(report: Report, server: string, lockLine: number | undefined): Place {
  const lock = workspacePath(report, report.lockfile.path);
  if (lockLine !== undefined && lockLine > 0) return { file: lock, line: lockLine };
  const entry = report.servers.find((one) => one.key === server);
  if (entry?.config !== undefined && entry.line !== undefined && entry.line > 0) {
    const { config, line, column } = entry;
    return { file: workspacePath(report, config), line, ...(column === undefined ? {} : { column }) };
  }
  return { file: lock, line: entry?.lockLine !== undefined && entry.lockLine > 0 ? entry.lockLine : 1 };
}

function draft(
  level: AnnotationLevel,
  severity: SeverityName,
  at: Place,
  title: string,
  message: string,
): Draft {
  return { level, severity, ...at, title: oneLine(title, TITLE), message: oneLine(message, MESSAGE) };
}

function fromErrors(report: Report): Draft[] {
  return report.errors.map((error) =>
    draft('error', 'critical', errorPlace(report, error), `AgentGate: ${error.code}`, error.message),
  );
}

/** Where an error says it is. A file that is missing has no line to point at. */
function errorPlace(report: Report, { code, file, line, column }: Report['errors'][number]): Place {
  if (file === undefined || code === 'E_LOCK_MISSING') return {};
  const known = (at: number | undefined): at is number => at !== undefined && at > 0;
  return {
    file: workspacePath(report, file),
    line: known(line) ? line : 1,
    ...(known(line) && known(column) ? { column } : {}),
  };
}

function fromServers(report: Report): Draft[] {
  return report.servers.flatMap((server): Draft[] => {
    const at = place(report, server.key, undefined);
    if (server.status === 'unchecked') {
      const { error } = server;
      const why =
        error === undefined ? 'The server could not be checked.' : `${error.message} (${error.code})`;
      return [draft('error', 'critical', at, `AgentGate: ${server.key} was not checked`, why)];
    }
    if (server.switchedOff?.byPullRequest !== true) return [];
    const why = `This pull request switches off the check of a reviewed server${server.reason === undefined ? '' : `: ${server.reason}`}.`;
    return [draft('warning', 'high', at, `AgentGate: ${server.key} is no longer checked`, why)];
  });
}

function fromChanges(report: Report): Draft[] {
  return report.changes.map((change) => {
    const kind = KIND_WORDS[change.kind]?.one ?? '';
    const what = change.name === '' ? `${change.server} ${kind}` : `${change.server} ${kind} ${change.name}`;
    const level = change.accepted
      ? 'notice'
      : driftGates(change.severity, report.failOn)
        ? 'error'
        : 'warning';
    const findings = report.findings.filter(
      (finding) =>
        finding.suppressed === null &&
        finding.server === change.server &&
        finding.kind === change.kind &&
        finding.name === change.name,
    );
    const message = [
      `${change.severity}: ${changePhrase(change)}.`,
      ...change.fields.slice(0, 8).map((field) => `${field.pointer || '/'} ${field.class}.`),
      ...findings.slice(0, 4).map((finding) => `${finding.rule}: ${finding.message}`),
      change.accepted ? 'This pull request accepts it.' : 'It is not accepted.',
    ].join(' ');
    return draft(
      level,
      change.severity,
      place(report, change.server, change.lockLine),
      `AgentGate: ${what}`,
      message,
    );
  });
}

/** Findings on capabilities that did not change; the others are told with their change. */
function fromFindings(report: Report): Draft[] {
  const changed = new Set(report.changes.map(capabilityKey));
  const worst = new Map<string, Report['findings'][number]>();
  for (const finding of report.findings) {
    const key = capabilityKey(finding);
    if (finding.suppressed !== null || changed.has(key)) continue;
    const other = worst.get(key);
    if (other === undefined || severityRank(finding.severity) < severityRank(other.severity))
      worst.set(key, finding);
  }
  return [...worst.values()].map((finding) =>
    draft(
      findingGates(finding, report.failOn) ? 'error' : 'warning',
      finding.severity,
      place(report, finding.server, finding.lockLine),
      `AgentGate: ${finding.rule} in ${finding.server} ${finding.name}`,
      `${finding.severity}: ${finding.message}`,
    ),
  );
}
