import { type Credentials, clientCredentials } from '../capture/client-credentials.ts';
import { discover, initialize, type Refusal } from '../capture/handshake.ts';
import { HttpStatusError } from '../capture/http-tap.ts';
import { RemoteChannel } from '../capture/remote-channel.ts';
import type { ResolvedRemote } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { type Begin, beginSession, type Connection, type ConnectOptions, limitOf } from './connection.ts';

const PROBE_MS = 10_000;

/** 2026-07-28 first, then `initialize`, then HTTP+SSE: the order of a capture. */
export async function connectRemote(launch: ResolvedRemote, options: ConnectOptions): Promise<Connection> {
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
  const channel = new RemoteChannel(kind, launch, credentials, undefined, true);
  const begun = await beginSession(channel, how, options);
  if ('refused' in begun) return begun;
  const { session } = begun;
  return {
    ...begun,
    paths: {},
    source: options.source,
    exited: new Promise(() => {}),
    end: () => session.close(),
  };
}

function orRefused(outcome: Connection | Refusal, discoverRefused?: string): Connection {
  if (!('refused' in outcome)) return outcome;
  const also = discoverRefused === undefined ? '' : ` and server/discover (${discoverRefused})`;
  throw new AgentGateError('E_PROTOCOL', `server refused to begin: initialize (${outcome.refused})${also}`);
}
