/** Written into the checkout by `google-github-actions/auth`. */
export const CLOUD_CREDENTIALS = /^gha-creds-.*\.json$/;

/**
 * True for a file of the job that holds credentials although it lies in the checkout: what git keeps for itself
 * (`actions/checkout` leaves the job's token in `.git/config`), and a cloud's credentials. No server is shown them, and
 * a config or policy, which comes with the pull request, must not name them or link to them. `path` is free of links.
 */
export function isJobFile(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return parts.some((part) => part.toLowerCase() === '.git') || CLOUD_CREDENTIALS.test(parts.at(-1) ?? '');
}
