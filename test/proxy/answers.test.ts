import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { GateProject } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { NODE } from '../support/own-node.ts';

let own: GateProject;
afterEach(() => own.end());

/** An agent of a server whose one tool answers with the member that `nth` names. */
async function answering(...members: string[]): Promise<RawAgent> {
  own = new GateProject({}, 'gate: { tiers: { answering: { act: 0 } } }\n');
  const answers = join(own.base, 'answers.json');
  const server = join(import.meta.dirname, 'support/answering-server.mjs');
  own.declare({ answering: { command: NODE, args: [server, join(own.base, 'record.jsonl'), answers] } });
  await own.prepare();
  writeFileSync(answers, JSON.stringify(members));
  const agent = new RawAgent(own, 'answering');
  await agent.begin();
  return agent;
}

describe('answers', () => {
  it('hold integers beyond 2^53 as the server wrote them', async () => {
    const result = '{"content":[],"structuredContent":{"id":12345678901234567890,"ids":[-9007199254740993]}}';
    const agent = await answering(`"result":${result}`);
    const lines: string[] = [];
    agent.child.stdout?.on('data', (text: string) => lines.push(text));
    await agent.ask('tools/call', { name: 'act', arguments: { nth: 0 } });
    expect(lines.join('')).toContain(`"result":${result}`);
  });

  it('that are errors keep the server’s code, but for those that a client acts on by itself', async () => {
    const codes = [-32603, -32002, 7, -32042, -32601, 1.5];
    const agent = await answering(
      ...codes.map((code) => `"error":{"code":${code},"message":"boom","data":{"url":"x"}}`),
    );
    const got: unknown[] = [];
    for (const nth of codes.keys()) {
      const { error } = await agent.ask('tools/call', { name: 'act', arguments: { nth } });
      expect(error?.message).toBe(`E_SERVER_ERROR: the server answered with error ${codes[nth]}: boom`);
      expect(error?.data).toEqual({ code: 'E_SERVER_ERROR' });
      got.push(error?.code);
    }
    expect(got).toEqual([-32603, -32002, 7, -32010, -32010, -32010]);
  });

  it('that are nested too deep are refused, and the proxy goes on', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const log = `{"level":"info","data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const agent = await answering(
      `"result":{"content":[],"structuredContent":{"a":${deep}}}`,
      `"result":{"content":[]}}\n{"jsonrpc":"2.0","method":"notifications/message","params":${log}`,
    );
    const act = (nth: number) => agent.ask('tools/call', { name: 'act', arguments: { nth } });
    expect((await act(0)).error?.data?.code).toBe('E_TOO_DEEP');
    expect((await act(1)).result).toBeDefined();
    expect((await act(1)).result).toBeDefined();
  });
});
