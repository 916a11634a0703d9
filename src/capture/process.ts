import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import crossSpawn from 'cross-spawn';
import type { ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { confineContainer } from './container-access.ts';
import { removeContainer, withContainerId } from './docker-fetch.ts';
import { endProcess, killSync } from './end-process.ts';
import { type JobEnvironment, serverEnvironment } from './environment.ts';
import { findCommand } from './find-command.ts';
import { chooseIsolation, setupError, spawnIsolated } from './isolate.ts';
import { cacheVariables, packageCaches, realHome } from './package-caches.ts';
import type { ServerProcess } from './process-types.ts';
import { refuseWhenStopped, register } from './running.ts';
import type { Mechanism } from './sandbox-plan.ts';
import type { ViewInput } from './sandbox-view.ts';
import { sealedStdio } from './sealed-stdio.ts';
import type { StartOptions } from './start-options.ts';
import { keepTail } from './stderr-tail.ts';
import { type Watched, watchOver } from './watchdog.ts';

/** What decides about a server is never its to change, also where what it writes stays. */
const OWN_FILES = ['agentgate.lock', 'agentgate.yml', '.github', '.agentgate', '.mcp.json'];

/**
 * Starts one server in a process group of its own, with the environment of `DESIGN.md` §5.1. Throws
 * `E_FORBIDDEN_VARIABLE`, `E_WORKING_DIRECTORY`, `E_COMMAND_NOT_FOUND` or `E_START`; a server that ends at once is
 * no error here, see `exited`.
 */
export async function startServer(given: ResolvedStdio, options: StartOptions): Promise<ServerProcess> {
  const job = options.job ?? process.env;
  const launch = withContainerId(given, options.folders);
  const env = serverEnvironment({
    server: options.server,
    job,
    folders: options.folders,
    caches: cacheVariables(packageCaches(job)),
    declared: launch.env,
    passEnv: options.passEnv ?? [],
    home: options.home ?? 'private',
    args: launch.args,
  });
  requireFolder(launch.cwd, options.server);
  requireCommand(launch, env, options.server);
  const { probe, label } = await chooseIsolation(options.isolation, options.server);
  const network = options.network ?? 'inherit';
  refuseWhenStopped(options.signal);
  if (probe !== undefined) {
    const { launch: confined, daemon } = confineContainer(given, options);
    const child = spawnIsolated(
      { ...withContainerId(confined, options.folders), env },
      serverView(launch, daemon, options, job),
      probe,
      network,
      options.folders,
    );
    return superviseServer(
      child,
      launch,
      options,
      network === 'none' ? `${label}, no network` : label,
      probe.mechanism,
    );
  }
  const watched = watchOver(options.folders.root);
  const child = crossSpawn(launch.command, launch.args, {
    cwd: launch.cwd,
    env: Object.fromEntries(env),
    stdio: sealedStdio(),
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  watched.started(child);
  return superviseServer(child, launch, options, label, undefined, watched);
}

function serverView(
  launch: ResolvedStdio,
  daemon: boolean,
  options: StartOptions,
  job: JobEnvironment,
): ViewInput {
  return {
    job,
    cwd: launch.cwd,
    root: options.root ?? launch.cwd,
    writable: [options.folders.home, options.folders.tmpdir, ...(options.keeps ?? [])],
    overlays: packageCaches(job).map((cache) => cache.path),
    guarded: [
      ...(options.keeps ?? []).flatMap((folder) => OWN_FILES.map((name) => join(folder, name))),
      ...(options.guarded ?? []),
    ],
    readOnly: [],
    declared: [launch.command, ...launch.args, ...launch.env.values()],
    home: options.home ?? 'private',
    docker: daemon,
  };
}

async function superviseServer(
  child: ChildProcess,
  launch: ResolvedStdio,
  options: StartOptions,
  isolation: string,
  mechanism?: Mechanism,
  watched?: Watched,
): Promise<ServerProcess> {
  const { stdin, stdout, stderr } = child as { stdin: Writable; stdout: Readable; stderr: Readable };
  const stderrTail = keepTail(stderr);
  // Without a listener an EPIPE of a server that is gone would end this process.
  stdin.on('error', () => undefined);
  const exited = new Promise<Awaited<ServerProcess['exited']>>((resolve) => {
    child.once('exit', (code, signal) => {
      const error = mechanism && setupError(code, stderrTail(), options.server);
      resolve({ code, signal, ...(error ? { error } : {}) });
    });
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
  });
  const ending = { child, exited, stdin, marker: options.folders.root, mechanism };
  let ended: Promise<void> | undefined;
  const end = (hurry = false, patient = false): Promise<void> => {
    ended ??= endProcess(ending, hurry, patient).finally(async () => {
      await removeContainer(launch, options);
      unregister();
      watched?.ended();
      stdin.destroy();
      stdout.destroy();
      stderr.destroy();
    });
    return ended;
  };
  const unregister = register({ end, killSync: () => killSync(ending) });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  } catch (error) {
    unregister();
    watched?.ended();
    throw startError(error as NodeJS.ErrnoException, launch, options.server);
  }
  const home = options.home === 'inherit' ? realHome(options.job ?? process.env) : undefined;
  return {
    stdin,
    stdout,
    pid: child.pid,
    // What `unshare` says about being ended is none of the server's words.
    stderrTail: () => stderrTail().replace(/^unshare: sigprocmask unblock failed: .*\n?/gm, ''),
    exited,
    end: (patient) => end(false, patient),
    isolation,
    paths: { cwd: launch.cwd, home: home ?? options.folders.home, tmpdir: options.folders.tmpdir },
  };
}

function requireFolder(cwd: string, server: string): void {
  const stats = statSync(cwd, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  throw new AgentGateError(
    'E_WORKING_DIRECTORY',
    `Server ${server} wants to run in ${cwd}, which is no folder; correct its cwd or create the folder.`,
    { server },
  );
}

function requireCommand(launch: ResolvedStdio, env: Map<string, string>, server: string): void {
  const path = env.get('PATH') ?? env.get('Path') ?? '';
  if (findCommand(launch.command, path, launch.cwd) === undefined)
    throw commandNotFound(launch.command, server);
}

function commandNotFound(command: string, server: string): AgentGateError {
  const where = /[\\/]/.test(command) ? 'is no program that can be run' : 'is not on the PATH';
  return new AgentGateError(
    'E_COMMAND_NOT_FOUND',
    `Server ${server} is started by ${JSON.stringify(command)}, which ${where}; install it in an earlier step, ` +
      'correct the command, or skip the server with a reason in agentgate.yml.',
    { server },
  );
}

function startError(error: NodeJS.ErrnoException, launch: ResolvedStdio, server: string): AgentGateError {
  if (error.code === 'ENOENT') return commandNotFound(launch.command, server);
  return new AgentGateError(
    'E_START',
    `Server ${server} could not be started: ${error.code ?? error.message} for ${JSON.stringify(launch.command)}.`,
    { server },
    { cause: error },
  );
}
