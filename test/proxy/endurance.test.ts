import { afterEach, describe, expect, it } from 'vitest';
import { refusal } from '../gate/support/project.ts';
import { until } from '../gate/support/steered.ts';
import { CountingAgent } from './support/counting-agent.ts';
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

describe.skipIf(process.platform !== 'linux')('a session that lasts', () => {
  it('20,000 calls with results of 300 MiB together: none is refused, and memory stays', {
    timeout: 240_000,
  }, async () => {
    const agent = new CountingAgent(await start());
    await agent.begin();
    const memory: number[] = [];
    for (let done = 0; done < 20_000; done += 200) {
      agent.call(1 + done, 200, 16_000);
      await agent.answered(1 + done + 200);
      memory.push(agent.memory());
    }
    expect(agent.errors).toBe(0);
    expect(agent.answers).toBe(20_001);
    expect(agent.bytes).toBeGreaterThan(300 * MIB);
    // What is kept is the least, between two collections of garbage it is more; the heap finds its size at first.
    const [early, late] = [Math.min(...memory.slice(45, 60)), Math.min(...memory.slice(85))];
    expect(late - early).toBeLessThan(48 * MIB);
    const ended = new Promise((done) => agent.child.on('close', done));
    agent.child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it('a client that does not read is not served further, and takes no memory', {
    timeout: 120_000,
  }, async () => {
    const own = await start();
    const agent = new CountingAgent(own);
    await agent.begin();
    const before = agent.bytesRead();
    agent.child.stdout?.pause();
    const calls = 400;
    agent.call(1, calls, MIB);
    await until(() => own.of('tools/call').length === calls && agent.bytesRead() - before > 8 * MIB, 60_000);
    // All 400 MiB could come; until nothing more does.
    let last = -1;
    let same = 0;
    await until(() => {
      const now = agent.bytesRead();
      same = now === last ? same + 1 : 0;
      last = now;
      return same > 100;
    }, 60_000);
    expect(last - before).toBeLessThan(64 * MIB);
    agent.child.stdout?.resume();
    await agent.answered(1 + calls);
    expect(agent.errors).toBe(0);
    expect(agent.bytes).toBeGreaterThan(calls * MIB);
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
