import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '../capture/limits.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { errorMessage, messageText, RPC, RpcError } from './rpc.ts';

export interface Listen {
  host: string;
  port: number;
}

/** True for the `Authorization` header of who may connect. */
export type Authorized = (header: string | undefined) => boolean;

/** Lets in who bears this secret. */
export function bearerOf(secret: string): Authorized {
  const wanted = Buffer.from(secret);
  return (header) => {
    const given = Buffer.from(header?.startsWith('Bearer ') ? header.slice(7) : '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
}

/** One request by HTTP that may be answered. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  end(status: number, body?: JsonObject, headers?: Record<string, string>): void;
  /** Ends with a JSON-RPC error that has no id. */
  refuse(status: number, text: string, headers?: Record<string, string>): void;
}

export interface Served {
  url: string;
  close(): Promise<void>;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_CONNECTIONS = 1_000;

/** `127.0.0.1:PORT`, `localhost:PORT` or `[::1]:PORT`. Throws `E_USAGE` for anything else: no other host may connect. */
export function parseListen(text: string): Listen {
  const [, host = '', digits = ''] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === '' || port > 65_535)
    throw new AgentGateError(
      'E_USAGE',
      `--listen takes 127.0.0.1:PORT (this machine only), not ${JSON.stringify(text)}`,
    );
  return { host: host === '[::1]' ? '::1' : host === 'localhost' ? '127.0.0.1' : host, port };
}

/**
 * Listens for MCP by Streamable HTTP at `/mcp`. Only for this machine: a request whose `Host` or `Origin` names another
 * one (DNS rebinding, a web page) is refused, and with `authorized` every one that does not bear the secret.
 */
export async function listenHttp(
  listen: Listen,
  authorized: Authorized | undefined,
  answer: (exchange: Exchange) => Promise<void>,
): Promise<Served> {
  const server = createServer((request, response) => {
    const exchange = exchangeOf(request, response);
    if (mayPass(exchange, authorized)) void answer(exchange).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listening(server, listen);
  const { port } = server.address() as AddressInfo;
  const host = listen.host === '::1' ? '[::1]' : listen.host;
  return {
    url: `http://${host}:${port}/mcp`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The text of a POST; undefined when it was refused already. */
export async function postedText(exchange: Exchange): Promise<string | undefined> {
  const { request, refuse } = exchange;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    refuse(415, 'the content type must be application/json');
    return undefined;
  }
  const text = await bodyOf(request);
  if (text === undefined) refuse(413, 'the message is too large or not valid UTF-8');
  return text;
}

function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
  const end: Exchange['end'] = (status, body, headers = {}) => {
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    response.end(body === undefined ? undefined : messageText(body));
  };
  const refuse: Exchange['refuse'] = (status, text, headers) => {
    request.resume();
    end(status, errorMessage(null, new RpcError(RPC.request, text)), headers);
  };
  return { request, response, end, refuse };
}

function mayPass({ request, refuse }: Exchange, authorized: Authorized | undefined): boolean {
  const { host, origin, authorization } = request.headers;
  if (!isLocal(host) || !isLocalOrigin(origin)) refuse(403, 'only this machine may connect');
  else if (authorized !== undefined && !authorized(authorization))
    refuse(401, 'E_PERM: the secret is missing or wrong', { 'www-authenticate': 'Bearer' });
  else if (pathOf(request.url) !== '/mcp') refuse(404, 'MCP is at /mcp');
  else return true;
  return false;
}

function pathOf(url: string | undefined): string | undefined {
  const base = 'http://localhost';
  return URL.canParse(url ?? '/', base) ? new URL(url ?? '/', base).pathname : undefined;
}

function listening(server: Server, { host, port }: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new AgentGateError('E_LISTEN', `cannot listen on ${host}:${port}: ${error.message}`)),
    );
    server.listen(port, host, () => resolve());
  });
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > LIMITS.messageBytes) return undefined;
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}

function isLocal(host: string | undefined): boolean {
  return host !== undefined && LOCAL.has(host.replace(/:\d+$/, '').toLowerCase());
}

function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && LOCAL.has(new URL(origin).hostname);
}
