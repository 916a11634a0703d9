import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LEGACY_VERSIONS } from '../capture/handshake.ts';
import { LIMITS } from '../capture/limits.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { errorMessage, RPC, RpcError } from './rpc.ts';

/** Answers one JSON-RPC text. */
export interface Receiver {
  receive(text: string): Promise<JsonObject | undefined>;
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `127.0.0.1:PORT`, `localhost:PORT` or `[::1]:PORT`. Throws `E_USAGE` for anything else: no other host may connect. */
export function parseListen(text: string): { host: string; port: number } {
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
 * Serves MCP by Streamable HTTP at `/mcp`: one POST is one message, answered with JSON. Only for this machine: a request
 * whose `Host` or `Origin` names another one (DNS rebinding, a web page) is refused. With a secret, every request must
 * bear it.
 */
export async function serveHttp(
  receiver: Receiver,
  listen: { host: string; port: number },
  options: { authorized?: (header: string | undefined) => boolean } = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void answer(receiver, request, response, options.authorized).catch(() => response.destroy());
  });
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

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new AgentGateError('E_LISTEN', `cannot listen on ${host}:${port}: ${error.message}`)),
    );
    server.listen(port, host, () => resolve());
  });
}

async function answer(
  receiver: Receiver,
  request: IncomingMessage,
  response: ServerResponse,
  authorized: ((header: string | undefined) => boolean) | undefined,
): Promise<void> {
  const end = (status: number, body?: JsonObject, headers: Record<string, string> = {}): void => {
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const refuse = (status: number, text: string, headers?: Record<string, string>): void => {
    request.resume();
    end(status, errorMessage(null, new RpcError(RPC.request, text)), headers);
  };
  if (!isLocal(request.headers.host) || !isLocalOrigin(request.headers.origin))
    return refuse(403, 'only this machine may connect');
  if (authorized !== undefined && !authorized(request.headers.authorization))
    return refuse(401, 'E_PERM: the secret is missing or wrong', { 'www-authenticate': 'Bearer' });
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp')
    return refuse(404, 'MCP is at /mcp');
  if (request.method !== 'POST') return refuse(405, 'only POST is answered here', { allow: 'POST' });
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return refuse(415, 'the content type must be application/json');
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !LEGACY_VERSIONS.includes(String(version)))
    return refuse(400, 'this revision of MCP is not spoken here; begin with initialize');
  const text = await bodyOf(request);
  if (text === undefined) return refuse(413, 'the message is too large or not valid UTF-8');
  const message = await receiver.receive(text);
  if (message === undefined) end(202);
  else end(200, message);
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
  try {
    return LOCAL.has(new URL(origin).hostname);
  } catch {
    return false;
  }
}
