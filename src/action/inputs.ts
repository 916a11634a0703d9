import { posix } from 'node:path';
import type { FailOn } from '../config/types.ts';
import {
  COMMENT_MODES,
  FAIL_ON,
  ISOLATIONS,
  MAX_CONCURRENCY,
  MAX_TIMEOUT_SECONDS,
  MODES,
  SETTINGS,
} from '../settings.ts';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';

/** Everything that the workflow's author decides, read once. Paths are as written. */
export interface Inputs {
  /** Config files or globs; empty for every known file. */
  config: string[];
  lockfile: string;
  workingDirectory: string;
  /** Keys; empty for all. */
  servers: string[];
  allClients: boolean;
  /** `true` or a folder; undefined when skills are not looked at. */
  skills?: string;
  /** Undefined leaves it to the policy. */
  failOn?: FailOn;
  timeoutMs: number;
  /** Undefined for the default. */
  concurrency?: number;
  isolation: (typeof ISOLATIONS)[number];
  comment: (typeof COMMENT_MODES)[number];
  /** Never empty: derived from `working-directory` and `lockfile` when not given. */
  commentId: string;
  mode: (typeof MODES)[number];
  report?: string;
  sarif?: string;
  /** Empty when the workflow gives none. */
  githubToken: string;
  allowUntrustedCode: boolean;
}

/** What a comment id may hold: it stands in an HTML comment, in quotes. */
const COMMENT_ID = /^(?!.*--)[A-Za-z0-9._/@:+ -]{1,200}$/;

/**
 * Reads the action's inputs from the variables that the runner sets for them (`INPUT_` and the name in capitals,
 * hyphens kept).
 * @throws AgentGateError `E_INPUT`, which names the input and what it takes
 */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const workingDirectory = text(env, 'working-directory') || '.';
  const lockfile = text(env, 'lockfile') || 'agentgate.lock';
  return {
    config: lines(env, 'config'),
    lockfile,
    workingDirectory,
    servers: lines(env, 'servers'),
    allClients: flag(env, 'all-clients'),
    skills: skills(env),
    failOn: choice(env, 'fail-on', FAIL_ON),
    timeoutMs: 1000 * (count(env, 'timeout', MAX_TIMEOUT_SECONDS, 'seconds') ?? 60),
    concurrency: count(env, 'concurrency', MAX_CONCURRENCY, 'servers'),
    isolation: choice(env, 'isolation', ISOLATIONS) ?? 'auto',
    comment: choice(env, 'comment', COMMENT_MODES) ?? 'auto',
    commentId: commentId(env, workingDirectory, lockfile),
    mode: choice(env, 'mode', MODES) ?? 'check',
    report: text(env, 'report') || undefined,
    sarif: text(env, 'sarif') || undefined,
    githubToken: text(env, 'github-token'),
    allowUntrustedCode: flag(env, 'allow-untrusted-code'),
  };
}

/** Names of inputs in the environment that `action.yml` does not have: a slip of the pen, as a rule. */
export function unknownInputs(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(SETTINGS.flatMap(({ input }) => (input ? [variable(input)] : [])));
  return Object.keys(env)
    .filter((name) => name.startsWith('INPUT_') && !known.has(name))
    .map((name) => name.slice('INPUT_'.length).toLowerCase());
}

/** The variable that the runner sets for an input. */
export function variable(input: string): string {
  return `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`;
}

function text(env: NodeJS.ProcessEnv, input: string): string {
  return (env[variable(input)] ?? '').trim();
}

function lines(env: NodeJS.ProcessEnv, input: string): string[] {
  return text(env, input)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The values of YAML 1.2's core schema, as `core.getBooleanInput` takes them. */
function flag(env: NodeJS.ProcessEnv, input: string): boolean {
  const value = text(env, input);
  if (['', 'false', 'False', 'FALSE'].includes(value)) return false;
  if (['true', 'True', 'TRUE'].includes(value)) return true;
  throw wrong(input, value, 'true or false');
}

function skills(env: NodeJS.ProcessEnv): string | undefined {
  const value = text(env, 'skills');
  if (['', 'false', 'False', 'FALSE'].includes(value)) return undefined;
  return ['True', 'TRUE'].includes(value) ? 'true' : value;
}

function choice<const T extends string>(
  env: NodeJS.ProcessEnv,
  input: string,
  values: readonly T[],
): T | undefined {
  const value = text(env, input);
  if (value === '') return undefined;
  const found = values.find((each) => each === value);
  if (found === undefined) throw wrong(input, value, `one of ${values.join(', ')}`);
  return found;
}

/** A whole number from 1 to `most`; undefined for an empty input and for `auto`. */
function count(env: NodeJS.ProcessEnv, input: string, most: number, unit: string): number | undefined {
  const value = text(env, input);
  if (value === '' || value === 'auto') return undefined;
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > most) throw wrong(input, value, `a whole number of ${unit} from 1 to ${most}`);
  return number;
}

function commentId(env: NodeJS.ProcessEnv, workingDirectory: string, lockfile: string): string {
  const given = text(env, 'comment-id');
  if (given === '') return deriveCommentId(workingDirectory, lockfile);
  if (!COMMENT_ID.test(given))
    throw wrong(
      'comment-id',
      given,
      'at most 200 letters, digits, spaces or ._/@:+-, without two hyphens in a row',
    );
  return given;
}

/**
 * `agentgate.lock`, or `packages/api/agentgate.lock` below the root. What may not stand in an id is
 * percent-encoded, so that different paths keep different ids.
 */
export function deriveCommentId(workingDirectory: string, lockfile: string): string {
  const slashed = (path: string): string => path.replaceAll('\\', '/');
  const path = posix.join(slashed(workingDirectory), slashed(lockfile));
  return encodeURIComponent(path)
    .replaceAll('%2F', '/')
    .replaceAll('--', '-%2D')
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function wrong(input: string, value: string, allowed: string): AgentGateError {
  const shown = visibleLine(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return new AgentGateError('E_INPUT', `input ${input} is ${JSON.stringify(shown)}, but takes ${allowed}`);
}
