import { posix } from 'node:path';
import type { Base } from '../base-files.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/json.ts';
import { type Api, type ApiResponse, isApiError } from './api.ts';
import type { EventContext } from './event.ts';
import { git, gitText } from './git.ts';

export interface BaseQuestion {
  event: EventContext;
  /** Absolute working directory, somewhere in the checkout. */
  cwd: string;
  /** Relative to `cwd`. */
  lockfile: string;
  env: NodeJS.ProcessEnv;
  /** Undefined without a token. */
  api: (() => Promise<Api>) | undefined;
}

export interface BaseAnswer {
  base?: Base;
  /** Why there is no base although the event has one. */
  problem?: string;
}

/** Text of a file at a commit; null: not there; undefined: cannot be learned this way. */
type FileText = string | null | undefined;

/** More than any lock or config needs; it is in memory beside the lock of the checkout, and read while that one is. */
const MAX_FILE_BYTES = 48 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * The lock and configs that the checked-out code is merged onto: from git when the commit is there (a shallow
 * checkout seldom has it), else from the contents API. No base for an event without one.
 */
export async function findBase(question: BaseQuestion): Promise<BaseAnswer> {
  const { event, cwd, env } = question;
  const commit = await baseCommit(question);
  if (commit === undefined) return {};
  const prefix = (await gitText(cwd, env, 'rev-parse', '--show-prefix')) ?? workspacePrefix(event, cwd);
  const inGit = (await git(cwd, env, 'cat-file', '-e', `${commit}^{commit}`)) !== undefined;
  const read = async (path: string): Promise<FileText> => {
    const inRepository = posix.normalize(posix.join(prefix, path.replaceAll('\\', '/')));
    if (inRepository.startsWith('../') || posix.isAbsolute(inRepository)) return null;
    const fromGit = inGit ? await readFromGit(question, commit, inRepository) : undefined;
    return fromGit !== undefined || !question.api
      ? fromGit
      : readFromApi(await question.api(), event, commit, inRepository);
  };
  let lockText: FileText;
  try {
    lockText = await read(question.lockfile);
  } catch (error) {
    return { problem: `${commit.slice(0, 7)} could not be read: ${messageOf(error)}` };
  }
  if (lockText === undefined)
    return {
      problem: `${commit.slice(0, 7)} is not in the checkout, and there is no token to ask the API with`,
    };
  return {
    base: {
      commit,
      lockText,
      // What cannot be read counts as absent: it only tells whether the pull request touched an entry.
      readConfig: async (path) => (await read(path).catch(() => null)) ?? null,
    },
  };
}

/**
 * The commit to compare with. A `pull_request` job checks out a merge commit, whose first parent is the base as it
 * was merged (newer than the payload's, at times). Else, the merge base of head and base.
 */
async function baseCommit({ event, cwd, env, api }: BaseQuestion): Promise<string | undefined> {
  if (event.mergeGroup) return event.mergeGroup.baseSha;
  const pull = event.pullRequest;
  if (!pull) return undefined;
  const parents = parentsOf(await gitText(cwd, env, 'cat-file', 'commit', 'HEAD'));
  const [first, second] = parents;
  if (parents.length === 2 && first && second === pull.head.sha) return first;
  const local = await gitText(cwd, env, 'merge-base', 'HEAD', pull.base.sha);
  if (local && COMMIT.test(local)) return local;
  return (api && (await mergeBaseFromApi(await api(), event))) ?? pull.base.sha;
}

/** Parents as the commit object names them: a shallow checkout has their names without their objects. */
function parentsOf(commit: string | undefined): string[] {
  const header = (commit ?? '').split('\n\n', 1)[0] ?? '';
  return header
    .split('\n')
    .filter((line) => line.startsWith('parent '))
    .map((line) => line.slice('parent '.length))
    .filter((id) => COMMIT.test(id));
}

async function mergeBaseFromApi(api: Api, event: EventContext): Promise<string | undefined> {
  const pull = event.pullRequest;
  if (!pull) return undefined;
  try {
    const { data } = await api.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...ownerAndRepo(event.repository),
      basehead: `${pull.base.sha}...${pull.head.sha}`,
      per_page: 1,
    });
    const commit = isObject(data) ? data.merge_base_commit : undefined;
    const id = isObject(commit) ? commit.sha : undefined;
    return typeof id === 'string' && COMMIT.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

async function readFromGit(question: BaseQuestion, commit: string, path: string): Promise<FileText> {
  const { cwd, env } = question;
  const listed = await git(cwd, env, 'ls-tree', '-z', '--full-tree', commit, '--', path);
  if (!listed) return undefined;
  if (listed.length === 0) return null;
  const entry = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(listed.toString('utf8'));
  // A folder is no file; a link is left to the API, which follows it.
  if (entry?.[2] !== 'blob') return null;
  if (entry[1] === '120000') return undefined;
  const size = await gitText(cwd, env, 'cat-file', '-s', String(entry[3]));
  if (size === undefined) return undefined;
  if (Number(size) > MAX_FILE_BYTES) throw tooLarge();
  return (await git(cwd, env, 'cat-file', 'blob', String(entry[3])))?.toString('utf8');
}

/** The raw media type: the default one gives no content above 1 MiB (`encoding: "none"`). */
async function readFromApi(api: Api, event: EventContext, commit: string, path: string): Promise<FileText> {
  try {
    const response = await api.request('GET /repos/{owner}/{repo}/contents/{+path}', {
      ...ownerAndRepo(event.repository),
      path: path.split('/').map(encodeURIComponent).join('/'),
      ref: commit,
      headers: { accept: 'application/vnd.github.raw+json' },
      request: { parseSuccessResponseBody: false },
    });
    return await bodyText(response);
  } catch (error) {
    if (isApiError(error) && error.status === 404 && !/no commit found/i.test(error.message)) return null;
    throw error;
  }
}

async function bodyText(response: ApiResponse): Promise<FileText> {
  const { data } = response;
  if (typeof data === 'string') return data;
  if (!(data instanceof ReadableStream)) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of data) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_FILE_BYTES) throw tooLarge();
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return String(response.headers['content-type']).startsWith('application/json') ? fromListing(text) : text;
}

function tooLarge(): Error {
  return new Error(`the file has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
}

/** A server that does not know the raw media type sends base64 in JSON; a folder is a list. */
function fromListing(text: string): FileText {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return null;
  if (isObject(value) && value.encoding === 'base64' && typeof value.content === 'string')
    return Buffer.from(value.content, 'base64').toString('utf8');
  return undefined;
}

/** Without git: the checkout is taken to be the workspace. */
function workspacePrefix(event: EventContext, cwd: string): string {
  const slashed = (path: string): string => path.replaceAll('\\', '/');
  return posix.relative(slashed(event.workspace), slashed(cwd));
}

/** The two halves of `owner/name`. */
export function ownerAndRepo(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
