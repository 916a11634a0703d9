import { grouped } from '../util/grouped.ts';
import { countsOf } from './counts.ts';
import { type Inline, plural, text } from './document.ts';
import { lockHeadline } from './lock-words.ts';
import type { Report, ServerReport } from './model.ts';
import { changesPolicy } from './policy-blocks.ts';
import { switchedOff } from './switched-off-blocks.ts';

/** The sign in front of a verdict: a failing run never looks green, a reported-only one never looks red. */
function verdictSign(report: Report): string {
  if (report.exitCode !== 0) return '❌';
  return report.verdict === 'clean' && switchedOff(report) === 0 && !changesPolicy(report) ? '✅' : '⚠️';
}

/** The verdict in one sentence, our own words and numbers only. */
export function headlineWords(report: Report): string {
  const counts = countsOf(report);
  const drift = driftWords(report);
  switch (report.verdict) {
    case 'unchecked': {
      const what =
        counts.unchecked > 0 ? statusWords(report, 'unchecked', drift !== '') : incompleteWords(report);
      return drift === '' ? what : `${drift}, and ${what}`;
    }
    case 'drift':
      return drift;
    case 'findings':
      return `${matching(report)} the lock, but ${plural(counts.findings, 'finding needs', 'findings need')} a decision`;
    case 'clean': {
      if (counts.accepted > 0)
        return `${matching(report)} the lock, and this pull request accepts ${plural(counts.accepted, 'change')} to it${skippedWords(report)}`;
      if (counts.servers === 0) return 'no servers are declared';
      if (counts.servers === counts.skipped) return `no server was checked${skippedWords(report)}`;
      const match = counts.matching === 1 ? 'matches' : 'match';
      return `${nouns(report, counts.matching)} ${match} the lock${skippedWords(report)}`;
    }
  }
}

/** `1 of 3 servers is not what was reviewed, 1 was never reviewed`; empty when nothing differs. */
function driftWords(report: Report): string {
  const found = (['drift', 'new', 'gone'] as const).filter((status) => countOf(report, status) > 0);
  const words = found.map((status, index) => statusWords(report, status, index > 0));
  if (words.length > 0) return words.join(', ');
  const { changes } = countsOf(report);
  return changes === 0 ? '' : plural(changes, 'change is not accepted', 'changes are not accepted');
}

const STATUS = {
  drift: ['is not what was reviewed', 'are not what was reviewed'],
  new: ['was never reviewed', 'were never reviewed'],
  gone: ['is reviewed, but no longer declared', 'are reviewed, but no longer declared'],
  unchecked: ['could not be checked', 'could not be checked'],
} as const;

/** `1 of 3 servers is not what was reviewed`; `further` when servers were named before. */
function statusWords(report: Report, status: keyof typeof STATUS, further = false): string {
  const count = countOf(report, status);
  const words = STATUS[status][count === 1 ? 0 : 1];
  if (further) return `${grouped(count)} ${words}`;
  const all = report.servers.length - countOf(report, 'skipped');
  const of = all === 1 ? '' : `${grouped(count)} of `;
  return `${of}${nouns(report, all)} ${words}`;
}

function countOf(report: Report, status: ServerReport['status']): number {
  return report.servers.filter((server) => server.status === status).length;
}

/** `3 servers`; agent skills are no server. */
function nouns(report: Report, count: number): string {
  const skills = report.servers.filter(({ transport }) => transport === 'skills').length;
  if (skills === 0) return plural(count, 'server');
  if (skills === report.servers.length) return plural(count, 'skills folder');
  return count === 1 ? '1 server or skills folder' : `${plural(count, 'server')} and skills folders`;
}

function matching(report: Report): string {
  const skills = report.servers.filter(({ transport }) => transport === 'skills').length;
  return skills === 0
    ? 'servers match'
    : skills === report.servers.length
      ? 'skills match'
      : 'servers and skills match';
}

/** What was not looked at is never part of a green sentence unsaid. */
function skippedWords(report: Report): string {
  const skipped = countOf(report, 'skipped');
  const off = switchedOff(report);
  return [
    ...(skipped - off > 0 ? [`, ${skipped - off} skipped`] : []),
    ...(off > 0
      ? [`, but this pull request switches off the check of ${plural(off, 'reviewed server')}`]
      : []),
  ].join('');
}

/** Why nothing could be compared, where that is one thing. */
function incompleteWords(report: Report): string {
  const [error, ...others] = report.errors;
  if (error?.code !== 'E_LOCK_MISSING' || others.length > 0) return 'the check could not be completed';
  const deleted = typeof report.baseLockfile?.sha256 === 'string';
  return deleted ? 'this pull request deletes the lock' : 'there is no lock to check against';
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
