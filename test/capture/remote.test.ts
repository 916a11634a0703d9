import { afterEach, describe, expect, test } from 'vitest';
import type { Capture, Surface } from '../../src/capture/types.ts';
import { captureUrl } from '../support/capture-it.ts';
import {
  answerRaw,
  bodyOf,
  dualHttp,
  type Handler,
  type HttpServer,
  initializeResult,
  legacyHttp,
  legacySse,
  type RawRequest,
  rawHttp,
  startHttp,
} from '../support/servers/http-servers.ts';

const running: HttpServer[] = [];
async function serve(handler: Handler): Promise<HttpServer> {
  const server = await startHttp(handler);
  running.push(server);
  return server;
}
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

function surfaceOf(capture: Capture): Surface {
  if (!capture.ok) throw new Error(`${capture.error.code}: ${capture.error.message}`);
  return capture.surface;
}

function errorOf(capture: Capture): { code: string; message: string } {
  if (capture.ok) throw new Error('captured');
  return capture.error;
}

const oneTool = (method: string): string | undefined =>
  method === 'tools/list' ? '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}' : undefined;

describe('eras and transports', () => {
  test.each([true, false])('a server of the v1 SDK over Streamable HTTP (JSON answers: %s)', async (json) => {
    const server = await serve(legacyHttp(json));
    const capture = await captureUrl(`${server.origin}/mcp`);
    const surface = surfaceOf(capture);
    expect(surface).toMatchObject({
      protocolVersion: '2025-11-25',
      transport: 'http',
      instructions: 'Ask twice.',
    });
    expect(surface.tools).toEqual([
      { name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' }, vendorTop: 1 },
    ]);
    expect(capture.isolation).toBe('remote');
    expect(server.requests).toContain('DELETE /mcp');
  });

  test('a server of the v2 SDK is spoken to in the 2026 way', async () => {
    const server = await serve(dualHttp());
    const surface = surfaceOf(await captureUrl(`${server.origin}/mcp`));
    expect(surface).toMatchObject({
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'dual' },
      tools: [{ name: 'forecast', description: 'Spoken to in the modern way.' }],
    });
  });

  test('HTTP+SSE is found after Streamable HTTP, and used at once when declared', async () => {
    const server = await serve(legacySse());
    const found = surfaceOf(await captureUrl(`${server.origin}/sse`));
    expect(found).toMatchObject({ protocolVersion: '2025-11-25', transport: 'sse' });
    expect(found.tools).toHaveLength(1);
    const before = server.requests.length;
    expect(surfaceOf(await captureUrl(`${server.origin}/sse`, { transport: 'sse' })).tools).toEqual(
      found.tools,
    );
    expect(server.requests[before]).toBe('GET /sse');
    expect(errorOf(await captureUrl(`${server.origin}/sse`, { transport: 'http' }))).toMatchObject({
      code: 'E_HTTP',
      message:
        'server speaks HTTP+SSE and not Streamable HTTP (it answered with HTTP 405); set "type": "sse" for it in the config',
    });
  });

  test('neither transport', async () => {
    const server = await serve((_, response) => response.writeHead(404).end());
    expect(errorOf(await captureUrl(`${server.origin}/mcp`))).toEqual({
      code: 'E_HTTP',
      message:
        'server speaks neither Streamable HTTP (HTTP 404) nor HTTP+SSE (HTTP 404); check the URL in the config',
    });
  });

  test('a JSON-RPC error in an HTTP 400 is an answer: -32601 is an empty list', async () => {
    const server = await serve(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(await bodyOf(request)) as RawRequest;
      const id = JSON.stringify(message.id);
      const ok: Record<string, string> = {
        'server/discover': '{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"}',
        'tools/list': '{"resultType":"complete","ttlMs":-1,"tools":[{"name":"a"}]}',
      };
      const result = ok[message.method];
      const body =
        result === undefined
          ? `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`
          : `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
      response.writeHead(result === undefined ? 400 : 200, { 'content-type': 'application/json' }).end(body);
    });
    expect(surfaceOf(await captureUrl(`${server.origin}/mcp`))).toMatchObject({
      protocolVersion: '2026-07-28',
      tools: [{ name: 'a' }],
      prompts: [],
    });
  });

  test('what SDK clients do not take as an answer is none', async () => {
    // A result in an HTTP error, in an answer to a notification, of another media type.
    const evil = (id: unknown): string =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { supportedVersions: ['2026-07-28'], capabilities: {} } });
    const server = await serve(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(await bodyOf(request)) as RawRequest;
      const { id, method } = message;
      if (method === 'server/discover')
        return response.writeHead(400, { 'content-type': 'application/json' }).end(evil(id));
      if (id === undefined)
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
      if (method === 'prompts/list')
        return response
          .writeHead(200, { 'content-type': 'text/plain' })
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"prompts":[]}}`);
      return answerRaw(message, response, oneTool);
    });
    const capture = await captureUrl(`${server.origin}/mcp`);
    expect(errorOf(capture)).toMatchObject({
      code: 'E_PROTOCOL',
      message: expect.stringContaining('text/plain'),
    });
    expect(server.requests.filter((line) => line.startsWith('POST'))).toHaveLength(5);
  });

  test('only newer revisions than 2026-07-28', async () => {
    const server = await serve(
      rawHttp((method) =>
        method === 'server/discover' ? '{"supportedVersions":["2027-03-01"],"capabilities":{}}' : undefined,
      ),
    );
    // The legacy way is still tried: this one takes it.
    expect(surfaceOf(await captureUrl(`${server.origin}/mcp`)).protocolVersion).toBe('2025-11-25');
  });

  test('two starts give two surfaces', async () => {
    let listings = 0;
    const server = await serve(
      rawHttp((method) => (method === 'tools/list' ? `{"tools":[{"name":"a${++listings}"}]}` : undefined)),
    );
    const capture = await captureUrl(`${server.origin}/mcp`, { starts: 2 });
    expect(capture).toMatchObject({
      surface: { tools: [{ name: 'a1' }] },
      second: { tools: [{ name: 'a2' }] },
    });
  });
});

