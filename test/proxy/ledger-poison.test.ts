/** Whoever can put something into the ledger could try to make it unreadable: then nobody could approve anything. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Operator } from '../../src/proxy/operator.ts';
import { GateProject, jsonOf } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { NODE } from '../support/own-node.ts';

const SERVER = join(import.meta.dirname, 'support/answering-server.mjs');
const MARKS = '\u0301'.repeat(3_000);

let project: GateProject;
let record: string;
afterEach(() => project.end());

async function agentOf(): Promise<RawAgent> {
  project = new GateProject({}, 'gate: { tiers: { answering: { act: 2 } } }\n');
  record = join(project.base, 'record.jsonl');
  project.declare({
    answering: { command: NODE, args: [SERVER, record, join(project.base, 'answers.json')] },
  });
  await project.prepare();
  const agent = new RawAgent(project, 'answering');
  await agent.begin();
  return agent;
}

const reached = (): number =>
  existsSync(record) ? readFileSync(record, 'utf8').trimEnd().split('\n').length : 0;

/** Its answer, to a call whose arguments are this text. */
async function act(agent: RawAgent, id: number, text: string) {
  agent.write(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"act","arguments":${text}}}\n`,
  );
  return await agent.message((message) => message.id === id);
}

async function stillVerifies(): Promise<void> {
  const { code, stdout } = await project.run('ledger', 'verify');
  expect(stdout).not.toContain('E_LEDGER');
  expect(code).toBe(0);
}

describe('the ledger stays readable', () => {
  it('whatever the arguments are that an agent has staged', async () => {
    const agent = await agentOf();
    const refused: [string, RegExp][] = [
      ['{"\u00e9":1,"e\u0301":2}', /E_ARGS_INVALID.*two ways/],
      [`{"a":{"\u00e9":1,"e\u0301":2}}`, /E_ARGS_INVALID/],
      [`{"a":"a${MARKS}"}`, /E_ARGS_INVALID/],
      [`{"a${MARKS}":1}`, /E_ARGS_INVALID/],
      // Sixteen million bytes of JSON may become five times that when they are written anew.
      [`{"a":[${'1e20,'.repeat(800_000)}1]}`, /E_ARGS_TOO_LARGE/],
      [`${'{"a":'.repeat(199)}1${'}'.repeat(199)}`, /E_NOT_RECORDABLE.*nested/],
    ];
    for (const [index, [text, code]] of refused.entries()) {
      const { error } = await act(agent, index, text);
      expect(error?.message.slice(0, 300)).toMatch(code);
      expect(project.entries().at(-1)?.payload).toMatchObject({ refused: true, tool: 'act' });
    }
    expect(jsonOf((await act(agent, 50, '{"a":1}')).result).status).toBe('pending_approval');
    await stillVerifies();
  });

  it('whatever a server answers to a call that was approved, and holds that it has ended', async () => {
    const agent = await agentOf();
    const operator = await Operator.open({
      cwd: project.dir,
      allClients: false,
      isolation: 'none',
      env: project.env,
      notice: () => {},
    });
    const ok = '"content":[{"type":"text","text":"ok"}]';
    const deep = `${'{"a":'.repeat(196)}1${'}'.repeat(196)}`;
    const answers: [string, string][] = [
      [`"result":{${ok},"structuredContent":{"n":1e400}}`, 'EXECUTED'],
      [`"result":{${ok},"structuredContent":{"\u00e9":1,"e\u0301":2}}`, 'EXECUTED'],
      [`"result":{${ok},"structuredContent":${deep}}`, 'EXECUTED'],
      [`"result":{"content":[{"type":"text","text":"a${MARKS}"}]}`, 'EXECUTED'],
      ['"error":{"code":-1,"message":"\\ud800 no"}', 'FAILED'],
      [`"error":{"code":-1,"message":"a${MARKS}"}`, 'FAILED'],
    ];
    writeFileSync(join(project.base, 'answers.json'), JSON.stringify(answers.map(([text]) => text)));
    for (const [nth, [, state]] of answers.entries()) {
      const receipt = jsonOf((await act(agent, 1_000 + nth, `{"nth":${nth}}`)).result);
      await operator.approve(String(receipt.proposal_id));
      await act(agent, 2_000 + nth, `{"nth":${nth}}`);
      expect(reached()).toBe(nth + 1);
      const report = await agent.ask('tools/call', {
        name: 'agentgate_result',
        arguments: { proposal_id: receipt.proposal_id },
      });
      expect(jsonOf(report.result).state).toBe(state);
    }
    await stillVerifies();
  });
});
