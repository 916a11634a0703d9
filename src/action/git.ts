import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { findCommand } from '../capture/find-command.ts';
import { trustedPath } from '../util/trusted-path.ts';

/** Larger than any lock that can be read in time: a lock of 10,000 tools has about 30 MB. */
const MAX_BLOB = 128 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/**
 * Settings that let nothing in the repository or its config run a program: no monitor, no hook, no pager, no
 * embedded bare repository. The checkout often belongs to another user than the one in a container.
 */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.pager=cat',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'safe.directory=*',
];

/** Output of a git command in `cwd`, or undefined when it failed or there is no git. Never touches the network. */
export function git(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Buffer | undefined> {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const path = trustedPath(env.PATH ?? env.Path ?? '', [cwd, env.GITHUB_WORKSPACE || cwd]);
  const program = findCommand('git', path, cwd);
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    execFile(
      program,
      ['--no-pager', '--literal-pathspecs', ...settings, ...args],
      {
        cwd,
        env: { ...gitEnvironment(env), PATH: path },
        encoding: 'buffer',
        maxBuffer: MAX_BLOB,
        timeout: TIMEOUT_MS,
        windowsHide: true,
      },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}

/** As {@link git}, as one trimmed line of text. */
export async function gitText(
  cwd: string,
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<string | undefined> {
  const output = await git(cwd, env, ...args);
  return output?.toString('utf8').trim();
}

/** Only what git needs to run; a variable such as GIT_DIR or GIT_SSH_COMMAND of the job has no say. */
function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = ['SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'USERPROFILE'];
  const kept = passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return {
    ...Object.fromEntries(kept),
    // A folder above the workspace is not the checkout.
    ...(env.GITHUB_WORKSPACE ? { GIT_CEILING_DIRECTORIES: dirname(env.GITHUB_WORKSPACE) } : {}),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}
