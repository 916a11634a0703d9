import { countsOf } from './counts.ts';
import { plural } from './document.ts';
import type { Report, ServerReport } from './model.ts';

/** How a server stands in a report of `lock`: what the new lock does with its entry. */
export type LockStatus = 'new' | 'changed' | 'same' | 'dropped' | 'kept' | 'skipped';

export function lockStatus(server: ServerReport): LockStatus {
  switch (server.status) {
    case 'new':
      return 'new';
    case 'drift':
      return 'changed';
    case 'gone':
      return 'dropped';
    case 'unchecked':
      return 'kept';
    case 'skipped':
      return 'skipped';
    case 'match':
      return 'same';
  }
}

/** What `lock` is about to do, in one sentence: `✅ AgentGate lock: 2 new servers to pin`. */
export function lockHeadline(report: Report): string {
  const of = (status: LockStatus): number =>
    report.servers.filter((server) => lockStatus(server) === status).length;
  const counts = countsOf(report);
  const parts = [
    [of('changed'), (count: number) => `${plural(count, 'pinned server')} changed`],
    [of('new'), (count: number) => `${plural(count, 'new server')} to pin`],
    [of('dropped'), (count: number) => `${plural(count, 'server')} no longer declared`],
    [of('same'), (count: number) => `${plural(count, 'server')} as pinned`],
    [counts.unchecked, (count: number) => `${plural(count, 'server')} could not be checked`],
    [
      counts.gatingFindings,
      (count: number) => `${plural(count, 'finding needs', 'findings need')} a decision`,
    ],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, say]) => say(count));
  const sign = report.exitCode !== 0 ? '❌' : of('changed') + of('dropped') > 0 ? '⚠️' : '✅';
  return `${sign} AgentGate lock: ${words.join(', ') || 'no servers are declared'}`;
}