describe('authorization', () => {
  test('401 says what to set, and no token is shown', async () => {
    const server = await serve((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
    );
    for (const transport of ['auto', 'http', 'sse'] as const) {
      const error = errorOf(await captureUrl(`${server.origin}/mcp`, { transport }));
      expect(error.code).toBe('E_AUTH');
      expect(error.message).toMatch(/authorization required.*"Authorization" header/);
    }
  });

  test('403 stays a refusal of the credentials, whatever its body says', async () => {
    const server = await serve(async (request, response) => {
      const { id } = JSON.parse((await bodyOf(request)) || '{}') as RawRequest;
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    });
    expect(errorOf(await captureUrl(`${server.origin}/mcp`)).code).toBe('E_AUTH');
  });

  test('declared headers are sent', async () => {
    const inner = rawHttp(oneTool);
    const server = await serve((request, response) =>
      request.headers['x-api-key'] === 'k-1' ? inner(request, response) : response.writeHead(401).end(),
    );
    const headers = new Map([['X-Api-Key', 'k-1']]);
    expect(surfaceOf(await captureUrl(`${server.origin}/mcp`, { headers })).tools).toHaveLength(1);
  });

  test('user-info in the URL becomes basic authorization', async () => {
    const inner = rawHttp(oneTool);
    const server = await serve((request, response) =>
      request.headers.authorization === `Basic ${Buffer.from('me:p@ss').toString('base64')}`
        ? inner(request, response)
        : response.writeHead(401).end(),
    );
    const url = `${server.origin}/mcp`.replace('://', '://me:p%40ss@');
    expect(surfaceOf(await captureUrl(url)).tools).toHaveLength(1);
  });

  const oauth = { clientId: 'ci', clientSecret: 's3cret' };

  test('client credentials are exchanged for a token', async () => {
    const { handler, tokens } = oauthServer();
    const server = await serve(handler);
    const capture = await captureUrl(`${server.origin}/mcp`, { oauth });
    expect(surfaceOf(capture).tools).toEqual([{ name: 'a', inputSchema: { type: 'object' } }]);
    expect(tokens).toEqual([`Basic ${Buffer.from('ci:s3cret').toString('base64')}`]);
  });

  test('client credentials do not go to an issuer that only the server names', async () => {
    const thief = oauthServer();
    const thiefServer = await serve(thief.handler);
    const { handler } = oauthServer(thiefServer.origin);
    const server = await serve(handler);
    const error = errorOf(await captureUrl(`${server.origin}/mcp`, { oauth }));
    expect(error.code).toBe('E_AUTH');
    expect(thief.tokens).toEqual([]);
    expect(
      surfaceOf(await captureUrl(`${server.origin}/mcp`, { oauth: { ...oauth, issuer: thiefServer.origin } }))
        .tools,
    ).toHaveLength(1);
  });

  test('a header that cannot be sent is named without its value', async () => {
    const headers = new Map([['Authorization', 'Bearer sec\nret']]);
    const error = errorOf(await captureUrl('http://127.0.0.1:9/mcp', { headers }));
    expect(error).toEqual({
      code: 'E_CONFIG',
      message: 'the header "Authorization" cannot be sent; look for line breaks in its name or value',
    });
  });
});

describe('what goes wrong', () => {
  test.each(['ftp://x/', 'not a url', 'unix:///run/x.sock'])('the URL %s', async (url) => {
    expect(errorOf(await captureUrl(url)).code).toBe('E_CONFIG');
  });

  test('nobody listens', async () => {
    const server = await startHttp(() => {});
    await server.stop();
    for (const transport of ['auto', 'sse'] as const)
      expect(errorOf(await captureUrl(`${server.origin}/mcp`, { transport }))).toEqual({
        code: 'E_CONNECT',
        message: `could not connect to ${new URL(server.origin).host}: ECONNREFUSED`,
      });
  });

  test('redirects are followed within the origin only', async () => {
    const inner = rawHttp(oneTool);
    const other = await serve(inner);
    const server = await serve((request, response) => {
      if (request.url === '/new') return inner(request, response);
      const location = request.url === '/away' ? `${other.origin}/mcp` : '/new';
      return response.writeHead(307, { location }).end();
    });
    expect(surfaceOf(await captureUrl(`${server.origin}/old`)).tools).toHaveLength(1);
    expect(errorOf(await captureUrl(`${server.origin}/away`))).toMatchObject({ code: 'E_REDIRECT' });
    expect(errorOf(await captureUrl(`${server.origin}/away`, { transport: 'sse' }))).toMatchObject({
      code: 'E_REDIRECT',
    });
    expect(other.requests).toEqual([]);
  });

  test.each([
    [
      'a duplicate key',
      '{"tools":[{"name":"ok"},{"name":"a","d":1,"d":2}]}',
      'tool "a" cannot be pinned: "/d" is there twice',
    ],
    ['1e400', '{"tools":[{"name":"a","n":[1e400]}]}', '"/n/0" is a number'],
    [
      'a lone surrogate',
      '{"tools":[{"name":"a","description":"\\ud800"}]}',
      '"/description" holds a lone surrogate',
    ],
    ['two lists', '{"tools":[],"tools":[]}', '"/result/tools" is there twice'],
  ])('%s', async (_, result, message) => {
    const server = await serve(rawHttp((method) => (method === 'tools/list' ? result : undefined)));
    expect(errorOf(await captureUrl(`${server.origin}/mcp`))).toMatchObject({
      code: 'E_UNPINNABLE',
      message: expect.stringContaining(message),
    });
  });

  test('unknown fields, __proto__ and what no SDK accepts are kept', async () => {
    const tool =
      '{"name":"a","__proto__":{"x":1},"annotations":null,"icons":"x","inputSchema":{"properties":{"__proto__":true}}}';
    const server = await serve(
      rawHttp((method) => (method === 'tools/list' ? `{"tools":[${tool}]}` : undefined)),
    );
    const [kept] = surfaceOf(await captureUrl(`${server.origin}/mcp`)).tools;
    expect(JSON.stringify(kept)).toBe(tool);
  });

  test('an answer over 16 MiB', async () => {
    const big = `{"tools":[{"name":"${'x'.repeat(17 * 1024 * 1024)}"}]}`;
    const server = await serve(rawHttp((method) => (method === 'tools/list' ? big : undefined)));
    expect(errorOf(await captureUrl(`${server.origin}/mcp`))).toMatchObject({
      code: 'E_TOO_LARGE',
      message: expect.stringContaining('16 MiB'),
    });
  });

  test('invalid UTF-8', async () => {
    const server = await serve(async (request, response) => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id } = JSON.parse(await bodyOf(request)) as RawRequest;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          Buffer.concat([
            Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"x":"`),
            Buffer.from([0xff]),
            Buffer.from('"}}'),
          ]),
        );
    });
    expect(errorOf(await captureUrl(`${server.origin}/mcp`)).code).toBe('E_UNPINNABLE');
  });

  test('a web page instead of a server', async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'),
    );
    expect(errorOf(await captureUrl(`${server.origin}/`)).code).toBe('E_PROTOCOL');
  });

  test('a stream of events that ends without the answer', async () => {
    const server = await serve(eventServer(() => ''));
    expect(errorOf(await captureUrl(`${server.origin}/mcp`))).toMatchObject({
      code: 'E_PROTOCOL',
      message: expect.stringContaining('server ended its answer to tools/list'),
    });
  });

  test('notifications and requests of the server in a stream of events', async () => {
    const server = await serve(
      eventServer(
        (id, method) =>
          `: comment\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\r\n\r\n` +
          `data: {"jsonrpc":"2.0","id":"r1","method":"sampling/createMessage"}\n\ndata: {"jsonrpc":"2.0",\ndata: "id":${id},\ndata: "result":{"${method.split('/')[0]}":[{"name":"ü"}],"resourceTemplates":[]}}\n\n`,
      ),
    );
    const surface = surfaceOf(await captureUrl(`${server.origin}/mcp`));
    expect(surface.tools).toEqual([{ name: 'ü' }]);
    expect(surface.asked).toEqual(['sampling/createMessage']);
  });

  test('the deadline', async () => {
    const server = await serve(() => {});
    const error = errorOf(await captureUrl(`${server.origin}/mcp`, { timeoutMs: 3_000 }));
    expect(error).toEqual({
      code: 'E_TIMEOUT',
      message:
        'server did not answer initialize within 3 s; raise its timeout in agentgate.yml if it is slow',
    });
  });

  test('a run that is stopped', async () => {
    const server = await serve(() => {});
    const controller = new AbortController();
    const capture = captureUrl(`${server.origin}/mcp`, { signal: controller.signal });
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBeGreaterThan(0);
    controller.abort();
    expect(errorOf(await capture).code).toBe('E_ABORTED');
  });
});

