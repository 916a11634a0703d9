import { type GithubApi, OWNER, REPO } from './github-api.ts';

export interface Event {
  name: string;
  payload: Record<string, unknown>;
}

/** Where a pull request's code comes from: this repository, a fork, or a fork that is gone. */
export type Origin = 'same' | 'fork' | 'deleted';

const REPOSITORY = { full_name: `${OWNER}/${REPO}`, name: REPO, owner: { login: OWNER } };
const FORK = { full_name: 'mallory/app', name: 'app', owner: { login: 'mallory' } };

export function pullRequestEvent(options: {
  number: number;
  head: string;
  base: string;
  from?: Origin;
  name?: string;
}): Event {
  const { number, head, base, from = 'same', name = 'pull_request' } = options;
  const repo = from === 'same' ? REPOSITORY : from === 'fork' ? FORK : null;
  return {
    name,
    payload: {
      action: 'synchronize',
      number,
      repository: REPOSITORY,
      pull_request: {
        number,
        head: { sha: head, ref: 'feature', repo },
        base: { sha: base, ref: 'main', repo: REPOSITORY },
      },
    },
  };
}

export function mergeGroupEvent(head: string, base: string): Event {
  return {
    name: 'merge_group',
    payload: {
      action: 'checks_requested',
      repository: REPOSITORY,
      merge_group: { head_sha: head, base_sha: base, base_ref: 'refs/heads/main' },
    },
  };
}

export function workflowRunEvent(options: {
  headSha: string;
  from?: Origin;
  event?: string;
  branch?: string;
}): Event {
  const { headSha, from = 'same', event = 'pull_request', branch = 'feature' } = options;
  return {
    name: 'workflow_run',
    payload: {
      action: 'completed',
      repository: REPOSITORY,
      workflow_run: {
        event,
        head_sha: headSha,
        head_branch: branch,
        head_repository: from === 'same' ? REPOSITORY : from === 'fork' ? FORK : null,
        html_url: `https://github.example/${OWNER}/${REPO}/actions/runs/99`,
        pull_requests: [],
      },
    },
  };
}

export function plainEvent(name: string): Event {
  return { name, payload: { repository: REPOSITORY } };
}

/** Opens a pull request at the API, with these files on its base; gives its number and commits as the API has them. */
export async function openPullRequest(
  api: GithubApi,
  files: Record<string, string> = {},
): Promise<{ number: number; head: string; base: string }> {
  const repository = `/repos/${OWNER}/${REPO}`;
  let base = '';
  for (const [path, text] of Object.entries({ 'README.md.txt': 'base\n', ...files })) {
    const content = Buffer.from(text).toString('base64');
    const { data } = await api.ask('PUT', `${repository}/contents/${path}`, {
      message: 'base',
      content,
      branch: 'main',
    });
    base = (data as { commit: { sha: string } }).commit.sha;
  }
  await api.ask('POST', `${repository}/git/refs`, { ref: 'refs/heads/feature', sha: base });
  const content = Buffer.from('feature\n').toString('base64');
  const changed = await api.ask('PUT', `${repository}/contents/feature.txt`, {
    message: 'head',
    content,
    branch: 'feature',
  });
  const head = (changed.data as { commit: { sha: string } }).commit.sha;
  const { data } = await api.ask('POST', `${repository}/pulls`, {
    title: 'Change',
    head: 'feature',
    base: 'main',
  });
  return { number: (data as { number: number }).number, head, base };
}
