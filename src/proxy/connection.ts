import type { CaptureOptions } from '../capture/capture.ts';
import { type Credentials, clientCredentials } from '../capture/client-credentials.ts';
import type { Deadline } from '../capture/deadline.ts';
import { discover, type Handshake, initialize, type Refusal } from '../capture/handshake.ts';
import { HttpStatusError } from '../capture/http-tap.ts';
import { installServer } from '../capture/install.ts';
import { createPrivateFolders } from '../capture/private-folders.ts';
import { startServer } from '../capture/process.ts';
import { RemoteChannel } from '../capture/remote-channel.ts';
import { resolveSource } from '../capture/resolved-source.ts';
import { Session } from '../capture/session.ts';
import type { StartOptions } from '../capture/start-options.ts';
import { StdioChannel } from '../capture/stdio-channel.ts';
import type { DeclaredServer, ResolvedRemote, ResolvedStdio, Source } from '../config/types.ts';
import type { HostPaths } from '../lock/mask.ts';
import { AgentGateError } from '../util/errors.ts';

/** A server that is running, or a remote one that is connected, with a session that has begun. */
export interface Connection {
  session: Session;
  handshake: Handshake;
  /** To be masked when its surface is pinned. */
  paths: HostPaths;
  source: Source;
  /** The limit for what is asked outside of a call; see {@link CallDeadline}. */
  deadline: CallDeadline;
  /** Resolves when the server's process is gone; never for a remote one. */
  exited: Promise<unknown>;
  /** Ends the session, and the process with everything that it started. */
  end(): Promise<void>;
}

export type ConnectOptions = Pick<
  CaptureOptions,
  'timeoutMs' | 'installTimeoutMs' | 'isolation' | 'policy' | 'source' | 'env' | 'signal'
>;

const PROBE_MS = 10_000;

/**
 * A capture ends with its deadline; a proxy's session lives on. The clock runs only while {@link CallDeadline.run} does,
 * and when it runs out the session is dead: a server that does not list is not waited for twice.
 */
export class CallDeadline implements Deadline {
  readonly ms: number;
  private readonly controller = new AbortController();
  private readonly from = performance.now();

  constructor(ms: number) {
    this.ms = ms;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  elapsed(): number {
    return performance.now() - this.from;
  }

  stop(): void {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.controller.abort(), this.ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Starts a declared server, or connects to it, as a capture does, and leaves the session open. Throws `AgentGateError`s;
 * nothing is left running then.
 */
export async function connect(
  declared: DeclaredServer,
  launch: ResolvedStdio | ResolvedRemote,
  options: ConnectOptions,
): Promise<Connection> {
  return launch.transport === 'stdio'
    ? await connectStdio(declared, launch, options)
    : await connectRemote(launch, options);
}

function limitOf(options: ConnectOptions): number {
  return options.policy.timeout === undefined ? options.timeoutMs : options.policy.timeout * 1000;
}

async function connectStdio(
  declared: DeclaredServer,
  launch: ResolvedStdio,
  options: ConnectOptions,
): Promise<Connection> {
  const folders = await createPrivateFolders();
  try {
    const start: StartOptions = {
      server: declared.key,
      folders,
      isolation: options.isolation,
      root: declared.root,
      // What it is asked to do must last; a check throws it away.
      keeps: [declared.root],
      passEnv: options.policy.passEnv,
      home: options.policy.home,
      network: options.policy.network,
      ...(options.env === undefined ? {} : { job: options.env }),
    };
    const limit = AbortSignal.timeout(options.installTimeoutMs);
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
    const installed = await installServer(launch, { ...start, signal });
    const deadline = new CallDeadline(limitOf(options));
    const first = await begin(installed.launch, start, deadline, initialize);
    const begun = 'refused' in first ? await begin(installed.launch, start, deadline, discover) : first;
    if ('refused' in begun)
      throw new AgentGateError(
        'E_PROTOCOL',
        `server refused both ways to begin: initialize (${'refused' in first ? first.refused : ''}) and server/discover (${begun.refused})`,
      );
    const { session, handshake, process } = begun;
    return {
      session,
      handshake,
      paths: process.paths,
      source: await resolveSource(options.source, launch, options.env),
      deadline,
      exited: process.exited,
      end: async () => {
        await session.close();
        await process.end();
        await folders.remove();
      },
    };
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

type Begin = (session: Session) => Promise<Handshake | Refusal>;

async function begin(launch: ResolvedStdio, start: StartOptions, deadline: CallDeadline, how: Begin) {
  const process = await startServer(launch, start);
  const session = new Session(new StdioChannel(process), deadline);
  let keep = false;
  try {
    return await deadline.run(async () => {
      await session.open();
      const handshake = await how(session);
      if ('refused' in handshake) return handshake;
      keep = true;
      return { session, handshake, process };
    });
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    const said = process.stderrTail().trim().split(/\r?\n/).at(-1)?.slice(0, 300) ?? '';
    throw new AgentGateError(
      error.code,
      said === '' ? error.message : `${error.message}; its last words: ${said}`,
      error.place,
    );
  } finally {
    if (!keep) {
      await session.close();
      await process.end();
    }
  }
}

/** 2026-07-28 first, then `initialize`, then HTTP+SSE: the order of a capture. */
async function connectRemote(launch: ResolvedRemote, options: ConnectOptions): Promise<Connection> {
  const credentials = clientCredentials(launch);
  const open = (kind: 'http' | 'sse', how: Begin) => openRemote(kind, launch, credentials, options, how);
  if (launch.transport === 'sse') return orRefused(await open('sse', initialize));
  let refused: string | undefined;
  try {
    const ms = Math.min(PROBE_MS, Math.ceil(limitOf(options) / 3));
    const modern = await open('http', (session) => discover(session, AbortSignal.timeout(ms)));
    if (!('refused' in modern)) return modern;
    refused = modern.refused;
  } catch (error) {
    const otherwise =
      (error instanceof HttpStatusError && error.code === 'E_HTTP') ||
      (error instanceof AgentGateError && ['E_PROTOCOL', 'E_TIMEOUT'].includes(error.code));
    if (!otherwise) throw error;
    refused = error instanceof AgentGateError ? error.message : '';
  }
  try {
    return orRefused(await open('http', initialize), refused);
  } catch (error) {
    const maybeSse =
      error instanceof HttpStatusError &&
      error.code === 'E_HTTP' &&
      error.status >= 400 &&
      error.status < 500;
    if (launch.transport !== 'auto' || !maybeSse) throw error;
    return orRefused(await open('sse', initialize));
  }
}

async function openRemote(
  kind: 'http' | 'sse',
  launch: ResolvedRemote,
  credentials: Credentials | undefined,
  options: ConnectOptions,
  how: Begin,
): Promise<Connection | Refusal> {
  const deadline = new CallDeadline(limitOf(options));
  const session = new Session(new RemoteChannel(kind, launch, credentials), deadline);
  let keep = false;
  try {
    return await deadline.run(async () => {
      await session.open();
      const handshake = await how(session);
      if ('refused' in handshake) return handshake;
      keep = true;
      return {
        session,
        handshake,
        paths: {},
        source: options.source,
        deadline,
        exited: new Promise(() => {}),
        end: () => session.close(),
      };
    });
  } finally {
    if (!keep) await session.close();
  }
}

function orRefused(outcome: Connection | Refusal, discoverRefused?: string): Connection {
  if (!('refused' in outcome)) return outcome;
  const also = discoverRefused === undefined ? '' : ` and server/discover (${discoverRefused})`;
  throw new AgentGateError('E_PROTOCOL', `server refused to begin: initialize (${outcome.refused})${also}`);
}
