import { isObject, type Json, type JsonObject, own } from '../../util/json.ts';
import { type GithubAccess, readGithub } from '../github/api.ts';
import { matchesPattern, ownersOf } from './code-owners.ts';

/** One setting that keeps the lock from being approved by its author. */
export interface Finding {
  setting: 'required-check' | 'check-source' | 'reviewers' | 'stale-approvals' | 'last-push';
  state: 'set' | 'missing' | 'unknown';
  /** One sentence. */
  text: string;
}

export interface DoctorOptions {
  access: GithubAccess;
  /** `owner/name`. */
  repository: string;
  /** The default branch when absent. */
  branch?: string;
  /** The name of the required check. */
  check: string;
  /** Paths in the repository that a change of the surface goes through. */
  paths: readonly string[];
}

/** What rules and branch protection say together: any of them is enough. */
interface Settings {
  checks: { context: string; source: boolean }[];
  codeOwners: boolean;
  dismissStale: boolean;
  lastPush: boolean;
  /** Patterns for which a named reviewer must approve. */
  reviewed: string[];
}

/**
 * Reads the rulesets and the branch protection of a branch, and says which of the settings is missing that make GitHub
 * itself demand a second person for a change of the lock (`GATE.md` §6). What the token may not read is `unknown`.
 */
export async function examineGithub(
  options: DoctorOptions,
): Promise<{ branch: string; findings: Finding[] }> {
  const { access, repository } = options;
  const base = `/repos/${repository}`;
  const branch = options.branch ?? (await defaultBranch(access, base));
  const settings: Settings = {
    checks: [],
    codeOwners: false,
    dismissStale: false,
    lastPush: false,
    reviewed: [],
  };
  const reference = encodeURIComponent(branch);
  const rules = await readAll(access, `${base}/rules/branches/${reference}`);
  if (rules !== undefined) for (const rule of rules) addRule(settings, rule);
  const protection = await readGithub(access, `${base}/branches/${reference}/protection`);
  if ('data' in protection) addProtection(settings, protection.data);
  // 404 is "not protected"; 401 and 403 are "you may not know".
  const complete = rules !== undefined && ('data' in protection || protection.status === 404);
  const owners = settings.codeOwners ? await codeOwners(access, base, branch) : undefined;
  return { branch, findings: judge(settings, owners, complete, options) };
}

function judge(
  settings: Settings,
  owners: string | undefined,
  complete: boolean,
  options: DoctorOptions,
): Finding[] {
  const otherwise = complete ? 'missing' : 'unknown';
  const finding = (setting: Finding['setting'], set: boolean, yes: string, no: string): Finding => ({
    setting,
    state: set ? 'set' : otherwise,
    text: set ? yes : complete ? no : `${no} (or this token may not see it)`,
  });
  const named = settings.checks.filter(
    ({ context }) => context === options.check || context.endsWith(` / ${options.check}`),
  );
  const unowned = options.paths.filter(
    (path) =>
      !settings.reviewed.some((pattern) => matchesPattern(pattern, path)) &&
      !(owners !== undefined && ownersOf(owners, path).length > 0),
  );
  return [
    finding(
      'required-check',
      named.length > 0,
      `The check "${options.check}" is required.`,
      `The check "${options.check}" is not required: add it to a ruleset of this branch.`,
    ),
    finding(
      'check-source',
      named.some(({ source }) => source),
      'The required check has an expected source.',
      'The required check has no expected source, so that anybody with write access can set it: choose GitHub Actions as its source.',
    ),
    finding(
      'reviewers',
      unowned.length === 0,
      'Every file that a change goes through has a required reviewer or code owner.',
      `No reviewer is required for ${unowned.join(', ')}: name one in a ruleset, or code owners with "Require review from Code Owners".`,
    ),
    finding(
      'stale-approvals',
      settings.dismissStale,
      'Stale approvals are dismissed.',
      'An approval outlives later pushes: turn on "Dismiss stale pull request approvals when new commits are pushed".',
    ),
    finding(
      'last-push',
      settings.lastPush,
      'The last push needs the approval of somebody else.',
      'Who pushes last can approve: turn on "Require approval of the most recent reviewable push".',
    ),
  ];
}

async function defaultBranch(access: GithubAccess, base: string): Promise<string> {
  const answer = await readGithub(access, base);
  const name = 'data' in answer && isObject(answer.data) ? own(answer.data, 'default_branch') : undefined;
  return typeof name === 'string' ? name : 'main';
}

/** All pages of a list; undefined when it may not be read. */
async function readAll(access: GithubAccess, path: string): Promise<JsonObject[] | undefined> {
  const found: JsonObject[] = [];
  for (let page = 1; page <= 20; page++) {
    const answer = await readGithub(access, `${path}?per_page=100&page=${page}`);
    if (!('data' in answer) || !Array.isArray(answer.data)) return undefined;
    found.push(...answer.data.filter((item) => isObject(item)));
    if (answer.data.length < 100) return found;
  }
  return found;
}

function addRule(settings: Settings, rule: JsonObject): void {
  const type = own(rule, 'type');
  const parameters = own(rule, 'parameters');
  if (!isObject(parameters)) return;
  if (type === 'required_status_checks')
    addChecks(settings, own(parameters, 'required_status_checks'), 'integration_id');
  if (type !== 'pull_request') return;
  const approvals = Number(own(parameters, 'required_approving_review_count') ?? 0);
  settings.codeOwners ||= own(parameters, 'require_code_owner_review') === true;
  settings.dismissStale ||= own(parameters, 'dismiss_stale_reviews_on_push') === true;
  settings.lastPush ||= own(parameters, 'require_last_push_approval') === true && approvals > 0;
  for (const reviewer of listOf(own(parameters, 'required_reviewers'))) {
    if (Number(own(reviewer, 'minimum_approvals') ?? 0) < 1) continue;
    const patterns = own(reviewer, 'file_patterns');
    if (Array.isArray(patterns)) settings.reviewed.push(...patterns.filter((one) => typeof one === 'string'));
  }
}

function addProtection(settings: Settings, protection: Json): void {
  if (!isObject(protection)) return;
  const checks = own(protection, 'required_status_checks');
  if (isObject(checks)) addChecks(settings, own(checks, 'checks'), 'app_id');
  const reviews = own(protection, 'required_pull_request_reviews');
  if (!isObject(reviews)) return;
  const approvals = Number(own(reviews, 'required_approving_review_count') ?? 0);
  settings.codeOwners ||= own(reviews, 'require_code_owner_reviews') === true;
  settings.dismissStale ||= own(reviews, 'dismiss_stale_reviews') === true;
  settings.lastPush ||= own(reviews, 'require_last_push_approval') === true && approvals > 0;
}

function addChecks(settings: Settings, value: Json | undefined, source: string): void {
  for (const check of listOf(value)) {
    const context = own(check, 'context');
    const app = own(check, source);
    // -1 is "any source".
    if (typeof context === 'string')
      settings.checks.push({ context, source: typeof app === 'number' && app > 0 });
  }
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}

/** The file that GitHub takes: the first of three places, on the branch itself. */
async function codeOwners(access: GithubAccess, base: string, branch: string): Promise<string | undefined> {
  for (const path of ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']) {
    const answer = await readGithub(access, `${base}/contents/${path}?ref=${encodeURIComponent(branch)}`);
    if (!('data' in answer) || !isObject(answer.data)) continue;
    const content = own(answer.data, 'content');
    if (typeof content === 'string') return Buffer.from(content, 'base64').toString('utf8');
  }
  return undefined;
}
