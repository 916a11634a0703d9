import { isObject } from '../util/json.ts';
import type { Api } from './api.ts';

/** A comment that carries the marker and was written by whoever the token acts as. */
export interface OwnComment {
  id: number;
  body: string;
  url: string;
}

export interface Found {
  /** Newest first. */
  comments: OwnComment[];
  /** False when it could not be learned who the token acts as: then nothing is deleted. */
  sure: boolean;
}

/** 10,000 comments: GitHub stops a conversation long before. */
const MAX_PAGES = 100;
const PER_PAGE = 100;
/** The app behind a job's own token. */
const ACTIONS = 'github-actions';

interface Listed extends OwnComment {
  login: string;
  bot: boolean;
  app: string;
}

/**
 * The comments of the issue whose first line is `marker` and that are ours. Anyone can write the marker, so the
 * author counts: the login that the token acts as. Where that cannot be learned, only the app behind a job's own
 * token counts: another bot could change its comment again after we had written ours into it.
 * @throws ApiError, and Error for an answer that is not understood
 */
export async function findOwnComments(
  api: Api,
  place: { owner: string; repo: string; issue: number },
  marker: string,
): Promise<Found> {
  const marked = (await listComments(api, place)).filter((comment) => firstLine(comment.body) === marker);
  if (marked.length === 0) return { comments: [], sure: true };
  const viewer = await api.viewer();
  if (viewer !== undefined) return { comments: marked.filter(isBy(viewer)).sort(newestFirst), sure: true };
  const actions = marked.filter(
    ({ bot, app, login }) => bot && (app === ACTIONS || login === `${ACTIONS}[bot]`),
  );
  return { comments: actions.sort(newestFirst), sure: false };
}

/** A bot's login ends in `[bot]` in REST; a person's cannot. */
function isBy(viewer: string): (comment: Listed) => boolean {
  const bare = (login: string): string => login.replace(/\[bot\]$/, '').toLowerCase();
  const bot = viewer.endsWith('[bot]');
  return (comment) => bare(comment.login) === bare(viewer) && (!bot || comment.bot);
}

function newestFirst(a: OwnComment, b: OwnComment): number {
  return b.id - a.id;
}

async function listComments(
  api: Api,
  place: { owner: string; repo: string; issue: number },
): Promise<Listed[]> {
  const comments: Listed[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, headers } = await api.request('GET /repos/{owner}/{repo}/issues/{issue}/comments', {
      ...place,
      per_page: PER_PAGE,
      page,
    });
    // Broken JSON with status 200 arrives as a string.
    if (!Array.isArray(data)) throw new Error('the list of comments that the API sent is not understood');
    for (const item of data) {
      const comment = readComment(item);
      if (comment) comments.push(comment);
    }
    if (!/rel="next"/.test(String(headers.link ?? '')) && data.length < PER_PAGE) break;
    if (data.length === 0) break;
  }
  return comments;
}

/** One comment as the API sends it; undefined when it is not one. */
export function readComment(value: unknown): Listed | undefined {
  if (!isObject(value) || typeof value.id !== 'number') return undefined;
  const user = isObject(value.user) ? value.user : {};
  const app = isObject(value.performed_via_github_app) ? value.performed_via_github_app : {};
  return {
    id: value.id,
    body: typeof value.body === 'string' ? value.body : '',
    url: typeof value.html_url === 'string' ? value.html_url : '',
    login: typeof user.login === 'string' ? user.login : '',
    bot: user.type === 'Bot',
    app: typeof app.slug === 'string' ? app.slug : '',
  };
}

function firstLine(body: string): string {
  return (body.split('\n', 1)[0] ?? '').trimEnd();
}
