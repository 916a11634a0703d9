import { createHash } from 'node:crypto';
import { ruleInfos } from '../findings/rules/all.ts';
import { VERSION } from '../version.ts';
import { type SeverityName, severityRank } from './counts.ts';
import type { Report } from './model.ts';
import { draftsOf, type SarifDraft } from './sarif-drafts.ts';
import { CHECK_RULES, type SarifRule, toRule } from './sarif-rules.ts';
import { plain, uriOf } from './sarif-text.ts';

/** GitHub code scanning takes 25,000 results a run, and shows the worst 5,000 of them. */
export const MAX_RESULTS = 25_000;
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * The report as SARIF 2.1.0 (OASIS), for GitHub code scanning: unaccepted changes, findings (suppressed ones marked),
 * and what could not be checked, which would otherwise read as "fixed". Worst first, at most {@link MAX_RESULTS}.
 * Paths are relative to the repository, line numbers those of the lock, else of the config.
 */
export function renderSarif(report: Report): string {
  const drafts = draftsOf(report);
  drafts.sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
  const kept = drafts.slice(0, MAX_RESULTS);
  const rules = rulesFor(kept);
  const index = new Map(rules.map((rule, at) => [rule.id, at]));
  const printOf = fingerprints();
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
        results: kept.map((draft) => resultOf(report, draft, index.get(draft.rule) ?? -1, printOf(draft))),
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

function rulesFor(drafts: readonly SarifDraft[]): SarifRule[] {
  const used = new Set(drafts.map(({ rule }) => rule));
  const rules = [...CHECK_RULES, ...ruleInfos().map(toRule)].filter(({ id }) => used.has(id));
  const known = new Set(rules.map(({ id }) => id));
  // A report of another release may name a rule that this one does not know.
  for (const id of used) if (!known.has(id)) rules.push({ id, name: id, shortDescription: { text: id } });
  return rules;
}

function resultOf(report: Report, draft: SarifDraft, ruleIndex: number, print: string): object {
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
    partialFingerprints: { primaryLocationLineHash: print },
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

/** As GitHub's own: of several that are the same alert each has its number, or only one would be shown. */
function fingerprints(): (draft: SarifDraft) => string {
  const counts = new Map<string, number>();
  return (draft) => {
    const print = fingerprint(draft.rule, ...draft.identity);
    const count = (counts.get(print) ?? 0) + 1;
    counts.set(print, count);
    return `${print}:${count}`;
  };
}

/** 16 hex digits, as GitHub's own. */
function fingerprint(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
