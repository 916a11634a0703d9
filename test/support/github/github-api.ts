import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from 'emulate';

/** One request as the action made it, in order. */
export interface RecordedRequest {
  method: string;
  /** Without the `/api/v3` prefix; with the query. */
  path: string;
  status: number;
  body: string;
  token: string;
  accept: string;
}

/** An answer given instead of the emulator's. */
export interface Fault {
  method?: string;
  /** Of the path without prefix and query. */
  path: RegExp;
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** How often; for ever when absent. */
  times?: number;
  /** The request reaches the emulator, only its answer is lost: a 502 behind which a write was made. */
  afterwards?: boolean;
}

export interface GithubApi {
  /** What the runner would put in GITHUB_API_URL, GITHUB_GRAPHQL_URL and GITHUB_SERVER_URL. */
  env: { GITHUB_API_URL: string; GITHUB_GRAPHQL_URL: string; GITHUB_SERVER_URL: string };
  requests: RecordedRequest[];
  faults: Fault[];
  /** Numbers of pull requests whose conversation is locked. */
  locked: Set<number>;
  /** Tokens that may only read. */
  readOnly: Set<string>;
  /** False: GraphQL answers 404, as a server without it. */
  graphql: boolean;
  /** Number of the pull request that brought a commit to its branch, which emulate cannot tell. */
  merges: Map<string, number>;
  /** `owner/name` from which pull requests come; emulate knows no forks. */
  headRepository: string | undefined;
  /** Straight to the emulator, past faults and recording. `as` is a login. */
  ask(method: string, path: string, body?: unknown, as?: string): Promise<{ status: number; data: unknown }>;
  comments(issue: number): Promise<{ id: number; body: string; login: string }[]>;
  /** Requests that change something, as `METHOD path`. */
  writes(): string[];
  close(): Promise<void>;
}

export const OWNER = 'acme';
export const REPO = 'app';
/** The login that each token acts as. */
export const TOKENS: Record<string, string> = {
  'job-token': 'github-actions[bot]',
  'other-bot-token': 'helper[bot]',
  'user-token': 'octavia',
  'stranger-token': 'mallory',
  'owner-token': OWNER,
};
/** GitHub's limit of a comment, in characters. */
const MAX_COMMENT = 65_536;

/**
 * GitHub's REST API by `emulate`, behind a proxy that adds what emulate lacks: the `/api/v3` prefix of Enterprise
 * Server, bot authors, GraphQL's viewer, length limits, read-only tokens, locked conversations, and any fault.
 */
export async function startGithubApi(options: { enterprise?: boolean } = {}): Promise<GithubApi> {
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: Object.fromEntries(
        Object.entries(TOKENS).map(([token, login]) => [token, { login, scopes: ['repo'] }]),
      ),
      github: {
        users: Object.values(TOKENS).map((login) => ({ login })),
        repos: [{ owner: OWNER, name: REPO, auto_init: true }],
      },
    },
  });
  const state: State = {
    emulator,
    prefix: options.enterprise ? '/api/v3' : '',
    url: '',
    requests: [],
    faults: [],
    locked: new Set(),
    readOnly: new Set(),
    merges: new Map(),
    graphql: true,
    headRepository: undefined,
  };
  const server = createServer((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      response.writeHead(599).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    env: {
      GITHUB_SERVER_URL: state.url,
      GITHUB_API_URL: `${state.url}${state.prefix}`,
      GITHUB_GRAPHQL_URL: options.enterprise ? `${state.url}/api/graphql` : `${state.url}/graphql`,
    },
    ask: (method: string, path: string, body?: unknown, as: string = OWNER) =>
      askEmulator(emulator, method, path, body, as),
    comments: (issue: number) => listComments(emulator, issue),
    writes: () =>
      state.requests
        .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/graphql'))
        .map(({ method, path }) => `${method} ${path}`),
    close: () => close(server, emulator),
  });
}

interface State {
  emulator: Emulator;
  prefix: string;
  url: string;
  requests: RecordedRequest[];
  faults: Fault[];
  locked: Set<number>;
  readOnly: Set<string>;
  merges: Map<string, number>;
  graphql: boolean;
  headRepository: string | undefined;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const full = request.url ?? '/';
  const path = full.startsWith(state.prefix) ? full.slice(state.prefix.length) : full;
  const method = request.method ?? 'GET';
  const token = (request.headers.authorization ?? '').replace(/^(?:bearer|token) /i, '');
  const accept = request.headers.accept ?? '';
  const recorded: RecordedRequest = { method, path, status: 0, body, token, accept };
  state.requests.push(recorded);
  const given = await decide(state, recorded, full);
  recorded.status = given.status;
  response.writeHead(given.status, given.headers).end(given.body);
}

async function decide(state: State, request: RecordedRequest, full: string): Promise<Answer> {
  const bare = request.path.split('?', 1)[0] ?? '';
  const fault = state.faults.find(
    (each) =>
      (each.method ?? request.method) === request.method && each.path.test(bare) && (each.times ?? 1) > 0,
  );
  if (fault) {
    if (fault.times !== undefined) fault.times--;
    if (fault.afterwards) await forward(state, request);
    const text =
      typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? { message: 'fault' });
    return {
      status: fault.status,
      headers: { 'content-type': 'application/json', ...fault.headers },
      body: text,
    };
  }
  if (/^\/(?:api\/)?graphql$/.test(full)) return graphql(state, request);
  if (!full.startsWith(`${state.prefix}/`)) return json(404, { message: 'Not Found' });
  if (bare === '/user' && (TOKENS[request.token] ?? '').endsWith('[bot]'))
    return json(403, { message: 'Resource not accessible by integration' });
  return (
    refusal(state, request, bare) ??
    (await broughtBy(state, request, bare)) ??
    (await forward(state, request))
  );
}

