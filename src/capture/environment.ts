import { AgentGateError } from '../util/errors.ts';
import { createFinder } from '../util/value-finder.ts';
import type { PrivateFolders } from './private-folders.ts';

/** The job's variables; `process.env` outside tests. */
export type JobEnvironment = Readonly<Record<string, string | undefined>>;

const FILE_COMMANDS = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'];

/** What every program may know of the job: no value here is a secret, or the proxy's own user-info at most. */
const PASSED = [
  'PATH',
  'LANG',
  'TERM',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  // Where the certificates of an intercepting proxy are: a proxy variable is of no use without them.
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  // The runner finds processes that outlive a job by this (`JobExtension.cs`).
  'RUNNER_TRACKING_ID',
];

const PASSED_ON_WINDOWS = [
  'Path',
  'PATHEXT',
  'SystemRoot',
  'SYSTEMDRIVE',
  'windir',
  'ComSpec',
  'OS',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'CommonProgramFiles',
];

/**
 * True for variables of the job that no server ever gets, whoever asks: action inputs, the runner's service tokens, the
 * job's token and the files by which a step commands the runner.
 */
export function isForbiddenVariable(name: string): boolean {
  return isRunnerVariable(name) || isTokenVariable(name);
}

/** The job's token is never passed on; but a server's own token may go by this name. */
function isTokenVariable(name: string): boolean {
  return name.toUpperCase() === 'GITHUB_TOKEN';
}

/** What is never set for a server, not even to another value. */
function isRunnerVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return upper.startsWith('INPUT_') || upper.startsWith('ACTIONS_') || FILE_COMMANDS.includes(upper);
}

/** Paths of the runner's file commands in this job. */
export function fileCommandPaths(job: JobEnvironment): string[] {
  return FILE_COMMANDS.map((name) => job[name]).filter(
    (path) => path !== undefined && path !== '',
  ) as string[];
}

/** The part of the job's environment that any program may see, without HOME and TMPDIR. */
export function passedEnvironment(job: JobEnvironment, platform = process.platform): Map<string, string> {
  const env = new Map<string, string>();
  for (const name of platform === 'win32' ? [...PASSED, ...PASSED_ON_WINDOWS] : PASSED) {
    const value = job[name];
    if (value !== undefined) env.set(name, value);
  }
  return env;
}

/** Sets the variables by which programs find their home and temporary folder. */
export function setFolders(
  env: Map<string, string>,
  folders: Pick<PrivateFolders, 'home' | 'tmpdir'>,
  platform = process.platform,
): void {
  env.set('HOME', folders.home);
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) env.set(name, folders.tmpdir);
  if (platform !== 'win32') return;
  env.set('USERPROFILE', folders.home);
  env.set('APPDATA', `${folders.home}\\AppData\\Roaming`);
  env.set('LOCALAPPDATA', `${folders.home}\\AppData\\Local`);
}

export interface ServerEnvironmentInput {
  /** Key of the server, for messages. */
  server: string;
  job: JobEnvironment;
  folders: Pick<PrivateFolders, 'home' | 'tmpdir'>;
  /** Cache folders by variable, see `cacheVariables`. */
  caches: Map<string, string>;
  /** What the config declares, expanded. */
  declared: Map<string, string>;
  /** Names of further variables of the job that the policy passes on. */
  passEnv: string[];
  home: 'private' | 'inherit';
  /** Arguments of the command: checked for the job's own secrets, which may not travel in them either. */
  args: string[];
}

/**
 * The whole environment of one server: an allow-list (`DESIGN.md` §5.1). Throws `E_FORBIDDEN_VARIABLE` when the
 * config or `pass-env` names a variable that no server gets, or when a value holds one of the job's own tokens. A
 * `GITHUB_TOKEN` of the server's own, with another value than the job's, is a variable like any other.
 */
export function serverEnvironment(input: ServerEnvironmentInput): Map<string, string> {
  const { server, job } = input;
  const env = passedEnvironment(job);
  setFolders(env, input.folders);
  if (input.home === 'inherit') {
    for (const name of ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']) {
      const value = job[name];
      if (value !== undefined) env.set(name, value);
    }
  }
  for (const [name, value] of input.caches) env.set(name, value);
  for (const name of input.passEnv) {
    if (isForbiddenVariable(name)) throw forbidden(name, 'pass-env', server);
    const value = job[name];
    if (value !== undefined) env.set(name, value);
  }
  for (const [name, value] of input.declared) {
    if (isRunnerVariable(name) || isJobToken(name, value, job)) throw forbidden(name, 'its env', server);
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw new AgentGateError(
        'E_VARIABLE_NAME',
        `Server ${server} sets an environment variable with an empty name, "=" or NUL in it; correct the entry's env.`,
        { server },
      );
    }
    env.set(name, value);
  }
  refuseJobSecrets(input);
  return env;
}

/** Whatever its length: {@link refuseJobSecrets} looks for longer ones only. */
function isJobToken(name: string, value: string, job: JobEnvironment): boolean {
  return isTokenVariable(name) && value !== '' && value === job[name];
}

function forbidden(name: string, where: string, server: string): AgentGateError {
  const message = isTokenVariable(name)
    ? `Server ${server} asks for the job's own ${name} by ${where}, which no server is given; set ${name} in its env to a ` +
      'token made for this server (kept under another name in the job), or to a placeholder when listing needs none.'
    : `Server ${server} asks for the variable ${name} by ${where}, but the runner's own variables are never given to a ` +
      'server; take it out.';
  return new AgentGateError('E_FORBIDDEN_VARIABLE', message, { server });
}

/** A token of the job under another name is still the job's token. */
function refuseJobSecrets(input: ServerEnvironmentInput): void {
  refuseSecretsIn(input.server, input.job, [
    ...input.declared.values(),
    ...input.args,
    ...input.passEnv.map((name) => input.job[name] ?? ''),
  ]);
}

/**
 * Throws `E_FORBIDDEN_VARIABLE` when something that a server is to get holds one of the job's own tokens, be it in
 * base64 or URL-encoded: not in variables, arguments or addresses, not in headers.
 */
export function refuseSecretsIn(server: string, job: JobEnvironment, texts: readonly string[]): void {
  const secrets: [value: string, name: string][] = [];
  for (const [name, value] of Object.entries(job)) {
    if (value === undefined || value.length < 12 || !isForbiddenVariable(name)) continue;
    if (/TOKEN|SECRET|PASSWORD|KEY/i.test(name)) secrets.push([value, name]);
  }
  if (secrets.length === 0) return;
  const find = createFinder(secrets);
  for (const text of texts) {
    const [found] = find(text);
    if (found === undefined) continue;
    throw new AgentGateError(
      'E_FORBIDDEN_VARIABLE',
      `Server ${server} would get the value of ${found.name}, a token of this job; reference a token made for ` +
        'this server, or set a placeholder in the policy when listing needs none.',
      { server },
    );
  }
}
