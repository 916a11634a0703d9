import { AgentGateError } from '../../util/errors.ts';
import type { Json } from '../../util/json.ts';

export interface GithubAccess {
  /** `https://api.github.com`, or that of an Enterprise Server. */
  api: string;
  token: string | undefined;
}

/** An answer that is no success: what cannot be read is not there, or not for this token. */
export interface Unread {
  status: number;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads one resource. Throws `E_GITHUB` when GitHub cannot be reached or answers with no JSON. */
export async function readGithub(access: GithubAccess, path: string): Promise<{ data: Json } | Unread> {
  const headers: Record<string, string> = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'agentgate',
  };
  if (access.token !== undefined) headers.authorization = `Bearer ${access.token}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${access.api}${path}`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new AgentGateError('E_GITHUB', `GitHub cannot be reached at ${access.api}.`, {}, { cause: error });
  }
  if (!response.ok) return { status: response.status };
  try {
    if (text.length > MAX_BYTES) throw new Error('too large');
    return { data: JSON.parse(text) as Json };
  } catch (error) {
    throw new AgentGateError('E_GITHUB', `GitHub's answer to ${path} cannot be read.`, {}, { cause: error });
  }
}