/** Answers `initialize` as JSON and lists by a stream of events. */
function eventServer(events: (id: string, method: string) => string): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(await bodyOf(request)) as RawRequest;
    if (message.id === undefined || message.method === undefined) return response.writeHead(202).end();
    const id = JSON.stringify(message.id);
    if (message.method === 'server/discover') return response.writeHead(400).end('no');
    if (message.method === 'initialize')
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id},"result":${initializeResult()}}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = Buffer.from(events(id, message.method));
    for (const byte of text) response.write(Buffer.from([byte]));
    return response.end();
  };
}

/** An MCP server with a token, and its authorization server; the issuer is its own origin, or the one given. */
function oauthServer(issuer?: string): { handler: Handler; tokens: string[] } {
  const tokens: string[] = [];
  const inner = rawHttp(oneTool);
  const handler: Handler = async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const json = (value: unknown): unknown =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return json({ resource: `${origin}/mcp`, authorization_servers: [issuer ?? origin] });
    if (request.url?.startsWith('/.well-known/oauth-authorization-server'))
      return json({
        issuer: origin,
        token_endpoint: `${origin}/token`,
        authorization_endpoint: `${origin}/authorize`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    if (request.url === '/token') {
      tokens.push(request.headers.authorization ?? '');
      return json({ access_token: 'tok-1', token_type: 'Bearer', expires_in: 3600 });
    }
    if (request.headers.authorization !== 'Bearer tok-1')
      return response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        })
        .end();
    return await inner(request, response);
  };
  return { handler, tokens };
}
