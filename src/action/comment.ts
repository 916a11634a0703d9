import { type Api, isApiError } from './api.ts';
import { type Found, findOwnComments, type OwnComment, readComment } from './own-comments.ts';

/** GitHub refuses a longer comment, on create and on update alike, with 422. In characters. */
const MAX_COMMENT_LENGTH = 65_536;

export interface CommentPlace {
  owner: string;
  repo: string;
  /** Number of the pull request; its conversation is an issue's. */
  issue: number;
}

export interface CommentText {
  /** The body's first line, exactly. */
  marker: string;
  body: string;
  /** A shorter body, for when GitHub takes `body` for too long. */
  short(): string;
}

export type Written = { state: 'created' | 'updated' | 'unchanged'; url: string } | { state: 'none' };

const CREATE_ATTEMPTS = 3;

/**
 * Keeps one comment on the pull request: found by marker and author, changed in place, not written again when it
 * says the same, further ones of ours removed. With `create: false`, a missing comment stays missing.
 * @throws ApiError when GitHub refuses, Error when an answer is not understood
 */
export async function keepComment(
  api: Api,
  place: CommentPlace,
  text: CommentText,
  options: { create: boolean },
): Promise<Written> {
  const found = await findOwnComments(api, place, text.marker);
  for (const comment of found.comments) {
    const written = await update(api, place, comment, text);
    if (!written) continue;
    await removeExtras(api, place, found, comment.id);
    return written;
  }
  return options.create ? create(api, place, text) : { state: 'none' };
}

/** Undefined when this comment is not ours to change, or gone: the next one is tried. */
async function update(
  api: Api,
  place: CommentPlace,
  comment: OwnComment,
  text: CommentText,
): Promise<Written | undefined> {
  if (sameText(comment.body, text.body)) return { state: 'unchanged', url: comment.url };
  const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{id}';
  const patch = (body: string) =>
    api.request(route, { owner: place.owner, repo: place.repo, id: comment.id, body });
  try {
    await shorterWhenRefused(patch, text);
    return { state: 'updated', url: comment.url };
  } catch (error) {
    if (isApiError(error) && isRefusal(error.status, error.message)) return undefined;
    throw error;
  }
}

/**
 * Without octokit's retry: a 502 can hide a write that was made, and a second one would be a second comment. So it
 * is looked for before it is tried again.
 */
async function create(api: Api, place: CommentPlace, text: CommentText): Promise<Written> {
  const route = 'POST /repos/{owner}/{repo}/issues/{issue}/comments';
  const post = (body: string) => api.request(route, { ...place, body, request: { retries: 0 } });
  for (let attempt = 1; ; attempt++) {
    let failure: unknown;
    try {
      const { data } = await shorterWhenRefused(post, text);
      const comment = readComment(data);
      if (comment) return { state: 'created', url: comment.url };
      failure = new Error('the answer to the new comment is not understood');
    } catch (error) {
      if (!isApiError(error) || error.status < 500) throw error;
      failure = error;
    }
    const paused = await api.pause(attempt);
    const [already] = (await findOwnComments(api, place, text.marker)).comments;
    if (already) return { state: 'created', url: already.url };
    if (!paused || attempt === CREATE_ATTEMPTS) throw failure;
  }
}

/** Two runs at once can both create one. The newest stays, as the other run would have it too. */
async function removeExtras(api: Api, place: CommentPlace, found: Found, keep: number): Promise<void> {
  if (!found.sure) return;
  for (const { id } of found.comments) {
    if (id === keep) continue;
    try {
      const { owner, repo } = place;
      await api.request('DELETE /repos/{owner}/{repo}/issues/comments/{id}', { owner, repo, id });
    } catch {
      // A leftover is untidy, no more; the next run tries again.
    }
  }
}

/** One guard for create and update: the body is measured first, and cut once more when GitHub still refuses it. */
async function shorterWhenRefused<T>(write: (body: string) => Promise<T>, text: CommentText): Promise<T> {
  if (text.body.length > MAX_COMMENT_LENGTH) return write(text.short());
  try {
    return await write(text.body);
  } catch (error) {
    if (isApiError(error) && error.status === 422) return write(text.short());
    throw error;
  }
}

/** Not ours (another token's), or deleted meanwhile. A locked conversation refuses a new comment just as well. */
function isRefusal(status: number, message: string): boolean {
  return status === 404 || (status === 403 && !/rate limit|\blocked\b/i.test(message));
}

/**
 * The footer tells the run and its duration, which differ from run to run and say nothing new. Only there: the lines
 * above hold texts of servers, in which every character counts. GitHub may store CRLF.
 */
function sameText(a: string, b: string): boolean {
  return withoutRun(a) === withoutRun(b);
}

function withoutRun(body: string): string {
  const text = body.replaceAll('\r\n', '\n').trimEnd();
  const footer = text.lastIndexOf('\n') + 1;
  const run = text
    .slice(footer)
    .replace(/ in [0-9.,]+ m?s\b/g, '')
    .replace(/\/actions\/runs\/[0-9]+/g, '');
  return text.slice(0, footer) + run;
}
