import { execFile, execFileSync } from 'node:child_process';
import http, { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proxyNote } from '../../src/capture/env-proxy.ts';
import type { Capture } from '../../src/capture/types.ts';
import { NODE } from '../support/own-node.ts';

const HELPER = new URL('../support/capture-it.ts', import.meta.url).href;
const CAN =
  execFileSync(NODE, ['-p', 'typeof require("node:http").setGlobalProxyFromEnv'], {
    encoding: 'utf8',
  }).trim() === 'function';

/** Answers as a server of revision 2025-11-25 with one tool. */
function answer(text: string): string {
  const { id, method } = JSON.parse(text) as { id?: number; method: string };
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's' } },
    'tools/list': { tools: [{ name: 'behind-the-proxy' }] },
  };
  const result = results[method];
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }),
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe('a remote server behind the proxy of the environment', () => {
  const asked: string[] = [];
  const remote = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(body));
    });
  });
  // The only one that knows where `mcp.invalid` is.
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname } = new URL(request.url ?? '');
    const onward = http.request(
      { port: portOf(remote), path: pathname, method: request.method, headers: request.headers },
      (answered) => {
        response.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(response);
      },
    );
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url}`);
    const onward = connect(portOf(remote), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => {});
  });

  beforeAll(async () => {
    for (const server of [remote, proxy])
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    for (const server of [remote, proxy]) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** In a process of its own: a proxy is for all of one. */
  async function capture(url: string, env: Record<string, string>): Promise<Capture> {
    asked.length = 0;
    const script = `const { captureUrl } = await import(${JSON.stringify(HELPER)});
      console.log(JSON.stringify(await captureUrl(${JSON.stringify(url)}, { timeoutMs: 8000 })));
      process.exit(0);`;
    const { stdout } = await promisify(execFile)(NODE, ['--input-type=module', '-e', script], {
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse(stdout) as Capture;
  }
  const by = (): string => `http://127.0.0.1:${portOf(proxy)}`;

  it.skipIf(!CAN)('is reached, over HTTP and by a tunnel', async () => {
    const plain = await capture('http://mcp.invalid/mcp', { HTTP_PROXY: by() });
    expect(plain).toMatchObject({ ok: true, surface: { tools: [{ name: 'behind-the-proxy' }] } });
    expect(asked[0]).toMatch(/^(?:CONNECT mcp\.invalid:80|POST http:\/\/mcp\.invalid\/mcp)$/);
    // What answers there speaks no TLS; that it is asked by a tunnel is what counts.
    const secure = await capture('https://mcp.invalid/mcp', { https_proxy: by() });
    expect(secure).toMatchObject({
      ok: false,
      error: { code: 'E_CONNECT', message: expect.stringContaining('(by the proxy of HTTPS_PROXY') },
    });
    expect(asked[0]).toBe('CONNECT mcp.invalid:443');
  });

  it.skipIf(!CAN)('is asked without it when NO_PROXY names it, and on this machine', async () => {
    const named = await capture('http://mcp.invalid/mcp', { HTTP_PROXY: by(), NO_PROXY: 'mcp.invalid' });
    expect(named).toMatchObject({ ok: false, error: { code: 'E_CONNECT' } });
    const local = await capture(`http://127.0.0.1:${portOf(remote)}/mcp`, { HTTP_PROXY: by() });
    expect(local).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  it.skipIf(!CAN)('is a plain error when the variable holds no URL, which is not shown', async () => {
    const capture1 = await capture('http://mcp.invalid/mcp', { HTTP_PROXY: 'user:geheim@proxy' });
    expect(capture1).toMatchObject({ ok: false, error: { code: 'E_PROXY' } });
    expect(JSON.stringify(capture1)).not.toContain('geheim');
  });
});

describe('what a failed connection says of a proxy', () => {
  const url = new URL('https://mcp.example/mcp');

  it('nothing when none is set for such a URL', () => {
    expect(proxyNote(url, { HTTP_PROXY: 'http://p' }, false)).toBe('');
    expect(proxyNote(new URL('http://localhost:1/'), { HTTP_PROXY: 'http://p' }, true)).toBe('');
  });

  it('that this release of Node.js does not use it', () => {
    expect(proxyNote(url, { HTTPS_PROXY: 'http://p' }, false)).toBe(
      `; HTTPS_PROXY is set and this release of Node.js (${process.version}) does not use it: take Node.js 24.14 or later`,
    );
  });
});
