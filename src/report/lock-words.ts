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

/** Agent skills are no server. */
type Noun = 'server' | 'skills folder';

/** What is said of the servers of one status, in a headline and in a table. */
interface StatusWords {
  headline(count: number, noun: Noun): string;
  cell: string;
}

const LOCK: Record<LockStatus, StatusWords> = {
  changed: { headline: (count, noun) => `${plural(count, `pinned ${noun}`)} changed`, cell: 'changed' },
  new: { headline: (count, noun) => plural(count, `new ${noun}`), cell: 'new' },
  dropped: {
    headline: (count, noun) => `${plural(count, noun)} no longer declared`,
    cell: 'dropped: no longer declared',
  },
  same: { headline: (count, noun) => `${plural(count, noun)} as pinned`, cell: 'as pinned' },
  kept: {
    headline: (count, noun) => `${plural(count, noun)} could not be checked`,
    cell: 'could not be checked',
  },
  skipped: { headline: (count, noun) => `${plural(count, noun)} skipped`, cell: 'skipped' },
};

const DIFF: Record<LockStatus, StatusWords> = {
  ...LOCK,
  changed: {
    headline: (count, noun) => plural(count, `${noun} differs`, `${noun}s differ`),
    cell: 'differs',
  },
  new: {
    headline: (count, noun) => `${plural(count, noun)} only in the new lock`,
    cell: 'only in the new lock',
  },
  dropped: {
    headline: (count, noun) => `${plural(count, noun)} only in the old lock`,
    cell: 'only in the old lock',
  },
  same: { headline: (count, noun) => plural(count, `${noun} is equal`, `${noun}s are equal`), cell: 'equal' },
};

export function statusWords(purpose: 'lock' | 'diff', status: LockStatus): StatusWords {
  return (purpose === 'lock' ? LOCK : DIFF)[status];
}

function nounOf({ transport }: ServerReport): Noun {
  return transport === 'skills' ? 'skills folder' : 'server';
}

/** The order in which servers are told. */
export const LOCK_ORDER: readonly LockStatus[] = ['changed', 'dropped', 'new', 'kept', 'skipped', 'same'];

/** What `lock` is about to do, or what `diff` of two files found: `✅ AgentGate lock: 2 new servers`. */
export function lockHeadline(report: Report, purpose: 'lock' | 'diff'): string {
  const of = (status: LockStatus, noun?: Noun): number =>
    report.servers.filter(
      (server) => lockStatus(server) === status && (noun === undefined || nounOf(server) === noun),
    ).length;
  const words = LOCK_ORDER.flatMap((status) =>
    (['server', 'skills folder'] as const).flatMap((noun) => {
      const count = of(status, noun);
      return count === 0 ? [] : [statusWords(purpose, status).headline(count, noun)];
    }),
  );
  const { gatingFindings } = countsOf(report);
  if (gatingFindings > 0)
    words.push(`${plural(gatingFindings, 'finding needs', 'findings need')} a decision`);
  const asks = of('changed') + of('dropped') > 0;
  const sign = report.exitCode !== 0 ? '❌' : asks ? '⚠️' : '✅';
  const none = purpose === 'lock' ? 'no servers are declared' : 'no servers in either lock';
  return `${sign} AgentGate ${purpose}: ${words.join(', ') || none}`;
}
