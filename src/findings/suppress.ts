import type { Policy, Suppression } from '../config/types.ts';
import { RULES } from './rules/all.ts';
import type { Finding } from './types.ts';

/** A remark on a suppression, for the report. */
export interface SuppressionInfo {
  code: 'suppression-expired' | 'suppression-unused';
  server?: string;
  message: string;
}

/** The servers whose findings are there, and whether those are all servers. */
export interface Seen {
  servers: { has(key: string): boolean };
  all: boolean;
}

/**
 * Marks the findings that a suppression of the policy covers with its reason; nothing is taken out. A suppression
 * counts through its `expires` day (UTC); an expired one covers nothing and is reported, as is one that covers
 * nothing of what was looked at (`seen`; all when absent): of a server that was not, nobody knows. `today` is the clock.
 */
export function applySuppressions(
  findings: readonly Finding[],
  policy: Pick<Policy, 'suppress'>,
  today: Date,
  seen?: Seen,
): { findings: Finding[]; info: SuppressionInfo[] } {
  const day = today.toISOString().slice(0, 10);
  const expired = policy.suppress.filter((one) => one.expires !== undefined && one.expires < day);
  const active = policy.suppress.filter((one) => !expired.includes(one));
  const used = new Set<Suppression>();
  const marked = findings.map((finding) => {
    const covering = active.filter((one) => covers(one, finding));
    for (const one of covering) used.add(one);
    const [first] = covering;
    return first ? { ...finding, suppressed: first.reason } : finding;
  });
  const info: SuppressionInfo[] = [];
  for (const one of policy.suppress) {
    if (!RULES.some(({ id }) => id === one.rule)) {
      info.push(remark(one, 'suppression-unused', 'names a rule that there is not: see docs/rules'));
    } else if (expired.includes(one)) {
      const still = findings.some((finding) => covers(one, finding));
      info.push(
        remark(
          one,
          'suppression-expired',
          still
            ? `expired on ${one.expires}: what it covered counts again`
            : `expired on ${one.expires} and covers nothing: remove it`,
        ),
      );
    } else if (!used.has(one) && wasSeen(one, seen))
      info.push(remark(one, 'suppression-unused', 'covers nothing: remove it'));
  }
  return { findings: marked, info };
}

function wasSeen({ server }: Suppression, seen: Seen | undefined): boolean {
  if (seen === undefined) return true;
  return server === undefined ? seen.all : seen.servers.has(server);
}

function covers(one: Suppression, finding: Finding): boolean {
  return (
    one.rule === finding.rule &&
    (one.server === undefined || one.server === finding.server) &&
    (one.name === undefined || one.name === finding.name)
  );
}

function remark(one: Suppression, code: SuppressionInfo['code'], text: string): SuppressionInfo {
  const of = [one.server, one.name].filter((part) => part !== undefined).join(' / ');
  return {
    code,
    ...(one.server === undefined ? {} : { server: one.server }),
    message: `the suppression of ${one.rule}${of ? ` for ${of}` : ''} (line ${one.line}) ${text}`,
  };
}
