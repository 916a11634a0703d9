import { createHash } from 'node:crypto';
import type { Base } from './base-files.ts';
import type { Policy } from './config/types.ts';
import { compareLocks } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import { findIn } from './findings/findings.ts';
import { raiseByFindings } from './findings/raise.ts';
import { applySuppressions } from './findings/suppress.ts';
import type { LockLines } from './lock/lines.ts';
import { LOCK_WEIGHT } from './lock/lock-size.ts';
import { parseLock } from './lock/read.ts';
import type { Lock } from './lock/types.ts';
import type { Report, ReportError, ServerReport } from './report/model.ts';
import { messageOf } from './util/errors.ts';

/** The lock of the checked-out code, as far as it can be read. */
export interface HeadLock {
  lines?: LockLines;
  sha256?: string;
  /** Bytes. */
  size?: number;
  value?: Lock;
  /** There is a file, whatever is in it. */
  present: boolean;
}

/** A missing lock that the base has is deleted by the pull request: that undoes every review at once. */
export function sayDeleted(base: Base, shown: string, errors: ReportError[]): void {
  const missing = errors.find((error) => error.code === 'E_LOCK_MISSING');
  if (!missing || base.lockText === null) return;
  missing.message =
    `this pull request deletes ${shown}, and with it every review that it records; restore it with ` +
    `git checkout ${base.commit.slice(0, 12)} -- ${shown}`;
}

export interface Accepted {
  changes: Change[];
  base?: Lock;
  baseLockfile?: Report['baseLockfile'];
}

/** Base lock against head lock: what merging the pull request accepts. `policy` says which findings raise no change. */
export function acceptedChanges(
  base: Base | undefined,
  head: HeadLock,
  shown: string,
  info: Report['info'],
  policy: Pick<Policy, 'suppress'> = { suppress: [] },
): Accepted {
  if (!base) return { changes: [] };
  const { lockText } = base;
  const baseLockfile = {
    sha256: lockText === null ? null : createHash('sha256').update(lockText).digest('hex'),
    commit: base.commit,
  };
  // A head lock that is broken says nothing about what would be accepted.
  if (head.present && !head.value) return { changes: [], baseLockfile };
  // Most pull requests leave the lock alone: it is not read a second time.
  if (head.value && baseLockfile.sha256 === head.sha256)
    return { changes: [], base: head.value, baseLockfile };
  let before: Lock | undefined;
  try {
    const name = `${shown} at ${base.commit.slice(0, 7)}`;
    // Both are in memory, with what the servers show.
    before = lockText === null ? undefined : parseLock(lockText, name, LOCK_WEIGHT - (head.size ?? 0));
  } catch (error) {
    info.push({
      code: 'base-lock-unreadable',
      message: `the lock on the base cannot be read, so all of this lock is shown as accepted: ${messageOf(error)}`,
    });
  }
  const { changes } = compareLocks(before, head.value, { accepted: true });
  if (!head.present) for (const change of changes) change.severity = 'high';
  if (changes.length > 0) {
    const [now, then] = [head.value, before].map((side) => findIn(side?.servers ?? new Map(), []));
    raiseByFindings(changes, applySuppressions(now ?? [], policy, new Date()).findings, then ?? []);
  }
  return { changes, base: before, baseLockfile };
}

/** The servers with what the base's lock says of their source. */
export function withBaseSources(servers: ServerReport[], base: Lock | undefined): ServerReport[] {
  if (!base) return servers;
  return servers.map((server) => ({ ...server, baseSource: base.servers.get(server.key)?.source }));
}
