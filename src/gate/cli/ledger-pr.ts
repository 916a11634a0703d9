import { dirname, relative } from 'node:path';
import type { Io } from '../../cli/io.ts';
import { lockfilePath } from '../../cli/shared.ts';
import { readLock } from '../../lock/read-file.ts';
import { AgentGateError } from '../../util/errors.ts';
import { own } from '../../util/json.ts';
import { runGit } from '../git/run-git.ts';
import { githubAccess, repositoryName } from '../github/access.ts';
import { mergedPull } from '../github/merged-pull.ts';
import type { EntryDraft, LedgerEntry } from '../ledger/entry.ts';
import { type LedgerOptions, openLedger, places } from './ledger-options.ts';

/**
 * `agentgate ledger record-pr`: who approved the lock that is checked out. With options as they tell; without, as GitHub tells
 * of the commit that last changed it. A lock that reached the branch without a pull request is recorded as drift that nobody
 * approved. A lock that is the last recorded one is not recorded again.
 */
export async function recordPr(io: Io, options: LedgerOptions): Promise<number> {
  const { path, cwd } = await places(io, options);
  const lockfile = await lockfilePath(io, { cwd: options.cwd, lockfile: options.lockfile });
  const { sha256 } = await readLock(lockfile, relative(cwd, lockfile));
  const told = options.pr ?? options.headSha ?? options.mergeSha ?? options.reviewers;
  const draft = told === undefined ? await asked(io, lockfile, sha256) : asTold(options, sha256);
  const { ledger, entries } = await openLedger(io, path);
  if (lastLock(entries) === sha256) {
    io.stdout.write(`This lock is the last recorded one (sha256 ${sha256}); nothing was added.\n`);
    return 0;
  }
  await ledger.append(draft);
  io.stdout.write(`${sentence(draft)}\n`);
  return 0;
}

/** Digest of the lock that was recorded last. */
function lastLock(entries: readonly LedgerEntry[]): string | undefined {
  const entry = entries.findLast(
    ({ type, server, payload }) =>
      type === 'lock_drift_approved' ||
      (type === 'lock_drift_seen' && server === null && own(payload, 'merge_sha') !== undefined),
  );
  const digest = entry === undefined ? undefined : own(entry.payload, 'lock_sha256');
  return typeof digest === 'string' ? digest : undefined;
}

async function asked(io: Io, lockfile: string, sha256: string): Promise<EntryDraft> {
  const repository = repositoryName(
    io.env,
    'tell what was merged with --pr, --head-sha, --merge-sha and --reviewers',
  );
  const found = await runGit(dirname(lockfile), ['rev-list', '-1', '--first-parent', 'HEAD', '--', lockfile]);
  const commit = found?.toString().trim() ?? '';
  if (!isCommit(commit))
    throw new AgentGateError('E_GIT_STATE', `No commit here holds ${lockfile}; check the branch out first.`);
  const pull = await mergedPull(githubAccess(io.env), repository, commit);
  const about = { proposal_id: null, server: null, actor: 'github' };
  const payload = { repository, merge_sha: commit, lock_sha256: sha256 };
  if (pull === undefined)
    return {
      ...about,
      type: 'lock_drift_seen',
      payload: { ...payload, reason: 'the lock reached the branch without a pull request' },
    };
  return {
    ...about,
    type: 'lock_drift_approved',
    payload: {
      ...payload,
      pr: pull.number,
      author: pull.author,
      merged_by: pull.mergedBy,
      head_sha: pull.headSha,
      reviewers: pull.approved,
      reviewers_of_earlier_heads: pull.approvedBefore,
    },
  };
}

function asTold(options: LedgerOptions, sha256: string): EntryDraft {
  const pr = Number(options.pr);
  if (!Number.isSafeInteger(pr) || pr <= 0)
    throw new AgentGateError('E_USAGE', '--pr takes the number of a pull request.');
  const sha = (name: string, value = ''): string => {
    if (!isCommit(value)) throw new AgentGateError('E_USAGE', `${name} takes a whole commit id.`);
    return value;
  };
  const reviewers = options.reviewers ?? [];
  const wrong = reviewers.find((login) => !/^[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\[bot\])?$/.test(login));
  if (wrong !== undefined) throw new AgentGateError('E_USAGE', `${JSON.stringify(wrong)} is no login.`);
  if (reviewers.length === 0) throw new AgentGateError('E_USAGE', '--reviewers names who approved.');
  return {
    type: 'lock_drift_approved',
    proposal_id: null,
    server: null,
    actor: 'github',
    payload: {
      pr,
      head_sha: sha('--head-sha', options.headSha),
      merge_sha: sha('--merge-sha', options.mergeSha),
      lock_sha256: sha256,
      reviewers,
    },
  };
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

function sentence({ payload }: EntryDraft): string {
  const reviewers = own(payload, 'reviewers');
  if (!Array.isArray(reviewers)) return 'Recorded: this lock reached the branch without a pull request.';
  const who = reviewers.length === 0 ? 'nobody approved' : `${reviewers.join(', ')} approved`;
  return `Recorded: ${who} this lock in pull request ${String(own(payload, 'pr'))}.`;
}
