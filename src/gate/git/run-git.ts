import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findCommand } from '../../capture/find-command.ts';
import { workingTree } from '../../lock/find.ts';
import { AgentGateError } from '../../util/errors.ts';
import { trustedPath } from '../../util/trusted-path.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
/** Bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * What a repository's own configuration could make git run is switched off: an agent can write it. `ls-files`,
 * `rev-parse`, `for-each-ref` and `config --list` run no filters; nothing else is used.
 */
const OFF = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'core.attributesFile=/dev/null',
  '-c',
  'core.excludesFile=/dev/null',
  '-c',
  'protocol.allow=never',
  '-c',
  'safe.directory=*',
];

/**
 * Runs git for reading: the one on the PATH outside of the project, where an agent cannot put another. Gives undefined when it says no with exit code 1 or 128 and `mayFail`; else throws `E_GIT_STATE`.
 */
export async function runGit(
  root: string,
  args: readonly string[],
  mayFail = false,
): Promise<Buffer | undefined> {
  const project = [root, (await workingTree(root)) ?? root, process.cwd()];
  const path = trustedPath(process.env.PATH ?? '', project);
  const git = findCommand('git', path, '/');
  if (git === undefined)
    throw new AgentGateError(
      'E_GIT_STATE',
      `The state of the git repository ${root} cannot be read: there is no git on the PATH outside of the project.`,
    );
  try {
    const { stdout } = await run(git, [...OFF, '-C', root, ...args], {
      encoding: 'buffer',
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT,
      windowsHide: true,
      env: {
        PATH: path,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_TERMINAL_PROMPT: '0',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_NO_REPLACE_OBJECTS: '1',
        LC_ALL: 'C',
      },
    });
    return stdout;
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (mayFail && (code === 1 || code === 128)) return undefined;
    throw new AgentGateError(
      'E_GIT_STATE',
      `The state of the git repository ${root} cannot be read (git ${args[0]}).`,
      {},
      { cause: error },
    );
  }
}
