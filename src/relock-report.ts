import { serverReport } from './check.ts';
import type { FailOn } from './config/types.ts';
import type { RelockPlan } from './relock.ts';
import { buildReport } from './report/build.ts';
import type { Report } from './report/model.ts';

/**
 * What `lock` shows before it writes: the changes are what the new lock accepts. Its exit code is 0 when every
 * server could be pinned and no finding gates.
 */
export function relockReport(
  plan: RelockPlan,
  options: { path: string; failOn?: FailOn; durationMs: number },
): Report {
  return buildReport({
    failOn: options.failOn ?? plan.surveyed.policy.failOn ?? 'any',
    lockfile: { path: options.path, sha256: null },
    durationMs: options.durationMs,
    servers: [
      ...plan.surveyed.servers.map((server) => {
        const report = serverReport(server, plan.before?.servers.get(server.declared.key));
        return {
          ...report,
          status: report.status === 'drift' || report.status === 'new' ? 'match' : report.status,
        };
      }),
      ...plan.surveyed.unreadable.map(({ key, config, line, error }) => ({
        key,
        status: 'unchecked',
        config,
        line,
        error,
        tools: plan.before?.servers.get(key)?.tools?.size ?? 0,
      })),
    ] as Report['servers'],
    changes: plan.changes,
    findings: plan.findings,
    errors: [],
    info: plan.info,
  });
}
