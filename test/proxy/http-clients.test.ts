import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../gate/support/steered.ts';
import { TalkingProject, textOf } from './support/talking.ts';

let project: TalkingProject;
afterEach(() => project.end());

async function start(): Promise<void> {
  project = new TalkingProject();
  await project.prepare();
}

interface Connected {
  client: Client;
  transport: StreamableHTTPClientTransport;
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport };
}

describe('two clients of one listener', () => {
  it('have a session each: the same ids, tokens and subscriptions do not meet', async () => {
    await start();
    const url = await project.listen();
    const [one, two] = [await connect(url), await connect(url)];
    expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
    const news: string[] = [];
    one.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      news.push(`one ${params.uri}`);
    });
    two.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      news.push(`two ${params.uri}`);
    });
    await one.client.subscribeResource({ uri: 'note:1' });
    await two.client.subscribeResource({ uri: 'page:///two' });
    const seen: string[] = [];
    const stepping = [one, two].map(({ client }, index) =>
      client.callTool({ name: 'steps', arguments: { hold: true } }, undefined, {
        onprogress: ({ progress }) => seen.push(`${index} ${progress}`),
      }),
    );
    await until(() => seen.length === 6);
    expect(seen.filter((each) => each.startsWith('0'))).toEqual(['0 1', '0 2', '0 3']);
    // Both clients count their requests from 0.
    const cancel = new AbortController();
    const waiting = one.client.callTool({ name: 'wait', arguments: {} }, undefined, {
      signal: cancel.signal,
    });
    const kept = two.client.callTool({ name: 'wait', arguments: {} });
    kept.catch(() => {});
    await until(() => project.of('tools/call').filter(({ params }) => params?.name === 'wait').length === 2);
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => project.of('notifications/cancelled').length === 1);
    await one.client.callTool({ name: 'touch', arguments: { uri: 'note:1' } });
    await one.client.callTool({ name: 'touch', arguments: { uri: 'page:///two' } });
    await until(() => news.length === 2);
    expect(news.sort()).toEqual(['one note:1', 'two page:///two']);
    expect(textOf(await two.client.callTool({ name: 'look', arguments: {} }))).toBe('looked');
    await Promise.all(stepping);
    expect(project.of('notifications/cancelled')).toHaveLength(1);
    // Who goes takes its subscriptions along.
    await one.transport.terminateSession();
    await until(() => project.of('resources/unsubscribe').length === 1);
    await Promise.all([one.client.close(), two.client.close()]);
  });

  it('cannot use a session that is not there, nor read news without one', async () => {
    await start();
    const url = await project.listen();
    const { transport } = await connect(url);
    const id = transport.sessionId ?? '';
    const status = async (method: string, session?: string): Promise<number> => {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
        },
        ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {}),
      });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status('POST', id)).toBe(200);
    expect(await status('POST', `${id}x`)).toBe(404);
    expect(await status('GET', 'x')).toBe(404);
    expect(await status('GET')).toBe(405);
    expect(await status('PUT', id)).toBe(405);
    expect(await status('DELETE', id)).toBe(200);
    expect(await status('POST', id)).toBe(404);
  });

  it('must bear the secret, where there is one', async () => {
    await start();
    project.env.AGENTGATE_PROXY_SECRET = 'open sesame';
    const url = await project.listen();
    await expect(connect(url)).rejects.toThrow(/401|E_PERM/);
    await expect(connect(url, { authorization: 'Bearer open sesam' })).rejects.toThrow(/401|E_PERM/);
    const { client } = await connect(url, { authorization: 'Bearer open sesame' });
    expect(textOf(await client.callTool({ name: 'look', arguments: {} }))).toBe('looked');
    await client.close();
  });

  it('from a page of another host, or under its name, are refused whatever they ask', async () => {
    await start();
    const url = new URL(await project.listen());
    const status = (headers: Record<string, string>, method = 'POST'): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = request(
          url,
          { method, headers: { 'content-type': 'application/json', ...headers } },
          (got) => {
            got.resume();
            resolve(got.statusCode ?? 0);
          },
        );
        asked.on('error', reject);
        asked.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
      });
    expect(await status({})).toBe(200);
    const wrong: Record<string, string>[] = [
      { host: `rebound.example:${url.port}` },
      { host: `127.0.0.1.evil.example:${url.port}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost.evil.example' },
    ];
    for (const headers of wrong)
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS'])
        expect(await status(headers, method)).toBe(403);
  });
});
