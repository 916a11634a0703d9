import type { DeclaredServer, ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject } from '../util/json.ts';
import { type CaptureOptions, keepSurface, type Progress, startLimit } from './capture.ts';
import { type Begin, converse } from './converse.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { discover, initialize, type Refusal } from './handshake.ts';
import { installServer } from './install.ts';
import { lastWords } from './last-words.ts';
import { createPrivateFolders } from './private-folders.ts';
import { startServer } from './process.ts';
import type { ServerProcess } from './process-types.ts';
import type { Reading } from './read-surface.ts';
import { resolveSource } from './resolved-source.ts';
import { refuseWhenStopped } from './running.ts';
import { Session } from './session.ts';
import type { StartOptions } from './start-options.ts';
import { StdioChannel } from './stdio-channel.ts';

type Start = () => Promise<ServerProcess>;

/**
 * Fetches a stdio server, starts it as often as asked and reads its surface each time, into `progress`. All starts share
 * one private HOME and TMPDIR. Throws `AgentGateError`s.
 */
export async function captureStdio(
  declared: DeclaredServer,
  launch: ResolvedStdio,
  options: CaptureOptions,
  progress: Progress,
): Promise<void> {
  refuseWhenStopped(options.signal);
  const folders = await createPrivateFolders();
  try {
    const startOptions: StartOptions = {
      server: declared.key,
      folders,
      isolation: options.isolation,
      root: declared.root,
      passEnv: options.policy.passEnv,
      home: options.policy.home,
      network: options.policy.network,
      ...(options.env === undefined ? {} : { job: options.env }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    options.onProgress?.('fetching');
    const installed = await install(launch, startOptions, options, progress);
    progress.times.installMs = installed.installMs;
    progress.notes.push(...installed.notes);
    const startProcess = options.startProcess ?? startServer;
    const start: Start = () => startProcess(installed.launch, startOptions);
    for (let count = 1; count <= options.starts; count++) {
      options.onProgress?.('starting');
      const onExit = count === options.starts ? options.onExit : undefined;
      const { surface, notes } = await captureOnce(start, { ...options, onExit }, progress);
      keepSurface(progress, surface);
      if (count === 1) progress.notes.push(...notes);
    }
    progress.source = await resolveSource(options.source, launch, options.env, installed.launch);
  } finally {
    await folders.remove();
  }
}

async function install(
  launch: ResolvedStdio,
  startOptions: StartOptions,
  options: CaptureOptions,
  progress: Progress,
): ReturnType<typeof installServer> {
  const { installTimeoutMs } = options;
  const limit = startDeadline(installTimeoutMs, options.signal, () => {
    const seconds = Math.round(installTimeoutMs / 1000);
    return new AgentGateError(
      'E_INSTALL',
      `the server's package could not be fetched within ${seconds} s; fetch it in an earlier step, or give it longer by "install-timeout" in agentgate.yml`,
    );
  });
  try {
    return await (options.install ?? installServer)(launch, { ...startOptions, signal: limit.signal });
  } catch (error) {
    progress.times.installMs = Math.round(limit.elapsed());
    const cause: unknown = error instanceof AgentGateError ? error.cause : undefined;
    if (isObject(cause) && typeof cause.stderr === 'string') progress.stderr = cause.stderr;
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    limit.stop();
  }
}

/** One surface. A server that answers `initialize` with an error is started again and asked the 2026 way. */
async function captureOnce(start: Start, options: CaptureOptions, progress: Progress): Promise<Reading> {
  const deadline = startDeadline(startLimit(options), options.signal);
  try {
    const first = await withProcess(start, initialize, deadline, options, progress);
    if (!('refused' in first)) return first;
    const second = await withProcess(start, discover, deadline, options, progress);
    if (!('refused' in second)) return second;
    throw new AgentGateError(
      'E_PROTOCOL',
      `server refused both ways to begin: initialize (${first.refused}) and server/discover (${second.refused})`,
    );
  } finally {
    deadline.stop();
  }
}

async function withProcess(
  start: Start,
  begin: Begin,
  deadline: Deadline,
  options: CaptureOptions,
  progress: Progress,
): Promise<Reading | Refusal> {
  const from = deadline.elapsed();
  const process = await start();
  progress.isolation = process.isolation;
  progress.paths = process.paths;
  const channel = new StdioChannel(process, progress.memory);
  const session = new Session(channel, deadline, progress.memory);
  let onExit: (() => void) | undefined;
  try {
    const reading = await converse(session, begin, deadline, from, options, progress);
    if (!('refused' in reading)) onExit = options.onExit;
    return reading;
  } catch (error) {
    progress.stderr = process.stderrTail();
    throw explain(error, progress.stderr, channel.noise(), options);
  } finally {
    await session.close();
    if (onExit !== undefined) void process.exited.then(onExit);
    await process.end(onExit !== undefined);
  }
}

/** Adds what the server said last, which usually is the reason. */
function explain(error: unknown, stderr: string, noise: string[], options: CaptureOptions): unknown {
  if (!(error instanceof AgentGateError)) return error;
  if (!['E_SERVER_EXIT', 'E_SPAWN', 'E_TIMEOUT', 'E_LIST'].includes(error.code)) return error;
  // Redacted before it is cut, or half a secret would be left.
  const words = lastWords(options.redact(stderr)) ?? lastWords(options.redact(noise.join('\n')));
  if (words === undefined && error.code !== 'E_SERVER_EXIT') return error;
  const said = words === undefined ? 'it printed nothing that says why' : `its last words: ${words}`;
  return new AgentGateError(error.code, `${error.message}; ${said}`, error.place);
}
