import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { isContainerTool } from './container-tool.ts';
import { hostPath, hostTool } from './host-tool.ts';
import { lastWords } from './last-words.ts';
import type { PrivateFolders } from './private-folders.ts';
import { refuseWhenStopped, register } from './running.ts';
import type { StartOptions } from './start-options.ts';

/** Options of `docker run` without a value, in their long and short forms; every other one takes one. */
const SWITCHES =
  /^(--(rm|interactive|tty|detach|init|privileged|read-only|quiet|no-healthcheck|publish-all|oom-kill-disable|sig-proxy)(=.*)?|-[itdPq]+)$/;

/** The image of `docker run [options] IMAGE …`; `undefined` when the command is another one. */
export function dockerImage(command: string, args: string[]): string | undefined {
  if (!isContainerTool(command)) return undefined;
  const start = args[0] === 'container' ? 1 : 0;
  if (args[start] !== 'run') return undefined;
  for (let index = start + 1; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-')) return arg;
    if (SWITCHES.test(arg) || arg.includes('=')) continue;
    // `-eNAME` carries its value; `-e NAME` does not.
    if (arg.startsWith('--') || arg.length === 2) index++;
  }
  return undefined;
}

/** The tool's own words, of docker and podman, when nothing answers; what a daemon answers is no such failure. */
const NO_DAEMON =
  /^(?!error response from daemon)[^\n]*(?:cannot connect to the docker daemon|is the docker daemon running|cannot connect to podman|permission denied while trying to connect|dial unix|unable to connect to (?:the )?(?:podman|docker|containerd)|cannot access containerd socket)/im;

/**
 * Pulls the image of a container server, so that the start itself does not count the download. It runs as the job
 * itself does, since the daemon's credentials are needed and nothing of the image runs. `undefined` when it is no
 * container server or the image is here.
 */
export async function fetchImage(
  launch: ResolvedStdio,
  options: StartOptions,
  notes: string[],
): Promise<ResolvedStdio | undefined> {
  const image = dockerImage(launch.command, launch.args);
  const job = options.job ?? process.env;
  if (image === undefined || launch.args.includes('--pull=never')) return undefined;
  const tool = hostTool(launch.command, { cwd: launch.cwd, root: options.root }, job);
  if (tool === undefined) return undefined;
  refuseWhenStopped();
  if ((await run(tool, ['image', 'inspect', '--', image], { ...options, cwd: launch.cwd })) === undefined)
    return undefined;
  refuseWhenStopped();
  const failure = await run(tool, ['pull', '--quiet', '--', image], { ...options, cwd: launch.cwd });
  if (failure === undefined) return undefined;
  options.signal?.throwIfAborted();
  // The start says the same, in its own words; a daemon that is absent is no failed fetch.
  if (NO_DAEMON.test(failure)) {
    notes.push('the image was not pulled: no container daemon answers');
    return undefined;
  }
  throw new AgentGateError(
    'E_INSTALL',
    `Server ${options.server} was not started, since its image ${JSON.stringify(image)} could not be pulled (${lastWords(failure)}); ` +
      'correct its name, or log in to its registry in an earlier step.',
    { server: options.server },
    { cause: { stderr: failure } },
  );
}

/** Gives stderr of a failed call, `undefined` when it went well. */
function run(
  tool: string,
  args: string[],
  options: Pick<StartOptions, 'job' | 'signal' | 'root'> & { cwd: string },
): Promise<string | undefined> {
  const job = options.job ?? process.env;
  // What the tool starts itself, helpers for credentials among it, is no program of the project either.
  const env = { ...job, PATH: hostPath({ cwd: options.cwd, root: options.root }, job) } as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const child = execFile(
      tool,
      args,
      { env, signal: options.signal, windowsHide: true },
      (error, _, stderr) => {
        unregister();
        resolve(error === null ? undefined : stderr || error.message);
      },
    );
    const gone = new Promise<void>((done) => child.once('close', () => done()));
    const killSync = (): void => void child.kill('SIGKILL');
    const end = (): Promise<void> => {
      child.kill();
      return gone;
    };
    const unregister = register({ end, killSync });
  });
}

/** Where the id of a container is kept, so that it can be ended: it is the daemon's child, not ours. */
function containerIdFile(folders: Pick<PrivateFolders, 'tmpdir'>): string {
  return join(folders.tmpdir, 'agentgate-container-id');
}

/** Makes `docker run` write the container's id down, unless the launch does so itself. */
export function withContainerId(
  launch: ResolvedStdio,
  folders: Pick<PrivateFolders, 'tmpdir'>,
): ResolvedStdio {
  const image = dockerImage(launch.command, launch.args);
  if (image === undefined) return launch;
  // Behind the image, it is an argument of the container's own.
  const options = launch.args.slice(0, launch.args.indexOf(image));
  if (options.some((arg) => arg.startsWith('--cidfile'))) return launch;
  const run = launch.args.indexOf('run') + 1;
  const args = [
    ...launch.args.slice(0, run),
    `--cidfile=${containerIdFile(folders)}`,
    ...launch.args.slice(run),
  ];
  return { ...launch, args };
}

/** Removes the container that a launch by `withContainerId` has started, if any. */
export async function removeContainer(
  launch: ResolvedStdio,
  options: Pick<StartOptions, 'folders' | 'job' | 'root'>,
): Promise<void> {
  const { folders, job = process.env, root } = options;
  if (dockerImage(launch.command, launch.args) === undefined) return;
  const file = containerIdFile(folders);
  const id = /^[0-9a-f]{12,64}$/.exec(await readFile(file, 'utf8').catch(() => ''))?.[0];
  await rm(file, { force: true });
  const tool = hostTool(launch.command, { cwd: launch.cwd, root }, job);
  if (id !== undefined && tool !== undefined)
    await run(tool, ['rm', '--force', id], { job, root, cwd: launch.cwd });
}
