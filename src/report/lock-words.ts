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

/** What is said of the servers of one status, in a headline and in a table. */
interface StatusWords {
  headline(count: number): string;
  cell: string;
}

const LOCK: Record<LockStatus, StatusWords> = {
  changed: { headline: (count) => `${plural(count, 'pinned server')} changed`, cell: 'changed' },
  new: { headline: (count) => plural(count, 'new server'), cell: 'new' },
  dropped: {
    headline: (count) => `${plural(count, 'server')} no longer declared`,
    cell: 'dropped: no longer declared',
  },
  same: { headline: (count) => `${plural(count, 'server')} as pinned`, cell: 'as pinned' },
  kept: {
    headline: (count) => `${plural(count, 'server')} could not be checked`,
    cell: 'could not be checked',
  },
  skipped: { headline: (count) => `${plural(count, 'server')} skipped`, cell: 'skipped' },
};

const DIFF: Record<LockStatus, StatusWords> = {
  ...LOCK,
  changed: { headline: (count) => plural(count, 'server differs', 'servers differ'), cell: 'differs' },
  new: {
    headline: (count) => `${plural(count, 'server')} only in the new lock`,
    cell: 'only in the new lock',
  },
  dropped: {
    headline: (count) => `${plural(count, 'server')} only in the old lock`,
    cell: 'only in the old lock',
  },
  same: { headline: (count) => plural(count, 'server is equal', 'servers are equal'), cell: 'equal' },
};

export function statusWords(purpose: 'lock' | 'diff', status: LockStatus): StatusWords {
  return (purpose === 'lock' ? LOCK : DIFF)[status];
}

/** The order in which servers are told. */
export const LOCK_ORDER: readonly LockStatus[] = ['changed', 'dropped', 'new', 'kept', 'skipped', 'same'];

/** What `lock` is about to do, or what `diff` of two files found: `✅ AgentGate lock: 2 new servers`. */
export function lockHeadline(report: Report, purpose: 'lock' | 'diff'): string {
  const of = (status: LockStatus): number =>
    report.servers.filter((server) => lockStatus(server) === status).length;
  const words = LOCK_ORDER.filter((status) => of(status) > 0).map((status) =>
    statusWords(purpose, status).headline(of(status)),
  );
  const { gatingFindings } = countsOf(report);
  if (gatingFindings > 0)
    words.push(`${plural(gatingFindings, 'finding needs', 'findings need')} a decision`);
  const asks = of('changed') + of('dropped') > 0;
  const sign = report.exitCode !== 0 ? '❌' : asks ? '⚠️' : '✅';
  const none = purpose === 'lock' ? 'no servers are declared' : 'no servers in either lock';
  return `${sign} AgentGate ${purpose}: ${words.join(', ') || none}`;
}