/** "List pull requests associated with a commit". */
async function broughtBy(state: State, request: RecordedRequest, bare: string): Promise<Answer | undefined> {
  const [, repository, commit = ''] =
    /^(\/repos\/[^/]+\/[^/]+)\/commits\/([0-9a-f]{40})\/pulls$/.exec(bare) ?? [];
  if (repository === undefined) return undefined;
  const number = state.merges.get(commit);
  if (number === undefined) return json(200, []);
  const pull = await forward(state, { ...request, path: `${repository}/pulls/${number}` });
  return pull.status === 200 ? { ...pull, body: `[${pull.body}]` } : pull;
}

/** What GitHub refuses and emulate does not. */
function refusal(state: State, request: RecordedRequest, bare: string): Answer | undefined {
  if (request.method === 'GET') return undefined;
  if (state.readOnly.has(request.token))
    return json(
      403,
      { message: 'Resource not accessible by integration' },
      { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' },
    );
  const issue = /\/issues\/(\d+)\/comments$/.exec(bare)?.[1];
  if (issue && state.locked.has(Number(issue)))
    return json(403, { message: 'Unable to create comment because issue is locked.' });
  if (/\/comments(?:\/\d+)?$/.test(bare) && request.body !== '') {
    const { body } = JSON.parse(request.body) as { body?: unknown };
    if (typeof body !== 'string' || [...body].length > MAX_COMMENT)
      return json(422, {
        message: 'Validation Failed',
        errors: [{ message: 'body is too long (maximum is 65536 characters)' }],
      });
  }
  return undefined;
}

function graphql(state: State, request: RecordedRequest): Answer {
  if (!state.graphql) return json(404, { message: 'Not Found' });
  const login = TOKENS[request.token];
  return login ? json(200, { data: { viewer: { login } } }) : json(401, { message: 'Bad credentials' });
}

async function forward(state: State, request: RecordedRequest): Promise<Answer> {
  const response = await fetch(state.emulator.url + request.path, {
    method: request.method,
    headers: {
      authorization: `Bearer ${request.token}`,
      accept: request.accept,
      'content-type': 'application/json',
    },
    body: request.body === '' ? undefined : request.body,
  });
  const raw =
    request.accept.includes('raw') && response.headers.get('content-type') === 'application/octet-stream';
  const here = (text: string): string => text.replaceAll(state.emulator.url, `${state.url}${state.prefix}`);
  const link = response.headers.get('link');
  const text = await response.text();
  return {
    status: response.status,
    headers: {
      'content-type': raw
        ? 'application/vnd.github.raw+json; charset=utf-8'
        : (response.headers.get('content-type') ?? 'application/json'),
      ...(link === null ? {} : { link: here(link) }),
    },
    body:
      raw || text === '' ? text : JSON.stringify(withBots(withFork(state, request, JSON.parse(here(text))))),
  };
}

function withFork(state: State, request: RecordedRequest, value: unknown): unknown {
  if (state.headRepository === undefined || !/\/pulls\/\d+$/.test(request.path)) return value;
  const pull = value as { head?: { repo?: object } };
  return { ...pull, head: { ...pull.head, repo: { ...pull.head?.repo, full_name: state.headRepository } } };
}

/** Emulate knows no bots: an author whose login ends in `[bot]` becomes one, with its app. */
function withBots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBots);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withBots(member)]));
  if (typeof copy.login === 'string' && copy.login.endsWith('[bot]')) copy.type = 'Bot';
  const user = copy.user as { login?: unknown } | undefined;
  if (typeof user?.login === 'string' && user.login.endsWith('[bot]') && 'performed_via_github_app' in copy)
    copy.performed_via_github_app = { slug: user.login.replace('[bot]', '') };
  return copy;
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

async function askEmulator(
  emulator: Emulator,
  method: string,
  path: string,
  body: unknown,
  as: string,
): Promise<{ status: number; data: unknown }> {
  const token = Object.keys(TOKENS).find((each) => TOKENS[each] === as) ?? '';
  const response = await fetch(emulator.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, data: text === '' ? undefined : JSON.parse(text) };
}

async function listComments(
  emulator: Emulator,
  issue: number,
): Promise<{ id: number; body: string; login: string }[]> {
  const all: { id: number; body: string; login: string }[] = [];
  for (let page = 1; ; page++) {
    const path = `/repos/${OWNER}/${REPO}/issues/${issue}/comments?per_page=100&page=${page}`;
    const { data } = await askEmulator(emulator, 'GET', path, undefined, OWNER);
    const some = data as { id: number; body: string; user: { login: string } }[];
    all.push(...some.map(({ id, body, user }) => ({ id, body, login: user.login })));
    if (some.length < 100) return all;
  }
}

async function close(server: Server, emulator: Emulator): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await emulator.close();
}
