import { countsOf } from './counts.ts';
import { type Inline, plural, text } from './document.ts';
import { lockHeadline } from './lock-words.ts';
import type { Report } from './model.ts';

/** The sign in front of a verdict: a failing run never looks green, a reported-only one never looks red. */
export function verdictSign(report: Report): string {
  if (report.exitCode !== 0) return '❌';
  return report.verdict === 'clean' ? '✅' : '⚠️';
}

/** The verdict in one sentence, our own words and numbers only. */
export function headlineWords(report: Report): string {
  const counts = countsOf(report);
  const all = counts.servers - counts.skipped;
  // What was not looked at is never part of a green sentence unsaid.
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const drift =
    counts.drifting > 0
      ? `${ofAll(counts.drifting, all)} ${counts.drifting === 1 ? 'is' : 'are'} not what was reviewed`
      : plural(counts.changes, 'change is not accepted', 'changes are not accepted');
  switch (report.verdict) {
    case 'unchecked': {
      const what =
        counts.unchecked > 0
          ? `${ofAll(counts.unchecked, all)} could not be checked`
          : 'the check could not be completed';
      return counts.changes + counts.drifting > 0 ? `${drift}, and ${what}` : what;
    }
    case 'drift':
      return drift;
    case 'findings':
      return `servers match the lock, but ${plural(counts.findings, 'finding needs', 'findings need')} a decision`;
    case 'clean':
      if (counts.accepted > 0)
        return `servers match the lock, and this pull request changes the lock${skipped}`;
      if (counts.servers === 0) return 'no servers are declared';
      if (all === 0) return `no server was checked${skipped}`;
      return `${plural(counts.matching, 'server matches', 'servers match')} the lock${skipped}`;
  }
}

/** `❌ AgentGate: 1 of 3 servers is not what was reviewed`. */
export function headline(report: Report): Inline[] {
  if (report.purpose !== undefined) return [text(lockHeadline(report, report.purpose))];
  const gate =
    report.exitCode === 0 && report.verdict !== 'clean'
      ? ` (reported only: fail-on is ${report.failOn})`
      : '';
  return [text(`${verdictSign(report)} AgentGate: ${headlineWords(report)}${gate}`)];
}

/** `1 of 3 servers`; `1 server` when there is no other. */
function ofAll(count: number, all: number): string {
  return count === all && all === 1 ? '1 server' : `${count} of ${plural(all, 'server')}`;
}
