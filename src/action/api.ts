import { isObject } from '../util/json.ts';

/** What of octokit is used here; a plain request keeps retries, limits and authentication in one place. */
export interface Api {
  /** One REST request; `route` as octokit writes it (`GET /repos/{owner}/{repo}`). Throws {@link ApiError}. */
  request(route: string, parameters?: Record<string, unknown>): Promise<ApiResponse>;
  /** Login that the token acts as, `github-actions[bot]` for a job's own token; undefined when it cannot be learned. */
  viewer(): Promise<string | undefined>;
  /** Waits, unless all waiting together would become longer than {@link MAX_WAIT_SECONDS}; then false. */
  pause(seconds: number): Promise<boolean>;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string | number | undefined>;
  /** Not checked; a broken body of a 200 arrives as a string. */
  data: unknown;
}

/** What octokit throws for an answer that is no success, and for none (status 500). */
export interface ApiError extends Error {
  status: number;
  response?: { headers: Record<string, string | number | undefined>; data?: unknown };
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** All waits for rate limits and retries together. A secondary limit was seen to last 72 s. */
const MAX_WAIT_SECONDS = 90;
/** For one request; GitHub itself gives up after 10 s. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Everything together: nothing that hangs may hold the job. */
const TOTAL_TIMEOUT_MS = 240_000;
const RETRIES = 2;
/** Of one request that is told to come back soon, and then again. */
const LIMIT_RETRIES = 4;
/** Never retried: the answer would be the same. 429 is a limit, which throttling waits for. */
const FINAL = [400, 401, 403, 404, 410, 422, 429, 451];

/**
 * The API as the runner's variables name it (GitHub Enterprise Server and ghe.com too). octokit is loaded here and
 * not at the start: a check without a pull request never needs it.
 */
export async function connect(token: string, env: NodeJS.ProcessEnv): Promise<Api> {
  const [{ getOctokit }, { retry }, { throttling }] = await Promise.all([
    import('@actions/github'),
    import('@octokit/plugin-retry'),
    import('@octokit/plugin-throttling'),
  ]);
  const budget = { left: MAX_WAIT_SECONDS };
  const whole = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
  const wait = (retryAfter: number): boolean => {
    if (retryAfter > budget.left) return false;
    budget.left -= retryAfter;
    return true;
  };
  const waitForLimit = (retryAfter: number, _: unknown, __: unknown, retryCount: number): boolean =>
    retryCount < LIMIT_RETRIES && wait(retryAfter);
  const octokit = getOctokit(
    token,
    {
      baseUrl: env.GITHUB_API_URL || 'https://api.github.com',
      userAgent: 'agentgate',
      log: { debug() {}, info() {}, warn() {}, error() {} },
      retry: { doNotRetry: FINAL, retries: RETRIES },
      throttle: { onRateLimit: waitForLimit, onSecondaryRateLimit: waitForLimit },
    },
    retry,
    throttling,
  );
  octokit.hook.before('request', (options) => {
    options.request.signal = AbortSignal.any([whole, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  });
  let down = false;
  const request: Api['request'] = async (route, parameters = {}) => {
    const options = down ? { request: { ...(parameters.request ?? {}), retries: 0 } } : {};
    try {
      return await octokit.request(route, { ...parameters, ...options });
    } catch (error) {
      // An API that did not recover within one request's retries is not waited for again and again.
      if (isApiError(error) && error.status >= 500) down = true;
      throw error;
    }
  };
  return {
    request,
    viewer: () => viewerLogin(request, env.GITHUB_GRAPHQL_URL),
    async pause(seconds) {
      if (!wait(seconds)) return false;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return true;
    },
  };
}

/** GraphQL tells it for every kind of token; `GET /user` refuses a job's own one, but needs no GraphQL. */
async function viewerLogin(
  request: Api['request'],
  graphqlUrl: string | undefined,
): Promise<string | undefined> {
  const query = '{ viewer { login } }';
  const asked = [
    // The runner names the address; octokit would derive it from the API's.
    async () => viewerOf((await request(`POST ${graphqlUrl || '/graphql'}`, { query })).data),
    async () => loginOf((await request('GET /user')).data),
  ];
  for (const ask of asked) {
    const login = await ask().catch(() => undefined);
    if (login !== undefined) return login;
  }
  return undefined;
}

function viewerOf(answer: unknown): string | undefined {
  const data = isObject(answer) ? answer.data : undefined;
  return isObject(data) ? loginOf(data.viewer) : undefined;
}

function loginOf(user: unknown): string | undefined {
  const login = isObject(user) ? user.login : undefined;
  return typeof login === 'string' && login !== '' ? login : undefined;
}
