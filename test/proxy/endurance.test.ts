import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { refusal } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { until } from '../gate/support/steered.ts';
import { TalkingProject, textOf } from './support/talking.ts';

let project: TalkingProject;
afterEach(() => project.end());

const MIB = 1024 * 1024;

async function start(): Promise<TalkingProject> {
  const made = new TalkingProject();
  project = made;
  await made.prepare();
  return made;
}

/** Bytes of memory that a process holds (Linux). */
function memoryOf(pid: number | undefined): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

const line = (id: number, name: string, args: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;

describe.skipIf(process.platform !== 'linux')('a session that lasts', () => {
  it('20,000 calls with results of 300 MiB together: none is refused, and memory stays', {
    timeout: 240_000,
  }, async () => {
    const own = await start();
    const child = own.spawn(['proxy', '--server', 'talking', '--isolation', 'none'], 'pipe');
    let answers = 0;
    let bytes = 0;
    let refused = 0;
    let wanted = 0;
    let wake = (): void => {};
    let rest = '';
    // Nothing is kept here either.
    child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      bytes += text.length;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      answers += lines.length;
      for (const each of lines) if (each.includes('"error"')) refused++;
      if (answers >= wanted) wake();
    });
    const round = async (calls: number, from: number): Promise<void> => {
      wanted = answers + calls;
      const done = new Promise<void>((resolve) => {
        wake = resolve;
      });
      let text = '';
      for (let index = 0; index < calls; index++) text += line(from + index, 'big', { bytes: 16_000 });
      child.stdin?.write(text);
      await done;
    };
    wanted = 1;
    const begun = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
    await begun;
    const memory: number[] = [];
    for (let done = 0; done < 20_000; done += 200) {
      await round(200, 1 + done);
      memory.push(memoryOf(child.pid));
    }
    expect(refused).toBe(0);
    expect(answers).toBe(20_001);
    expect(bytes).toBeGreaterThan(300 * MIB);
    // After the first fifth, in which the heap finds its size.
    const settled = Math.max(...memory.slice(0, 20));
    expect(Math.max(...memory.slice(20)) - settled).toBeLessThan(64 * MIB);
    child.stdin?.end();
    await new Promise((resolve) => child.on('close', resolve));
    expect(child.exitCode).toBe(0);
  });

  it('a client that does not read is not served further, and takes no memory', {
    timeout: 120_000,
  }, async () => {
    const own = await start();
    const agent = new RawAgent(own, 'talking');
    await agent.begin();
    agent.child.stdout?.pause();
    // 600 MiB, if they were all asked for.
    const calls = 600;
    for (let id = 1; id <= calls; id++) agent.write(line(id, 'big', { bytes: MIB }));
    const sent = (): number => own.of('tools/call').length;
    // Until nothing moves any more.
    let last = -1;
    let same = 0;
    await until(() => {
      same = sent() === last ? same + 1 : 0;
      last = sent();
      return last > 0 && same > 40;
    }, 60_000);
    const held = memoryOf(agent.child.pid);
    expect(held).toBeLessThan(400 * MIB);
    agent.child.stdout?.resume();
    await agent.message(({ id }) => id === calls);
    await until(
      () => agent.messages.filter(({ result }) => result !== undefined).length === calls + 1,
      60_000,
    );
    expect(sent()).toBe(calls);
  });
});

describe('robustness', () => {
  it('200 calls at once, while the lists change again and again: each has one answer', {
    timeout: 120_000,
  }, async () => {
    const own = await start();
    const client = await own.connect('talking');
    const calls = Array.from({ length: 200 }, async (_, index) => {
      if (index % 20 === 0)
        return await client.callTool({ name: 'change', arguments: { back: index % 40 === 0 } });
      return await refusal(client.callTool({ name: 'look', arguments: { text: String(index) } }));
    });
    const answers = await Promise.all(calls);
    expect(answers).toHaveLength(200);
    for (const answer of answers) {
      const text = JSON.stringify(answer);
      expect(/looked|changed|E_TOOL_NOT_PINNED/.test(text), text).toBe(true);
    }
    await client.callTool({ name: 'change', arguments: { back: true } });
    expect(textOf(await client.callTool({ name: 'look', arguments: {} }))).toBe('looked');
  });

  it('a drifted tool is not called between the news of it and the next verification', async () => {
    const own = await start();
    const client = await own.connect('talking');
    await client.callTool({ name: 'change', arguments: {} });
    const before = own.of('tools/call').length;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refusal(client.callTool({ name: 'look', arguments: {} }))),
    );
    for (const answer of answers) expect(answer).toContain('E_TOOL_NOT_PINNED');
    expect(own.of('tools/call')).toHaveLength(before);
  });

  it('a server that ends under many calls: each is told, and the next ones meet it verified anew', async () => {
    const own = await start();
    const client = await own.connect('talking');
    const waiting = Array.from({ length: 10 }, () =>
      refusal(client.callTool({ name: 'wait', arguments: {} })),
    );
    await until(() => own.of('tools/call').length === 10);
    expect(await refusal(client.callTool({ name: 'die', arguments: {} }))).toContain('E_SERVER_EXIT');
    for (const answer of await Promise.all(waiting)) expect(answer).toContain('E_SERVER_EXIT');
    const lists = own.of('tools/list').length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => textOf(await client.callTool({ name: 'look', arguments: {} }))),
    );
    expect(new Set(answers)).toEqual(new Set(['looked']));
    expect(own.of('tools/list')).toHaveLength(lists + 1);
  });

  it('subscriptions and the log level are said again to a server that was started anew', async () => {
    const own = await start();
    const client = await own.connect('talking');
    await client.subscribeResource({ uri: 'note:1' });
    await client.setLoggingLevel('error');
    await refusal(client.callTool({ name: 'die', arguments: {} }));
    await client.callTool({ name: 'look', arguments: {} });
    await until(() => own.of('resources/subscribe').length === 2 && own.of('logging/setLevel').length === 2);
  });
});
