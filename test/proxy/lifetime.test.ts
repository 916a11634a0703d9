import type { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { until } from '../gate/support/steered.ts';
import { TalkingProject } from './support/talking.ts';

let project: TalkingProject;
afterEach(() => project.end());

async function start(): Promise<void> {
  project = new TalkingProject();
  await project.prepare();
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => {
    if (child.exitCode !== null) done(child.exitCode);
    child.on('close', (code) => done(code));
  });

/** A listener, its URL, and the process of the server behind it. */
async function listener(stdin: 'pipe' | 'ignore', ...command: string[]) {
  const child = project.spawn(command, stdin);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => /http:\S+\/mcp/.test(said));
  return { child, url: /http:\S+\/mcp/.exec(said)?.[0] ?? '' };
}

const ping = async (url: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  return (await fetch(url, { method: 'POST', headers, body })).status;
};

const LISTENER = ['proxy', '--server', 'talking', '--listen', '127.0.0.1:0', '--isolation', 'none'];

describe('a listener lives until a signal ends it', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('whatever its standard input is; %s', async (signal) => {
    await start();
    // /dev/null, and a pipe that ends.
    const one = await listener('ignore', ...LISTENER);
    const two = await listener('pipe', ...LISTENER);
    two.child.stdin?.end();
    for (const { url } of [one, two]) {
      expect(await ping(url)).toBe(200);
      expect(await ping(url)).toBe(200);
    }
    for (const { child, url } of [one, two]) {
      expect(child.exitCode).toBeNull();
      child.kill(signal);
      expect(await ended(child)).toBe(signal === 'SIGTERM' ? 143 : 130);
      await expect(ping(url)).rejects.toThrow();
    }
  });

  it('the operator’s server too', async () => {
    await start();
    const served = await listener('ignore', 'gate', 'serve', '--operator', '--isolation', 'none');
    expect(await ping(served.url)).toBe(401);
    served.child.kill('SIGTERM');
    expect(await ended(served.child)).toBe(143);
  });
});

describe('a proxy over standard streams ends with its input', () => {
  it('after it has answered what was asked, news that it was listening to or not', async () => {
    await start();
    const agent = new RawAgent(project, 'talking');
    await agent.begin();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'look', arguments: {} } };
    agent.write(`${JSON.stringify({ ...listen, params })}\n${JSON.stringify(call)}\n`);
    agent.child.stdin?.end();
    expect(await ended(agent.child)).toBe(0);
    expect(agent.messages.find(({ id }) => id === 2)?.result).toBeDefined();
  });

  it('at once when that is /dev/null', async () => {
    await start();
    const ran = await project.run('proxy', '--server', 'talking', '--isolation', 'none');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
  });
});
