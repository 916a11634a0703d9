import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, describe, expect, it } from 'vitest';
import { payloadSha256 } from '../../src/gate/fingerprint.ts';
import { type EntryDraft, GENESIS, makeEntry } from '../../src/gate/ledger/entry.ts';
import { Ledger } from '../../src/gate/ledger/ledger.ts';
import type { JsonObject } from '../../src/util/json.ts';
import { jsonOf, refusal } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';
import { SteeredProject, type Steering, tool, until } from '../gate/support/steered.ts';

const ONE: Steering = { pages: [[tool('look'), tool('act')]] };
const POLICY = 'gate: { tiers: { steered: { look: 0, act: 2 } } }\n';

let project: SteeredProject;
afterEach(() => project.end());

async function start(steering = ONE, policy = POLICY): Promise<Client> {
  project = new SteeredProject(steering, policy);
  await project.prepare();
  return await project.connect('steered');
}

const act = (client: Client, text = 'x') => client.callTool({ name: 'act', arguments: { text } });
const stage = async (client: Client, text = 'x'): Promise<string> =>
  String(jsonOf(await act(client, text)).proposal_id);
const approve = async (id: string): Promise<string> =>
  (await project.run('gate', 'approve', id)).stdout.trim();
const execute = (id: string, token: string, ...more: string[]) =>
  project.run('gate', 'execute', id, '--token', token, '--isolation', 'none', ...more);
const result = async (client: Client, id: string) =>
  jsonOf(await client.callTool({ name: 'agentgate_result', arguments: { proposal_id: id } }));

/** Writes the ledger anew with its chain intact, as somebody could who may write the file but has no key. */
function forge(change: (drafts: EntryDraft[]) => EntryDraft[]): void {
  const drafts = change(project.entries().map(({ seq, ts, prev_hash, hash, ...draft }) => draft));
  let previous = GENESIS;
  const lines = drafts.map((draft, seq) => {
    const { entry, line } = makeEntry(draft, { seq, prevHash: previous, now: new Date() });
    previous = entry.hash;
    return line;
  });
  writeFileSync(join(project.dir, '.agentgate/ledger.jsonl'), `${lines.join('\n')}\n`);
}

describe('a token is refused', () => {
  it('when it was used before, by either way', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    await act(client);
    expect(project.calls()).toHaveLength(1);
    expect((await execute(id, token)).stderr).toContain('E_TOKEN_USED');
    expect(project.calls()).toHaveLength(1);
  });

  it('when it has expired', async () => {
    const client = await start(ONE, `${POLICY.trim().slice(0, -1)}, approvals: { ttl: 1s } }\n`);
    const id = await stage(client);
    const token = await approve(id);
    await until(() => Date.now() / 1000 > Number(claimsOf(token).exp));
    expect((await execute(id, token)).stderr).toContain('E_TOKEN_EXPIRED');
    expect((await result(client, id)).state).toBe('EXPIRED');
    expect(await stage(client)).not.toBe(id);
    expect(project.calls()).toEqual([]);
  });

  it('for another proposal, another key, and a form that is none', async () => {
    const client = await start();
    const [one, two] = [await stage(client, 'one'), await stage(client, 'two')];
    const [first, second] = [await approve(one), await approve(two)];
    expect((await execute(one, second)).stderr).toContain('E_TOKEN_INVALID');
    expect((await execute(one, `${first}=`)).stderr).toContain('E_TOKEN_INVALID');
    expect((await execute(one, 'x')).stderr).toContain('E_TOKEN_INVALID');
    rmSync(join(project.home, '.config/agentgate/operator.key'));
    await project.run('gate', 'init');
    expect((await execute(one, first)).stderr).toContain('E_TOKEN_INVALID');
    expect(project.calls()).toEqual([]);
    const codes = project.entries().map(({ payload }) => payload.code);
    expect(codes.filter((code) => code === 'E_TOKEN_INVALID')).toHaveLength(4);
  });

  it('when the state has drifted, also for the agent that repeats the call', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    project.steer({ pages: [[tool('look'), tool('act', { description: 'Does worse.' })]] });
    expect((await execute(id, token)).stderr).toContain('E_STATE_DRIFT');
    project.steer({ pages: [[tool('look', { description: 'Only the other one.' }), tool('act')]] });
    expect((await execute(id, token)).stderr).toContain('E_STATE_DRIFT');
    expect(await refusal(act(client))).toContain('E_STATE_DRIFT');
    expect(project.calls()).toEqual([]);
    // The next call is proposed anew, in the new state.
    expect(await stage(client)).not.toBe(id);
  });

  it('when the policy has changed', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    project.write('agentgate.yml', `version: 1\n${POLICY.replace('look: 0', 'look: 2')}`);
    expect((await execute(id, token)).stderr).toContain('E_POLICY_CHANGED');
    expect((await project.run('gate', 'approve', id)).stderr).toContain('E_POLICY_CHANGED');
    expect(await refusal(act(client))).toContain('E_POLICY_CHANGED');
    expect(project.calls()).toEqual([]);
  });

  it('when the arguments in the ledger are not those that were approved', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    await client.close();
    forge((drafts) => {
      const digest = payloadSha256('steered', 'act', { text: 'evil' });
      return drafts.map((draft) => ({
        ...draft,
        payload_sha256: digest,
        payload:
          draft.type === 'proposal_created'
            ? { ...draft.payload, arguments: { text: 'evil' } }
            : draft.payload,
      }));
    });
    // The operator remembers the ledger; without that memory the token itself says no.
    expect((await execute(id, token)).stderr).toContain('E_LEDGER_REWRITTEN');
    rmSync(join(project.home, '.config/agentgate/ledger-heads'), { recursive: true });
    expect((await execute(id, token)).stderr).toContain('E_PAYLOAD_TAMPERED');
    expect(project.calls()).toEqual([]);
  });

  it('when it was rejected after all', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    await project.run('gate', 'reject', id, '--reason', 'second thoughts');
    expect((await execute(id, token)).stderr).toContain('E_REJECTED');
    expect(project.calls()).toEqual([]);
  });
});

