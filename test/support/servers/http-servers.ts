import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface HttpServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** `POST /mcp`, in the order of arrival. */
  requests: string[];
  stop(): Promise<void>;
}

/** An HTTP server on a free loopback port. */
export async function startHttp(handler: Handler): Promise<HttpServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    Promise.resolve(handler(request, response)).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server of the v1 SDK with one tool that has a field which SDKs drop. */
function legacyServer(): Server {
  const server = new Server(
    { name: 'legacy', version: '1' },
    { capabilities: { tools: {} }, instructions: 'Ask twice.' },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [
      { name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' as const }, vendorTop: 1 },
    ],
  }));
  return server;
}

/** Streamable HTTP by the v1 SDK, with sessions. `json`: answers without an event stream. */
export function legacyHttp(json: boolean): Handler {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? transports.get(id) : undefined;
    if (transport === undefined) {
      if (id !== undefined) return response.writeHead(404).end();
      const fresh = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: json,
        onsessioninitialized: (session) => {
          transports.set(session, fresh);
        },
      });
      await legacyServer().connect(fresh as Parameters<Server['connect']>[0]);
      transport = fresh;
    }
    await transport.handleRequest(request, response);
  };
}

/** HTTP+SSE by the v1 SDK: `GET /sse`, `POST /messages`. */
export function legacySse(): Handler {
  const transports = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      await legacyServer().connect(transport);
    } else if (request.method === 'POST' && url.pathname === '/messages') {
      await transports.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    } else response.writeHead(request.method === 'POST' ? 405 : 404).end();
  };
}

/** A server of the v2 SDK, which speaks both eras. */
export function dualHttp(): Handler {
  const handler = createMcpHandler(({ era }) => {
    const server = new McpServer({ name: 'dual', version: '2' });
    server.registerTool(
      'forecast',
      { description: `Spoken to in the ${era} way.`, inputSchema: z.object({ city: z.string() }) },
      async () => ({ content: [] }),
    );
    return server;
  });
  return async (request, response) => {
    const body = await bodyOf(request);
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null)
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) response.write(chunk);
    response.end();
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

export interface RawRequest {
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

type Lists = (method: string) => string | undefined;

/** A server that answers `initialize` and lists by raw text: `lists` gives the text of a result, or undefined. */
export function rawHttp(lists: Lists): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    return answerRaw(JSON.parse(await bodyOf(request)) as RawRequest, response, lists);
  };
}

export function answerRaw(message: RawRequest, response: ServerResponse, lists: Lists): unknown {
  if (message.id === undefined) return response.writeHead(202).end();
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)}`;
  const result = message.method === 'initialize' ? initializeResult() : lists(message.method);
  const rest = result === undefined ? '"error":{"code":-32601,"message":"no"}' : `"result":${result}`;
  return response.writeHead(200, { 'content-type': 'application/json' }).end(`${head},${rest}}`);
}

export function initializeResult(): string {
  return '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}';
}
