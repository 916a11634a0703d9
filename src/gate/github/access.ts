import type { Io } from '../../cli/io.ts';
import { AgentGateError } from '../../util/errors.ts';
import type { GithubAccess } from './api.ts';

/** Where GitHub's API is, and with which token it is asked: as a runner says it. */
export function githubAccess(env: Io['env']): GithubAccess {
  return {
    api: (env.GITHUB_API_URL ?? 'https://api.github.com').replace(/\/+$/, ''),
    token: env.GITHUB_TOKEN ?? env.GH_TOKEN,
  };
}

/**
 * `owner/name`, as given or as a runner says it. Throws `E_USAGE`, which tells what else would do.
 *
 * @param instead - what to do without `GITHUB_REPOSITORY`
 */
export function repositoryName(env: Io['env'], instead: string, given?: string): string {
  const repository = given ?? env.GITHUB_REPOSITORY ?? '';
  if (!/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/.test(repository))
    throw new AgentGateError(
      'E_USAGE',
      `Which repository is not known: set GITHUB_REPOSITORY to owner/name, or ${instead}.`,
    );
  return repository;
}
