import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonOf, refusal } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { until } from '../gate/support/steered.ts';
import { POLICY, TalkingProject, textOf } from './support/talking.ts';

let project: TalkingProject;
afterEach(() => project.end());

async function start(era: 'legacy' | 'modern', policy = POLICY): Promise<void> {
  project = new TalkingProject(era, policy);
  await project.prepare();
}

const META = 'io.modelcontextprotocol';
const meta = (capabilities: object = {}, more: object = {}) => ({
  _meta: {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'raw', version: '1' },
    [`${META}/clientCapabilities`]: capabilities,
    ...more,
  },
});

describe.each(['legacy', 'modern'] as const)('a client of 2026-07-28 alone, and a %s server', (era) => {
  it.each(['stdio', 'http'] as const)('by %s', async (transport) => {
    await start(era);
    const client =
      transport === 'stdio'
        ? await project.connectModern()
        : await project.connectModernHttp(await project.listen());
    expect(client.getInstructions()).toBe('Talk.');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['look', 'act', 'agentgate_status']));
    expect(textOf(await client.callTool({ name: 'look', arguments: {} }))).toBe('looked');
    expect(jsonOf(await client.callTool({ name: 'act', arguments: {} })).status).toBe('pending_approval');
    expect(await refusal(client.callTool({ name: 'gone', arguments: {} }))).toContain('E_TOOL_NOT_PINNED');
    const seen: number[] = [];
    const stepping = client.callTool(
      { name: 'steps', arguments: { hold: true } },
      { onprogress: ({ progress }: { progress: number }) => seen.push(progress) },
    );
    await until(() => seen.length === 3);
    await client.callTool({ name: 'look', arguments: {} });
    await stepping;
    expect(seen).toEqual([1, 2, 3]);
    expect((await client.listPrompts()).prompts).toHaveLength(1);
    expect((await client.readResource({ uri: 'note:1' })).contents).toHaveLength(1);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'hello' },
      argument: { name: 'who', value: 'a' },
    });
    expect(completion.values[0]).toBe('a1');
    const cancel = new AbortController();
    const waiting = client.callTool({ name: 'wait', arguments: {} }, { signal: cancel.signal });
    await until(() => project.of('tools/call').some(({ params }) => params?.name === 'wait'));
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    const id = project.of('tools/call').find(({ params }) => params?.name === 'wait')?.id;
    await until(() => project.of('notifications/cancelled').some(({ params }) => params?.requestId === id));
  });

  it.each(['stdio', 'http'] as const)('is told of changes that it listens for, by %s', async (transport) => {
    await start(era);
    const client =
      transport === 'stdio'
        ? await project.connectModern()
        : await project.connectModernHttp(await project.listen());
    const seen: string[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      seen.push('tools');
    });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      seen.push(params.uri);
    });
    const subscription = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ['note:1', 'note:2'],
    });
    await client.callTool({ name: 'touch', arguments: { uri: 'note:2' } });
    await client.callTool({ name: 'touch', arguments: { uri: 'note:1' } });
    await until(() => seen.includes('note:1'));
    await client.callTool({ name: 'change', arguments: {} });
    await until(() => seen.includes('tools'));
    expect(await refusal(client.callTool({ name: 'look', arguments: {} }))).toContain('E_TOOL_NOT_PINNED');
    expect(seen).toEqual(['note:1', 'tools']);
    await subscription.close();
  });
});

describe('the revision', () => {
  it('is what each request names; another one is refused with what is spoken', async () => {
    await start('legacy');
    const agent = new RawAgent(project, 'talking');
    const discovered = await agent.ask('server/discover', meta());
    expect(discovered.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      ttlMs: 0,
      cacheScope: 'private',
      instructions: 'Talk.',
    });
    const other = { _meta: { ...meta()._meta, [`${META}/protocolVersion`]: '2027-01-01' } };
    expect((await agent.ask('tools/list', other)).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    });
    const without = { _meta: { [`${META}/protocolVersion`]: '2026-07-28' } };
    expect((await agent.ask('tools/list', without)).error?.code).toBe(-32602);
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe'])
      expect((await agent.ask(method, { ...meta(), uri: 'note:1', level: 'info' })).error?.code).toBe(-32601);
    expect((await agent.ask('server/discover')).error?.code).toBe(-32601);
  });

  it('by HTTP has headers that must say the same as the message', async () => {
    await start('legacy');
    const url = await project.listen();
    const post = async (headers: Record<string, string>, params: object, method = 'tools/call') => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const { error } = (await response.json()) as { error?: { code: number } };
      return [response.status, error?.code];
    };
    const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'look' };
    const params = { ...meta(), name: 'look', arguments: {} };
    expect(await post(right, params)).toEqual([200, undefined]);
    expect(await post({ ...right, 'mcp-name': '=?base64?bG9vaw==?=' }, params)).toEqual([200, undefined]);
    for (const [header, value] of [
      ['mcp-name', 'act'],
      ['mcp-name', '=?base64?bG9vaw?='],
      ['mcp-method', 'tools/list'],
      ['mcp-protocol-version', '2025-11-25'],
    ] as const)
      expect(await post({ ...right, [header]: value }, params)).toEqual([400, -32020]);
    const ping = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' };
    expect(await post(ping, meta(), 'ping')).toEqual([404, -32601]);
    const future = { _meta: { ...meta()._meta, [`${META}/protocolVersion`]: '2027-01-01' } };
    const wanted = { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/list' };
    expect(await post(wanted, future, 'tools/list')).toEqual([400, -32022]);
    // A session is not minted, and none is needed.
    expect(project.of('tools/call')).toHaveLength(2);
  });
});