describe('once', () => {
  it('of several executions at once, one wins', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    const [agent, ...ran] = await Promise.all([
      refusal(act(client)),
      execute(id, token),
      execute(id, token),
      execute(id, token),
    ]);
    expect(project.calls()).toHaveLength(1);
    const won = ran.filter(({ code }) => code === 0).length;
    for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toMatch(/E_TOKEN_USED/);
    expect(
      won + (agent.includes('arguments') && agent.startsWith('not refused') ? 1 : 0),
    ).toBeGreaterThanOrEqual(1);
    expect(project.entries().filter(({ type }) => type === 'execution_started')).toHaveLength(1);
    expect((await project.run('ledger', 'verify')).code).toBe(0);
  });

  it('killed between start and end: the outcome is unknown, and it is never tried again', async () => {
    const client = await start({ ...ONE, onCall: 'hang' });
    const id = await stage(client);
    const token = await approve(id);
    const child = project.spawn(['gate', 'execute', id, '--token', token, '--isolation', 'none']);
    await until(() => project.calls().length === 1);
    child.kill('SIGKILL');
    await new Promise((done) => child.on('close', done));
    project.steer(ONE);
    expect((await result(client, id)).state).toBe('OUTCOME_UNKNOWN');
    expect((await execute(id, token)).stderr).toContain('E_OUTCOME_UNKNOWN');
    expect(await refusal(act(client))).toContain('E_OUTCOME_UNKNOWN');
    expect((await project.run('gate', 'approve', id)).stderr).toContain('E_PROPOSAL_STATE');
    expect(project.calls()).toHaveLength(1);
    // A human closes it; then the call can be proposed again.
    await project.run('gate', 'reject', id, '--reason', 'looked at it: it was not done');
    expect((await result(client, id)).state).toBe('REJECTED');
  });

  it('a proxy killed while it carries out an approved call', async () => {
    const client = await start({ ...ONE, onCall: 'hang' });
    await client.close();
    const agent = new RawAgent(project, 'steered');
    await agent.begin();
    const params = { name: 'act', arguments: { text: 'x' } };
    const staged = jsonOf((await agent.ask('tools/call', params)).result);
    const token = await approve(String(staged.proposal_id));
    void agent.ask('tools/call', params);
    await until(() => project.calls().length === 1);
    agent.child.kill('SIGKILL');
    await new Promise((done) => agent.child.on('close', done));
    expect((await execute(String(staged.proposal_id), token)).stderr).toContain('E_OUTCOME_UNKNOWN');
    const next = await project.connect('steered');
    expect((await result(next, String(staged.proposal_id))).state).toBe('OUTCOME_UNKNOWN');
    expect(project.calls()).toHaveLength(1);
    const last = project.entries().at(-1);
    expect(last).toMatchObject({ type: 'execution_failed', payload: { code: 'E_OUTCOME_UNKNOWN' } });
  });

  it('a server that ends in the middle of a call leaves the outcome unknown', async () => {
    const client = await start({ ...ONE, onCall: 'die' });
    const id = await stage(client);
    const token = await approve(id);
    const ran = await execute(id, token);
    expect(ran.stdout).toContain('E_OUTCOME_UNKNOWN');
    expect(ran.code).toBe(2);
    expect((await result(client, id)).state).toBe('OUTCOME_UNKNOWN');
  });

  it.each(['error', 'isError'] as const)(
    'an answer of the server that says no (%s) is FAILED',
    async (onCall) => {
      const client = await start({ ...ONE, onCall });
      const id = await stage(client);
      const ran = await execute(id, await approve(id));
      expect(ran.code).toBe(1);
      expect((await result(client, id)).state).toBe('FAILED');
    },
  );
});

