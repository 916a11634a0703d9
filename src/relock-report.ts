import { serverPolicy } from './config/policy.ts';
import type { FailOn } from './config/types.ts';
import { raiseByCause } from './drift/cause.ts';
import { causeOf } from './drift/cause-of.ts';
import type { RelockPlan } from './relock.ts';
import { buildReport } from './report/build.ts';
import type { Report, ServerReport } from './report/model.ts';
import { serverReport, unreadableReport } from './server-report.ts';
import { skillsReport } from './skills-report.ts';
import type { SurveyedServer } from './survey.ts';

/**
 * What `lock` shows before it writes (`purpose: 'lock'`): the old lock against the new one, so a server's status is
 * `new`, `drift` (its entry changes), `match`, `gone` (its entry is dropped), `unchecked` (its entry stays) or `skipped`.
 * The exit code is 0 when every server could be pinned and no finding gates, else 2.
 */
export function relockReport(
  plan: RelockPlan,
  options: { path: string; failOn?: FailOn; durationMs: number },
): Report {
  const changed = new Set(plan.changes.map((change) => change.server));
  const servers = plan.surveyed.servers.map((server) => surveyedReport(server, plan, changed));
  const causes = new Map(servers.flatMap(({ key, cause }) => (cause === undefined ? [] : [[key, cause]])));
  return buildReport({
    purpose: 'lock',
    failOn: options.failOn ?? plan.surveyed.policy.failOn ?? 'any',
    lockfile: { path: options.path, sha256: plan.beforeSha256 ?? null },
    durationMs: options.durationMs,
    servers: [
      ...servers,
      ...plan.surveyed.unreadable.map((entry) =>
        unreadableReport(entry, plan.before?.servers.get(entry.key)),
      ),
      ...(plan.surveyed.skills?.folders ?? []).map((folder): ServerReport => {
        const locked = plan.before?.servers.get(folder.key);
        const report = skillsReport(folder, locked);
        if (folder.result.state !== 'listed') return report;
        return { ...report, status: !locked ? 'new' : changed.has(folder.key) ? 'drift' : 'match' };
      }),
      ...plan.dropped.map((key) => droppedReport(key, plan)),
    ],
    changes: plan.changes.flatMap((change) => {
      const cause = causes.get(change.server);
      return cause === undefined ? [change] : raiseByCause([change], cause);
    }),
    findings: plan.findings,
    errors: [],
    info: plan.info,
  });
}

function surveyedReport(
  server: SurveyedServer,
  plan: RelockPlan,
  changed: ReadonlySet<string>,
): ServerReport {
  const { key } = server.declared;
  const locked = plan.before?.servers.get(key);
  const report = serverReport(server, locked);
  if (server.result.state !== 'listed') return report;
  if (!locked) return { ...report, status: 'new' };
  if (!changed.has(key)) return report;
  const changes = plan.changes.filter((change) => change.server === key);
  const { cause, text } = causeOf(changes, {
    locked,
    live: server.result.entry,
    declaredSource: server.source,
    policy: serverPolicy(plan.surveyed.policy, key),
  });
  return { ...report, status: 'drift', cause, causeText: text };
}

function droppedReport(key: string, plan: RelockPlan): ServerReport {
  const entry = plan.before?.servers.get(key);
  return {
    key,
    status: 'gone',
    config: entry?.config,
    lockedSource: entry?.source,
    transport: entry?.transport,
    tools: entry?.tools?.size ?? 0,
  };
}
