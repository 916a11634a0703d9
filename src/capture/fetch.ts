import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import crossSpawn from 'cross-spawn';
import { AgentGateError } from '../util/errors.ts';
import { endProcess, killSync } from './end-process.ts';
import { passedEnvironment, setFolders } from './environment.ts';
import { chooseIsolation, type IsolationProbe, spawnIsolated } from './isolate.ts';
import { cacheVariables, packageCaches } from './package-caches.ts';
import { refuseWhenStopped, register } from './running.ts';
import type { Mechanism } from './sandbox-plan.ts';
import { sealedStdio } from './sealed-stdio.ts';
import type { StartOptions } from './start-options.ts';
import { keepTail } from './stderr-tail.ts';
import { watchOver } from './watchdog.ts';

/** The surroundings in which one server's package is fetched. */
export interface Fetch {
  options: StartOptions;
  /** An empty folder of its own, with `home` and `tmp` in it: what is fetched does not see the server's own. */
  folder: string;
  probe: (IsolationProbe & { mechanism: Mechanism }) | undefined;
}

export interface FetchStep {
  command: string;
  args: string[];
  /** Beyond the passed part of the job's environment. */
  env: Map<string, string>;
  cwd: string;
  writable: string[];
  /** Folders that it may write to, without any effect. */
  overlays: string[];
}

export interface FetchResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Makes the folder for fetching one server's package, and chooses the isolation. */
export async function prepareFetch(options: StartOptions, name: string): Promise<Fetch> {
  const { probe } = await chooseIsolation(options.isolation, options.server);
  const folder = await mkdtemp(join(options.folders.root, `fetch-${name}-`));
  await mkdir(join(folder, 'home'));
  await mkdir(join(folder, 'tmp'));
  return { options, folder, probe };
}

/**
 * Runs one step to its end, isolated as servers are. Nothing of what it started is left when it resolves. Rejects with
 * the signal's reason when `options.signal` aborts. A command that does not exist gives code 127.
 */
export async function runFetch(fetch: Fetch, step: FetchStep): Promise<FetchResult> {
  const { options, folder, probe } = fetch;
  options.signal?.throwIfAborted();
  refuseWhenStopped();
  const job = options.job ?? process.env;
  const env = passedEnvironment(job);
  setFolders(env, { home: join(folder, 'home'), tmpdir: join(folder, 'tmp') });
  for (const [name, value] of cacheVariables(packageCaches(job))) env.set(name, value);
  for (const [name, value] of step.env) env.set(name, value);
  const watched = probe === undefined ? watchOver(options.folders.root) : undefined;
  const child = probe === undefined ? spawnPlain(step, env) : spawnInside(fetch, probe, step, env);
  watched?.started(child);
  try {
    return await finish(child, options, probe?.mechanism, folder);
  } finally {
    watched?.ended();
  }
}

function spawnPlain(step: FetchStep, env: Map<string, string>): ChildProcess {
  return crossSpawn(step.command, step.args, {
    cwd: step.cwd,
    env: Object.fromEntries(env),
    stdio: sealedStdio(),
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

function spawnInside(
  { options, folder }: Fetch,
  probe: IsolationProbe & { mechanism: Mechanism },
  step: FetchStep,
  env: Map<string, string>,
): ChildProcess {
  const view = {
    job: options.job ?? process.env,
    cwd: step.cwd,
    root: step.cwd,
    writable: [...step.writable, folder],
    overlays: step.overlays,
    readOnly: [],
    declared: [],
    home: 'private' as const,
    docker: false,
  };
  return spawnIsolated({ ...step, env }, view, probe, 'inherit', options.folders);
}

async function finish(
  child: ChildProcess,
  options: StartOptions,
  mechanism: Mechanism | undefined,
  marker: string,
): Promise<FetchResult> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new TypeError('a fetch has no pipes');
  stdin.on('error', () => undefined);
  const [out, err] = [keepTail(stdout), keepTail(stderr)];
  const exited = new Promise<{ code: number | null }>((resolve) => {
    child.once('error', () => resolve({ code: 127 }));
    child.once('close', (code) => resolve({ code }));
  });
  let aborted: () => void = () => undefined;
  const abort = new Promise<undefined>((resolve) => {
    aborted = () => resolve(undefined);
    options.signal?.addEventListener('abort', aborted, { once: true });
  });
  const ending = { child, exited, stdin, marker, mechanism };
  const unregister = register({
    end: (hurry) => endProcess(ending, hurry),
    killSync: () => killSync(ending),
  });
  // Under sudo the end of this pipe ends the namespace, so there it stays open until the step is done.
  if (mechanism !== 'sudo') stdin.end();
  try {
    const result = await Promise.race([exited, abort]);
    await endProcess(ending, true);
    options.signal?.throwIfAborted();
    return { code: result?.code ?? null, stdout: out(), stderr: err() };
  } finally {
    options.signal?.removeEventListener('abort', aborted);
    unregister();
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }
}

/**
 * One sentence about a failed fetch, which ends with the next step; the launcher's own last messages are the error's
 * `cause.stderr`.
 */
export function installError(
  server: string,
  what: string,
  result: FetchResult,
  next = nextStep(result.stderr),
): AgentGateError {
  const code = result.code === null ? 'it was ended' : `exit code ${result.code}`;
  const lines = result.stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  // npm begins a failed connection with `syscall connect` and `errno …`, and a failed script with its `path`; what
  // happened is in a line below.
  const told = lines.find(
    (line) =>
      line !== '' &&
      !/^(?:(?:npm )?warn\b|(?:code|syscall|errno) [A-Z0-9-]|(?:path|dest) \S|command failed$)/i.test(line),
  );
  // uv's first line says only that nothing fits.
  const why = lines.find((line) => /^(?:cause:|╰─▶) Because /.test(line))?.replace(/^\S+ /, '');
  const of = lines
    .find((line) => /^path \S.*node_modules\//.test(line))
    ?.split('node_modules/')
    .at(-1);
  const reason = [
    code,
    ...(of === undefined ? [] : [of]),
    ...(told === undefined ? [] : [(why ?? told).slice(0, 200)]),
  ];
  return new AgentGateError(
    'E_INSTALL',
    `Server ${server} was not started, since ${what} (${reason.join(': ')}); ${next}.`,
    { server },
    { cause: { stderr: result.stderr } },
  );
}

function nextStep(stderr: string): string {
  return /\bcurrent Python version \(\S{1,40}\) does not satisfy\b/.test(stderr)
    ? 'install a Python that it takes in a step before, and name it by --python'
    : 'correct its name and release, or give the job access to the registry';
}