describe('an agent that approves itself', () => {
  it('by writing an approval into the ledger', async () => {
    const client = await start();
    const id = await stage(client);
    const created = project.entries().find(({ type }) => type === 'proposal_created');
    const ledger = await Ledger.open(join(project.dir, '.agentgate/ledger.jsonl'));
    const now = Math.floor(Date.now() / 1000);
    const claims: JsonObject = {
      pid: id,
      payload_sha256: created?.payload_sha256 ?? '',
      state_fingerprint: created?.payload.state_fingerprint ?? '',
      tool_hash: created?.payload.tool_hash ?? '',
      policy_sha256: created?.payload.policy_sha256 ?? '',
      nonce: 'AAAA',
      iat: now,
      exp: now + 600,
      op: 'root',
    };
    await ledger.append({
      type: 'operator_approved',
      proposal_id: id,
      server: 'steered',
      actor: 'operator:root',
      payload: { claims, proof: 'A'.repeat(43) },
      payload_sha256: created?.payload_sha256 ?? '',
    });
    expect(await refusal(act(client))).toContain('E_TOKEN_INVALID');
    expect(project.calls()).toEqual([]);
    expect(project.entries().some(({ payload }) => payload.code === 'E_TOKEN_INVALID')).toBe(true);
  });

  it('by cutting the use of a token out of the ledger', async () => {
    const client = await start();
    const id = await stage(client);
    const token = await approve(id);
    expect((await execute(id, token)).code).toBe(0);
    const path = join(project.dir, '.agentgate/ledger.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    const before = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"execution_started"')),
    );
    writeFileSync(path, `${before.join('\n')}\n`);
    expect((await execute(id, token)).stderr).toContain('E_LEDGER_TRUNCATED');
    expect(await refusal(act(client))).toContain('E_LEDGER_');
    const verified = await project.run('ledger', 'verify');
    expect(verified.stdout).toContain('E_LEDGER_TRUNCATED');
    expect(verified.code).toBe(1);
    expect(project.calls()).toHaveLength(1);
  });

  it('with a secret in its arguments: not kept, and only the agent can send it', async () => {
    const client = await start();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const id = await stage(client, secret);
    expect(project.read('.agentgate/ledger.jsonl')).not.toContain(secret);
    const token = await approve(id);
    expect((await execute(id, token)).stderr).toContain('E_ARGS_REDACTED');
    await act(client, secret);
    expect(project.calls()[0]).toContain(secret);
    expect(project.read('.agentgate/ledger.jsonl')).not.toContain(secret);
  });

  it('sees hidden characters in what it approves', async () => {
    const client = await start();
    const id = await stage(client, 'a\u202eb\u001b[2Jc');
    const shown = await project.run('gate', 'show', id);
    expect(shown.stdout).toContain('U+202E');
    expect(shown.stdout).not.toContain('\u202e');
    expect(shown.stdout).not.toContain('\u001b');
  });
});

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}
