import { AgentGateError } from '../../util/errors.ts';
import { type Json, type JsonObject, own, pointer } from '../../util/json.ts';
import type { GitOperation, Tier } from '../policy.ts';

const COMMIT_TYPES = ['feat', 'fix', 'chore', 'docs', 'refactor', 'test', 'perf'] as const;

const SCOPE = /^[a-z0-9_-]{1,15}$/;
const TICKET = /^[A-Z0-9]{1,15}-[0-9]{1,9}$/;
const MAX_SUMMARY = 50;
const MAX_TITLE = 72;
const MAX_BODY = 2_000;
const MAX_PR_BODY = 500;
/** One branch name, by `git check-ref-format` and narrower: no characters that any tool gives a meaning. */
const REF =
  /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[A-Za-z0-9_][A-Za-z0-9_./-]{0,98}[A-Za-z0-9_]$|^[A-Za-z0-9_]$/;
const REMOTE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,49}$/;
// biome-ignore lint/complexity/useRegexLiterals: control characters are easier to read as escapes in a string.
const CONTROL = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]',
);

/** Behind blanks, too: a server may trim them. */
const LEADING_DASH = /^\s*-/;

type Check = (value: Json) => string | undefined;

const oneLine =
  (most: number): Check =>
  (value) => {
    if (typeof value !== 'string' || value.trim() === '') return 'must be a text';
    if ([...value].length > most) return `must have at most ${most} characters`;
    if (CONTROL.test(value) || value.includes('\n')) return 'must be one line without control characters';
    return LEADING_DASH.test(value) ? 'must not begin with a dash' : undefined;
  };
const lines =
  (most: number): Check =>
  (value) => {
    if (typeof value !== 'string') return 'must be a text';
    if ([...value].length > most) return `must have at most ${most} characters`;
    if (CONTROL.test(value)) return 'must not hold control characters';
    return LEADING_DASH.test(value) ? 'must not begin with a dash' : undefined;
  };
const like =
  (pattern: RegExp, what: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `must be ${what}`;
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const type: Check = (value) =>
  (COMMIT_TYPES as readonly Json[]).includes(value) ? undefined : `must be one of ${COMMIT_TYPES.join(', ')}`;
const ref = like(REF, 'a branch name without a leading dash');
const path: Check = (value) =>
  typeof value === 'string' && value !== '' && !LEADING_DASH.test(value) && !CONTROL.test(value)
    ? undefined
    : 'must be a path without a leading dash';

/** `type(scope): summary`, an empty line, a body. */
const message: Check = (value) => {
  if (typeof value !== 'string') return 'must be a text';
  const [first = '', second, ...rest] = value.split('\n');
  const match = /^([a-z]+)(?:\(([^()]*)\))?!?: (.+)$/.exec(first);
  if (match === null) return 'must begin with "type(scope): summary"';
  const [, kind = '', scope, summary = ''] = match;
  if (second !== undefined && second !== '') return 'must have an empty second line';
  const wrong =
    type(kind) ?? (scope === undefined ? undefined : scopeOf(scope)) ?? oneLine(MAX_SUMMARY)(summary);
  return wrong ?? lines(MAX_BODY)(rest.join('\n'));
};
const scopeOf = like(SCOPE, 'a scope of [a-z0-9_-], at most 15');

interface Fields {
  known: Readonly<Record<string, Check>>;
  /** Of each group exactly one, unless its last is `undefined`: then at most one. */
  groups: readonly (readonly (string | undefined)[])[];
}

const REPOSITORY = { repo_path: path, repo: path, cwd: path };
/** The approval holds for the state of one. */
const ONE_REPOSITORY = ['repo_path', 'repo', 'cwd', undefined];
const FORCE = { force: truth, force_with_lease: truth };

const FIELDS: Readonly<Record<GitOperation, Fields>> = {
  commit: {
    known: {
      type,
      commit_type: type,
      scope: scopeOf,
      summary: oneLine(MAX_SUMMARY),
      short_summary: oneLine(MAX_SUMMARY),
      body: lines(MAX_BODY),
      ticket: like(TICKET, 'a ticket such as ABC-123'),
      branch: ref,
      message,
      ...REPOSITORY,
    },
    groups: [ONE_REPOSITORY, ['type', 'commit_type', 'message'], ['summary', 'short_summary', 'message']],
  },
  branch: {
    known: {
      name: ref,
      branch: ref,
      branch_name: ref,
      base: ref,
      base_branch: ref,
      delete: truth,
      ...FORCE,
      ...REPOSITORY,
    },
    groups: [ONE_REPOSITORY, ['name', 'branch', 'branch_name'], ['base', 'base_branch', undefined]],
  },
  push: {
    known: {
      remote: like(REMOTE, 'the name of a remote'),
      branch: ref,
      set_upstream: truth,
      delete: truth,
      tags: truth,
      ...FORCE,
      ...REPOSITORY,
    },
    groups: [ONE_REPOSITORY, ['branch', undefined]],
  },
  pr: {
    known: {
      title: oneLine(MAX_TITLE),
      body: lines(MAX_PR_BODY),
      base: ref,
      base_branch: ref,
      head: ref,
      branch: ref,
      draft: truth,
      ...REPOSITORY,
    },
    groups: [ONE_REPOSITORY, ['title'], ['base', 'base_branch', undefined], ['head', 'branch', undefined]],
  },
};

/**
 * Checks the fields of a git call strictly and gives its tier: all are held, as they leave the working tree or cannot be
 * taken back by a checkpoint of files; force and deletion are named. Throws `E_ARGS_INVALID` with the JSON pointer of
 * what is not allowed: members that are not known, other types of commit, a leading dash anywhere.
 */
export function inspectGit(
  operation: GitOperation,
  args: JsonObject,
): { tier: Tier; codes: string[]; reason: string } {
  const { known, groups } = FIELDS[operation];
  for (const key of Object.keys(args)) {
    const check = Object.hasOwn(known, key) ? known[key] : undefined;
    const value = own(args, key);
    const wrong =
      check === undefined ? 'is not a field of this call' : value === undefined ? undefined : check(value);
    if (wrong !== undefined) throw invalid(operation, pointer(key), wrong);
  }
  for (const group of groups) {
    const names = group.filter((name) => name !== undefined);
    const given = names.filter((name) => Object.hasOwn(args, name));
    if (given.length > 1) throw invalid(operation, pointer(given[1] ?? ''), `says the same as ${given[0]}`);
    if (given.length === 0 && !group.includes(undefined))
      throw invalid(operation, pointer(names[0] ?? ''), 'is missing');
  }
  const codes: string[] = [];
  if (own(args, 'force') === true || own(args, 'force_with_lease') === true) codes.push('E_GIT_FORCE');
  if (own(args, 'delete') === true) codes.push('E_GIT_DELETE');
  return { tier: 2, codes, reason: reasonOf(operation, codes) };
}

function reasonOf(operation: GitOperation, codes: readonly string[]): string {
  if (codes.includes('E_GIT_DELETE')) return 'It deletes a branch, which cannot be taken back.';
  if (codes.includes('E_GIT_FORCE')) return 'It overwrites history by force, which cannot be taken back.';
  const what = { commit: 'A commit', branch: 'A new branch', push: 'A push', pr: 'A pull request' }[
    operation
  ];
  return `${what} is approved by a human.`;
}

function invalid(operation: GitOperation, at: string, what: string): AgentGateError {
  return new AgentGateError(
    'E_ARGS_INVALID',
    `The arguments are no git ${operation}: ${JSON.stringify(at)} ${what}.`,
  );
}
