import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import type { Attempt, CaptureOptions, StartedProcess } from './capture.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { discover, type Handshake, initialize, type Refusal } from './handshake.ts';
import { readSurface } from './read-surface.ts';
import { Session } from './session.ts';
import { StdioChannel } from './stdio-channel.ts';
import type { Surface } from './types.ts';

/**
 * Starts a stdio server as often as asked and reads its surface each time. `attempt` is filled in on the way, so that a
 * failure still tells times, isolation and stderr. Throws `AgentGateError`s.
 */
export async function captureStdio(
  launch: ResolvedStdio,
  options: CaptureOptions,
  attempt: Attempt,
): Promise<Surface[]> {
  const folders = options.starts === 2 ? await makeFolders() : undefined;
  try {
    const surfaces: Surface[] = [];
    for (let start = 1; start <= options.starts; start++) {
      const { surface, notes } = await captureOnce(launch, options, attempt, folders);
      surfaces.push(surface);
      if (start === 1) attempt.notes.push(...notes);
    }
    return surfaces;
  } finally {
    if (folders !== undefined) await rm(folders.root, { recursive: true, force: true });
  }
}

type Folders = { root: string; home: string; tmpdir: string };

async function makeFolders(): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), 'agentgate-'));
  const folders = { root, home: join(root, 'home'), tmpdir: join(root, 'tmp') };
  await mkdir(folders.home);
  await mkdir(folders.tmpdir);
  return folders;
}

/** One surface. A server that answers `initialize` with an error is started again and asked the 2026 way. */
async function captureOnce(
  launch: ResolvedStdio,
  options: CaptureOptions,
  attempt: Attempt,
  folders: Folders | undefined,
): Promise<{ surface: Surface; notes: string[] }> {
  const ms = (options.policy.timeout ?? 0) * 1000 || options.timeoutMs;
  const deadline = startDeadline(ms, options.signal);
  try {
    const first = await withProcess(launch, options, attempt, folders, deadline, initialize);
    if (!('refused' in first)) return first;
    const second = await withProcess(launch, options, attempt, folders, deadline, discover);
    if (!('refused' in second)) return second;
    throw new AgentGateError(
      'E_PROTOCOL',
      `server refused both ways to begin: initialize with ${first.refused}; server/discover with ${second.refused}`,
    );
  } finally {
    deadline.stop();
  }
}

async function withProcess(
  launch: ResolvedStdio,
  options: CaptureOptions,
  attempt: Attempt,
  folders: Folders | undefined,
  deadline: Deadline,
  begin: (session: Session) => Promise<Handshake | Refusal>,
): Promise<{ surface: Surface; notes: string[] } | Refusal> {
  // Fetching the package has its own limit.
  const process = await deadline.paused(() =>
    options.startProcess(launch, {
      isolation: options.isolation,
      policy: options.policy,
      installTimeoutMs: options.installTimeoutMs,
      ...(folders === undefined ? {} : { folders }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }),
  );
  attempt.isolation = process.isolation;
  attempt.times.installMs += process.installMs ?? 0;
  if (process.source !== undefined) attempt.source = process.source;
  const channel = new StdioChannel(process);
  const session = new Session(channel, deadline.signal);
  try {
    const outcome = await converse(session, attempt, deadline, begin);
    if (!('refused' in outcome)) outcome.surface.paths = process.paths;
    return outcome;
  } catch (error) {
    attempt.stderr = process.stderrTail();
    throw explain(error, process, channel, options);
  } finally {
    await session.close();
    await process.end();
  }
}

async function converse(
  session: Session,
  attempt: Attempt,
  deadline: Deadline,
  begin: (session: Session) => Promise<Handshake | Refusal>,
): Promise<{ surface: Surface; notes: string[] } | Refusal> {
  const from = deadline.elapsed();
  await session.open();
  const handshake = await begin(session).finally(() => {
    attempt.times.startMs += Math.round(deadline.elapsed() - from);
  });
  if ('refused' in handshake) return handshake;
  const listing = deadline.elapsed();
  return await readSurface(session, handshake).finally(() => {
    attempt.times.listMs += Math.round(deadline.elapsed() - listing);
  });
}

/** Adds what the server said last, which usually is the reason. */
function explain(
  error: unknown,
  process: StartedProcess,
  channel: StdioChannel,
  options: CaptureOptions,
): unknown {
  if (!(error instanceof AgentGateError)) return error;
  if (!['E_SERVER_EXIT', 'E_SPAWN', 'E_TIMEOUT', 'E_LIST'].includes(error.code)) return error;
  const words = lastWords(options.redact(process.stderrTail())) ?? lastWords(channel.noise().join('\n'));
  return words === undefined
    ? error
    : new AgentGateError(error.code, `${error.message}; its last words: ${words}`, error.place);
}

/** The last line that says something, cut. */
function lastWords(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.at(-1)?.trim().slice(0, 300);
}
