import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { refusal } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { until } from '../gate/support/steered.ts';
import { TalkingProject, textOf } from './support/talking.ts';

let project: TalkingProject;
afterEach(() => project.end());

async function start(): Promise<Client> {
  project = new TalkingProject();
  await project.prepare();
  return await project.connect('talking');
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args });

describe('progress', () => {
  it('reaches the client that asked, under its own token and bounded; no forged token does', async () => {
    await start();
    const agent = new RawAgent(project, 'talking');
    await agent.begin();
    const asked = { name: 'steps', arguments: {}, _meta: { progressToken: 'mine' } };
    const answer = await agent.ask('tools/call', asked);
    expect(textOf(answer.result)).toBe('token number');
    const progress = agent.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map((message) => (message as { params?: unknown }).params)).toEqual([
      { progressToken: 'mine', progress: 1, total: 3, message: 'one' },
      { progressToken: 'mine', progress: 2, total: 3, message: 'y'.repeat(4_096) },
      { progressToken: 'mine', progress: 3, total: 3 },
    ]);
    expect(textOf((await agent.ask('tools/call', { name: 'steps', arguments: {} })).result)).toBe('no token');
    expect(agent.messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(3);
  });

  it('by a real client', async () => {
    const client = await start();
    const seen: number[] = [];
    const stepping = client.callTool({ name: 'steps', arguments: { hold: true } }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    await until(() => seen.length === 3);
    await call(client, 'look');
    await stepping;
    expect(seen).toEqual([1, 2, 3]);
  });
});

describe('cancelling', () => {
  it('reaches the server under the id that it knows, and the client hears no more of it', async () => {
    const client = await start();
    const controller = new AbortController();
    const waiting = client.callTool({ name: 'wait', arguments: {} }, undefined, {
      signal: controller.signal,
    });
    await until(() => project.of('tools/call').length === 1);
    controller.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => project.of('notifications/cancelled').length === 1);
    const [cancelled] = project.of('notifications/cancelled');
    expect(cancelled?.params?.requestId).toBe(project.of('tools/call')[0]?.id);
    expect(textOf(await call(client, 'look'))).toBe('looked');
  });

  it('of a call that nobody made changes nothing', async () => {
    await start();
    const agent = new RawAgent(project, 'talking');
    await agent.begin();
    for (const requestId of [1, 'x', null, {}])
      agent.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`,
      );
    await agent.ask('ping');
    expect(project.of('notifications/cancelled')).toEqual([]);
  });
});

describe('what a server says unasked', () => {
  it('log messages: of the level that the client wants, written anew and bounded', async () => {
    const client = await start();
    const seen: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      seen.push(params);
    });
    await client.setLoggingLevel('warning');
    expect(project.of('logging/setLevel')[0]?.params).toEqual({ level: 'warning' });
    await call(client, 'say', { level: 'info' });
    await call(client, 'say', { level: 'error' });
    await client.ping();
    expect(seen).toEqual([{ level: 'error', logger: 'talker', data: { said: 'error' } }]);
    expect(await refusal(client.setLoggingLevel('loud' as 'error'))).toContain('no such log level');
  });

  it('news of resources: of pinned ones that it subscribed to, with the URI alone', async () => {
    const client = await start();
    const seen: unknown[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      seen.push(params);
    });
    await client.subscribeResource({ uri: 'note:1' });
    await client.subscribeResource({ uri: 'page:///two' });
    for (const uri of ['note:2', 'file:///etc/passwd'])
      expect(await refusal(client.subscribeResource({ uri }))).toContain('E_NOT_PINNED');
    expect(project.of('resources/subscribe').map(({ params }) => params?.uri)).toEqual([
      'note:1',
      'page:///two',
    ]);
    for (const uri of ['note:1', 'note:2', 'page:///two', 'page:///three'])
      await call(client, 'touch', { uri });
    await until(() => seen.length >= 2);
    await client.unsubscribeResource({ uri: 'note:1' });
    await until(() => project.of('resources/unsubscribe').length === 1);
    await call(client, 'touch', { uri: 'note:1' });
    await client.ping();
    expect(seen).toEqual([{ uri: 'note:1' }, { uri: 'page:///two' }]);
  });

  it('that a list has changed: after it was verified, when it concerns what is let through', async () => {
    const client = await start();
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told++;
    });
    await call(client, 'change', { back: true });
    await call(client, 'change');
    await until(() => told === 1);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('look');
    expect(await refusal(call(client, 'look'))).toContain('E_TOOL_NOT_PINNED');
    await call(client, 'change', { back: true });
    await until(() => told === 2);
    expect(textOf(await call(client, 'look'))).toBe('looked');
  });

  it('requests: there is no such method, for the model and the user are not asked by a server', async () => {
    const client = await start();
    expect(JSON.parse(textOf(await call(client, 'ask')))).toEqual([-32601, -32601, -32601, {}]);
  });
});

describe('completion', () => {
  it('for pinned prompts and templates, at most a hundred strings', async () => {
    const client = await start();
    const argument = { name: 'who', value: 'wor' };
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'hello' }, argument });
    expect(completion).toMatchObject({ total: 300, hasMore: true });
    expect(completion.values).toHaveLength(100);
    expect(completion.values.slice(0, 2)).toEqual(['wor1', 'ref/prompt 0']);
    const template = { type: 'ref/resource', uri: 'page:///{name}' } as const;
    expect((await client.complete({ ref: template, argument })).completion.values[1]).toBe('ref/resource 0');
    for (const ref of [
      { type: 'ref/prompt', name: 'bye' },
      { type: 'ref/resource', uri: 'file:///{path}' },
    ] as const)
      expect(await refusal(client.complete({ ref, argument }))).toContain('E_NOT_PINNED');
    expect(project.of('completion/complete')).toHaveLength(2);
  });
});

describe('capabilities', () => {
  it('are those of the server that are passed on', async () => {
    const client = await start();
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    });
    expect(client.getInstructions()).toBe('Talk.');
  });
});
