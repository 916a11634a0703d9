import type { ResolvedRemote } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { type CaptureOptions, keepSurface, type Progress, startLimit } from './capture.ts';
import { type Credentials, clientCredentials } from './client-credentials.ts';
import { type Begin, converse } from './converse.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { discover, initialize, type Refusal } from './handshake.ts';
import { HttpStatusError } from './http-tap.ts';
import type { Reading } from './read-surface.ts';
import { RemoteChannel } from './remote-channel.ts';
import { Session } from './session.ts';

/** A server of an older revision may leave the 2026 probe unanswered; most answer in a moment. */
const PROBE_MS = 10_000;

/**
 * Connects to a remote server as often as asked and reads its surface each time, into `progress`. Throws
 * `AgentGateError`s.
 */
export async function captureRemote(
  launch: ResolvedRemote,
  options: CaptureOptions,
  progress: Progress,
): Promise<void> {
  progress.isolation = 'remote';
  for (let count = 1; count <= options.starts; count++) {
    options.onProgress?.('starting');
    const deadline = startDeadline(startLimit(options), options.signal);
    try {
      const { surface, notes } = await new RemoteReader(launch, deadline, options, progress).read();
      keepSurface(progress, surface);
      if (count === 1) progress.notes.push(...notes);
    } finally {
      deadline.stop();
    }
  }
}

/** Tries the ways to begin in the order that clients do: 2026-07-28, `initialize`, HTTP+SSE. */
class RemoteReader {
  private readonly launch: ResolvedRemote;
  private readonly deadline: Deadline;
  private readonly options: CaptureOptions;
  private readonly progress: Progress;
  private readonly credentials: Credentials | undefined;

  constructor(launch: ResolvedRemote, deadline: Deadline, options: CaptureOptions, progress: Progress) {
    this.launch = launch;
    this.deadline = deadline;
    this.options = options;
    this.progress = progress;
    this.credentials = clientCredentials(launch);
  }

  async read(): Promise<Reading> {
    const { transport } = this.launch;
    if (transport === 'sse') return orRefused(await this.connect('sse', initialize));
    const modern = await this.probe();
    if (!('refused' in modern)) return modern;
    try {
      return orRefused(await this.connect('http', initialize), modern.refused);
    } catch (error) {
      if (!mayBeSse(error)) throw error;
      if (transport === 'auto') return await this.readSse(error);
      if (!(await this.offersSse())) throw error;
      throw new AgentGateError(
        'E_HTTP',
        `server speaks HTTP+SSE and not Streamable HTTP (it answered with HTTP ${error.status}); set "type": "sse" for it in the config`,
      );
    }
  }

  /**
   * True when the URL answers as one of HTTP+SSE. A config that says `http` is not read as `sse`: clients differ in
   * whether they would, and what is pinned must not be what some of them never see.
   */
  private async offersSse(): Promise<boolean> {
    try {
      await this.connect('sse', async () => ({ refused: 'asked for its transport only' }));
      return true;
    } catch {
      return false;
    }
  }

  /** A failure that says nothing about older revisions is thrown; anything else is a refusal. */
  private async probe(): Promise<Reading | Refusal> {
    const limit = AbortSignal.timeout(Math.min(PROBE_MS, Math.ceil(this.deadline.ms / 3)));
    let begun = false;
    const begin: Begin = async (session) => {
      const handshake = await discover(session, limit);
      begun = true;
      return handshake;
    };
    try {
      return await this.connect('http', begin);
    } catch (error) {
      const speaksOtherwise =
        (error instanceof HttpStatusError && error.code === 'E_HTTP') ||
        (error instanceof AgentGateError && ['E_PROTOCOL', 'E_TIMEOUT'].includes(error.code));
      if (begun || !speaksOtherwise || this.deadline.signal.aborted) throw error;
      return { refused: error.message };
    }
  }

  private async readSse(streamable: HttpStatusError): Promise<Reading> {
    try {
      return orRefused(await this.connect('sse', initialize));
    } catch (error) {
      if (!(error instanceof HttpStatusError) || error.code !== 'E_HTTP') throw error;
      throw new AgentGateError(
        'E_HTTP',
        `server speaks neither Streamable HTTP (HTTP ${streamable.status}) nor HTTP+SSE (HTTP ${error.status}); check the URL in the config`,
      );
    }
  }

  private async connect(kind: 'http' | 'sse', begin: Begin): Promise<Reading | Refusal> {
    const { memory } = this.progress;
    const channel = new RemoteChannel(kind, this.launch, this.credentials, memory);
    const session = new Session(channel, this.deadline, memory);
    try {
      const from = this.deadline.elapsed();
      return await converse(session, begin, this.deadline, from, this.options, this.progress);
    } finally {
      await session.close();
    }
  }
}

/** The answers to a POST of a server that knows only HTTP+SSE (MCP 2025-11-25, transports, backwards compatibility). */
function mayBeSse(error: unknown): error is HttpStatusError {
  return (
    error instanceof HttpStatusError && error.code === 'E_HTTP' && error.status >= 400 && error.status < 500
  );
}

function orRefused(outcome: Reading | Refusal, discover?: string): Reading {
  if (!('refused' in outcome)) return outcome;
  const legacy = `initialize (${outcome.refused})`;
  throw new AgentGateError(
    'E_PROTOCOL',
    discover === undefined
      ? `server refused ${legacy}`
      : `server refused both ways to begin: server/discover (${discover}) and ${legacy}`,
  );
}