const ASKING = `${POLICY}  input-requests: { talking: [elicitation, sampling, roots] }\n`;
const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

describe('a call that the server wants input for', () => {
  const input = (
    agent: RawAgent,
    kind: string,
    capabilities: object = ALL,
    more: object = {},
    name = 'input',
  ) => agent.ask('tools/call', { ...meta(capabilities), name, arguments: { kind }, ...more });

  it('by default: only a state passes, and the server is told that the client can do nothing', async () => {
    await start('modern');
    const agent = new RawAgent(project, 'talking');
    for (const kind of ['form', 'url', 'sampling', 'roots', 'other'])
      expect((await input(agent, kind)).error?.message).toContain('E_INPUT_REQUIRED');
    const { result } = await input(agent, 'state');
    expect(result).toMatchObject({ resultType: 'input_required', requestState: 'state-state' });
    expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'requestState', 'resultType']);
    const told = project.of('tools/call').map(({ params }) => params?._meta as Record<string, unknown>);
    for (const each of told) expect(each[`${META}/clientCapabilities`]).toEqual({});
    const next = await input(agent, 'state', ALL, { requestState: 'state-state' });
    expect(JSON.parse(textOf(next.result))).toEqual({ state: 'state-state' });
  });

  it('where the policy allows it: a form, sampling and roots, written anew; never a URL, nor anything else', async () => {
    await start('modern', ASKING);
    const agent = new RawAgent(project, 'talking');
    expect((await input(agent, 'form')).result?.inputRequests).toEqual({
      who: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
      },
    });
    expect((await input(agent, 'sampling')).result?.inputRequests).toEqual({
      model: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    });
    expect((await input(agent, 'roots')).result?.inputRequests).toEqual({ where: { method: 'roots/list' } });
    for (const kind of ['url', 'other'])
      expect((await input(agent, kind)).error?.message).toContain('E_INPUT_REQUIRED');
    // What the client itself cannot do.
    expect((await input(agent, 'form', {})).error?.message).toContain('E_INPUT_REQUIRED');
    const told = project.of('tools/call')[0]?.params?._meta as Record<string, unknown>;
    expect(told[`${META}/clientCapabilities`]).toEqual({
      elicitation: { form: {} },
      sampling: {},
      roots: {},
    });
  });

  it('goes on once, with what was asked for, for the very call', async () => {
    await start('modern', ASKING);
    const agent = new RawAgent(project, 'talking');
    const responses = { who: { action: 'accept', content: { name: 'x' } } };
    const given = { inputResponses: responses, requestState: 'state-form' };
    const sent = () => project.of('tools/call').length;
    // Nobody asked yet.
    expect((await input(agent, 'form', ALL, given)).error?.message).toContain('E_INPUT_REQUIRED');
    expect(sent()).toBe(0);
    await input(agent, 'form');
    for (const [kind, wrong] of [
      ['state', given],
      ['form', { ...given, requestState: 'state-other' }],
      ['form', { inputResponses: responses }],
      ['form', { ...given, inputResponses: { ...responses, more: {} } }],
    ] as const)
      expect((await input(agent, kind, ALL, wrong)).error?.message).toContain('E_INPUT_REQUIRED');
    // Another tool: it is held, or has a checkpoint, and neither knows of the input.
    for (const name of ['act', 'edit'])
      expect(
        (await agent.ask('tools/call', { ...meta(ALL), name, arguments: {}, ...given })).error?.message,
      ).toContain('E_INPUT_REQUIRED');
    expect(sent()).toBe(1);
    const done = await input(agent, 'form', ALL, given);
    expect(JSON.parse(textOf(done.result))).toEqual({ state: 'state-form', responses });
    expect((await input(agent, 'form', ALL, given)).error?.message).toContain('E_INPUT_REQUIRED');
    expect(sent()).toBe(2);
  });

  it('of tier 1, or from an older client, has failed', async () => {
    await start('modern', ASKING);
    project.write('a.txt', 'x');
    const agent = new RawAgent(project, 'talking');
    const edited = await agent.ask('tools/call', {
      ...meta(ALL),
      name: 'edit',
      arguments: { path: join(project.dir, 'a.txt') },
    });
    expect(edited.error?.message).toContain('E_INPUT_REQUIRED');
    expect(project.entries().at(-1)?.payload.code).toBe('E_INPUT_REQUIRED');
    const old = await project.connect('talking');
    expect(await refusal(old.callTool({ name: 'input', arguments: { kind: 'state' } }))).toContain(
      'E_INPUT_REQUIRED',
    );
  });

  it('is answered by a real client', async () => {
    await start('modern', ASKING);
    const client = await project.connectModern({ capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { name: 'octavia' },
    }));
    const answer = await client.callTool({ name: 'input', arguments: { kind: 'form' } });
    expect(textOf(answer)).toContain('octavia');
  });
});
