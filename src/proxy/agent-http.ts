import { LEGACY_VERSIONS, MODERN_VERSION } from '../capture/handshake.ts';
import { PROTOCOL_VERSION } from '../capture/request-params.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { AgentSession, type GatewayOrError } from './agent-session.ts';
import { EventReply } from './event-reply.ts';
import {
  type Authorized,
  type Exchange,
  type Listen,
  listenHttp,
  postedText,
  type Served,
} from './http-listener.ts';
import { HttpSessions } from './http-sessions.ts';
import { decodeHeader } from './param-headers.ts';
import { errorMessage, RPC, RpcError } from './rpc.ts';

/** What the headers have to agree with. */
interface Peek {
  id: string | number | null;
  method: string | undefined;
  params: JsonObject;
  /** Of revision 2026-07-28, which each of its requests names. */
  version: Json | undefined;
}

/** The member that `Mcp-Name` mirrors. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/**
 * Serves agents' clients by Streamable HTTP. Those of the older revisions have a session each, with a stream of news by
 * GET; a request of 2026-07-28 stands alone. A request that asks for what comes before its answer (progress, news) is
 * answered by a stream of events, every other one with JSON.
 */
export async function serveAgentHttp(
  started: Promise<GatewayOrError>,
  listen: Listen,
  authorized?: Authorized,
): Promise<Served> {
  const sessions = new HttpSessions(started);
  const served = await listenHttp(listen, authorized, async (exchange) => {
    const { request, refuse, end } = exchange;
    const named = request.headers['mcp-session-id'];
    if (request.method === 'POST') return await post(exchange, started, sessions);
    if (named === undefined || (request.method !== 'GET' && request.method !== 'DELETE'))
      return refuse(405, 'only POST is answered here', { allow: 'POST' });
    const session = sessions.get(named);
    if (session === undefined) return refuse(404, 'there is no such session; begin with initialize');
    if (request.method === 'DELETE') {
      sessions.end(String(named));
      return end(200);
    }
    if (!takesEvents(exchange)) return refuse(406, 'text/event-stream must be accepted');
    session.openStream(new EventReply(exchange.response), exchange.response);
  });
  return {
    url: served.url,
    close: async () => {
      sessions.endAll();
      await served.close();
    },
  };
}

async function post(
  exchange: Exchange,
  started: Promise<GatewayOrError>,
  sessions: HttpSessions,
): Promise<void> {
  const { request, refuse, end } = exchange;
  const text = await postedText(exchange);
  if (text === undefined) return;
  const peek = peekAt(text);
  const version = request.headers['mcp-protocol-version'];
  if (peek.version !== undefined || version === MODERN_VERSION) {
    const mismatch = headerMismatch(exchange, peek);
    if (mismatch !== undefined)
      return end(400, errorMessage(peek.id, new RpcError(RPC.header, `Header mismatch: ${mismatch}`)));
    return await modernPost(exchange, started, text, peek);
  }
  if (version !== undefined && !LEGACY_VERSIONS.includes(String(version)))
    return refuse(400, 'this revision of MCP is not spoken here; begin with initialize');
  const id = request.headers['mcp-session-id'];
  if (peek.method === 'initialize') {
    const begun = sessions.begin();
    const answer = await begun.session.receive(text);
    if (answer !== undefined && Object.hasOwn(answer, 'result'))
      return end(200, answer, { 'mcp-session-id': begun.id });
    sessions.end(begun.id);
    return answer === undefined ? end(202) : end(200, answer);
  }
  const known = sessions.get(id);
  if (id !== undefined && known === undefined)
    return refuse(404, 'there is no such session; begin with initialize');
  // A client that begins nothing has nothing that lasts.
  const session = known?.session ?? new AgentSession(started, () => {});
  try {
    await reply(exchange, session, text, wantsEvents(peek));
  } finally {
    if (known === undefined) session.end();
  }
}

async function modernPost(
  exchange: Exchange,
  started: Promise<GatewayOrError>,
  text: string,
  peek: Peek,
): Promise<void> {
  const session = new AgentSession(started, () => {});
  // To close the response is to cancel the request.
  const gone = new AbortController();
  exchange.response.on('close', () => gone.abort());
  try {
    await reply(exchange, session, text, wantsEvents(peek), gone.signal);
  } finally {
    session.end();
  }
}

async function reply(
  exchange: Exchange,
  session: AgentSession,
  text: string,
  events: boolean,
  gone?: AbortSignal,
): Promise<void> {
  if (events && takesEvents(exchange)) {
    const stream = new EventReply(exchange.response);
    stream.end(await session.receive(text, (message) => stream.notify(message), gone));
    return;
  }
  const answer = await session.receive(text, () => {}, gone);
  if (answer === undefined) exchange.end(202);
  else exchange.end(gone === undefined ? 200 : statusOf(answer), answer);
}

/** Revision 2026-07-28 names the status of some errors. */
function statusOf(answer: JsonObject): number {
  const error = own(answer, 'error');
  if (!isObject(error)) return 200;
  const code = own(error, 'code');
  if (code === RPC.method) return 404;
  if (code === RPC.version) return 400;
  return code === RPC.params && own(error, 'data') === undefined ? 400 : 200;
}

function takesEvents({ request }: Exchange): boolean {
  return /\btext\/event-stream\b/.test(request.headers.accept ?? '');
}

function wantsEvents({ method, params }: Peek): boolean {
  if (method === 'subscriptions/listen') return true;
  const meta = own(params, '_meta');
  if (!isObject(meta)) return false;
  return ['progressToken', 'io.modelcontextprotocol/logLevel'].some((key) => Object.hasOwn(meta, key));
}

function headerMismatch({ request }: Exchange, { method, params, version }: Peek): string | undefined {
  const { headers } = request;
  if (headers['mcp-protocol-version'] !== version) return 'MCP-Protocol-Version is not that of the message';
  if (headers['mcp-method'] !== method) return 'Mcp-Method is not the method of the message';
  const member = NAMED.get(method ?? '');
  if (member === undefined) return undefined;
  const given = headers['mcp-name'];
  const named = typeof given === 'string' ? decodeHeader(given) : undefined;
  return named !== undefined && named === own(params, member)
    ? undefined
    : 'Mcp-Name is not the name in the message';
}

/** Reads what the transport has to know; whether the message is right is for the session to say. */
function peekAt(text: string): Peek {
  const peek: Peek = { id: null, method: undefined, params: {}, version: undefined };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return peek;
  }
  if (!isObject(value)) return peek;
  const [id, method, params] = [own(value, 'id'), own(value, 'method'), own(value, 'params')];
  if (typeof id === 'string' || typeof id === 'number') peek.id = id;
  if (typeof method === 'string') peek.method = method;
  if (!isObject(params)) return peek;
  peek.params = params;
  const meta = own(params, '_meta');
  if (isObject(meta)) peek.version = own(meta, PROTOCOL_VERSION);
  return peek;
}
