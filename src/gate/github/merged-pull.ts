import { AgentGateError } from '../../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../../util/json.ts';
import { type GithubAccess, readGithub } from './api.ts';

/** A pull request that was merged, and who stood behind what was merged. */
export interface MergedPull {
  number: number;
  author: string;
  mergedBy: string;
  headSha: string;
  /** Whose last word was an approval of that very head. */
  approved: string[];
  /** Whose last word was an approval of an earlier head. */
  approvedBefore: string[];
}

const PAGE = 100;
/** GitHub gives no more reviews than fit on these. */
const MAX_PAGES = 30;

/**
 * The merged pull request that brought a commit to its branch; undefined when none did (it was pushed). Throws `E_GITHUB` when
 * that cannot be read.
 */
export async function mergedPull(
  access: GithubAccess,
  repository: string,
  commit: string,
): Promise<MergedPull | undefined> {
  // "Lists the merged pull request that introduced the commit", whatever way it was merged.
  const pulls = listOf(await read(access, `/repos/${repository}/commits/${commit}/pulls`));
  const merged = pulls.find((pull) => isObject(pull) && typeof own(pull, 'merged_at') === 'string');
  const number = isObject(merged) ? own(merged, 'number') : undefined;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
  const pull = await read(access, `/repos/${repository}/pulls/${number}`);
  const head = isObject(pull) ? own(pull, 'head') : undefined;
  const headSha = isObject(head) ? own(head, 'sha') : undefined;
  if (!isObject(pull) || typeof headSha !== 'string') throw unread(`pull request ${number}`);
  const last = await lastReviews(access, repository, number);
  const by = (isHead: boolean): string[] =>
    [...last]
      .filter(([, { state, commit }]) => state === 'APPROVED' && (commit === headSha) === isHead)
      .map(([login]) => login)
      .sort();
  return {
    number,
    author: loginOf(own(pull, 'user')),
    mergedBy: loginOf(own(pull, 'merged_by')),
    headSha,
    approved: by(true),
    approvedBefore: by(false),
  };
}

/** By login the review that counts: the last that is no mere comment. */
async function lastReviews(access: GithubAccess, repository: string, number: number) {
  const last = new Map<string, { state: string; commit: string }>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/repos/${repository}/pulls/${number}/reviews?per_page=${PAGE}&page=${page}`;
    const reviews = listOf(await read(access, path));
    for (const review of reviews) {
      if (!isObject(review)) continue;
      const [state, commit] = [own(review, 'state'), own(review, 'commit_id')];
      if (typeof state !== 'string' || !['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(state))
        continue;
      last.set(loginOf(own(review, 'user')), { state, commit: typeof commit === 'string' ? commit : '' });
    }
    if (reviews.length < PAGE) return last;
  }
  throw unread(`the reviews of pull request ${number}`);
}

async function read(access: GithubAccess, path: string): Promise<Json> {
  const answer = await readGithub(access, path);
  if ('data' in answer) return answer.data;
  throw new AgentGateError(
    'E_GITHUB',
    `GitHub answered ${path} with status ${answer.status}; the token needs "contents: read" and "pull-requests: read".`,
  );
}

function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw unread('a list');
}

function unread(what: string): AgentGateError {
  return new AgentGateError('E_GITHUB', `GitHub's answer about ${what} cannot be read.`);
}

/** A login as GitHub has them; a deleted user is the ghost. */
function loginOf(user: Json | undefined): string {
  const login = isObject(user as JsonObject) ? own(user as JsonObject, 'login') : undefined;
  return typeof login === 'string' && /^[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\[bot\])?$/.test(login)
    ? login
    : 'ghost';
}
