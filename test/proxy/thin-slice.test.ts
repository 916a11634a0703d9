import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesystem, GateProject, jsonOf, refusal } from '../gate/support/project.ts';

const POLICY = `gate:
  tiers:
    filesystem: { read_text_file: 0, list_directory: 0, write_file: 1, move_file: 2 }
`;

describe('a real client, the proxy, and the real server-filesystem', () => {
  let project: GateProject;
  let client: Client;

  beforeAll(async () => {
    project = new GateProject({}, POLICY);
    project.declare({ filesystem: filesystem('2026.8.31', project.dir) });
    project.write('a.txt', 'alpha\n');
    await project.prepare();
    client = await project.connect();
  });
  afterAll(() => project.end());

  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

  it('lists what is pinned, and its own two tools', async () => {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('read_text_file');
    expect(names).toContain('move_file');
    expect(names.filter((name) => name.startsWith('agentgate_'))).toEqual([
      'agentgate_status',
      'agentgate_result',
    ]);
  });

  it('forwards a tool of tier 0', async () => {
    const result = await call('read_text_file', { path: join(project.dir, 'a.txt') });
    expect(JSON.stringify(result.content)).toContain('alpha');
  });

  it('stages move_file, which an operator approves and carries out once', async () => {
    const args = { source: join(project.dir, 'a.txt'), destination: join(project.dir, 'b.txt') };
    const receipt = jsonOf(await call('move_file', args));
    expect(receipt).toEqual({
      status: 'pending_approval',
      proposal_id: expect.stringMatching(/^prop_[0-9a-f]{32}$/),
      staged_receipt_id: `rcpt_${receipt.proposal_id}`,
      state_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      message: expect.stringContaining('PENDING_APPROVAL'),
    });
    const id = String(receipt.proposal_id);
    expect(existsSync(join(project.dir, 'b.txt'))).toBe(false);
    // The same call again is the same proposal.
    expect(jsonOf(await call('move_file', args)).proposal_id).toBe(id);

    const listed = await project.run('gate', 'list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).toContain('PENDING_APPROVAL');
    const approved = await project.run('gate', 'approve', id);
    expect(approved.stderr).toContain('b.txt');
    const token = approved.stdout.trim();
    expect(token).toMatch(/^agt1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
    expect(jsonOf(await call('agentgate_result', { proposal_id: id })).state).toBe('APPROVED');

    const dry = await project.run(
      'gate',
      'execute',
      id,
      '--token',
      token,
      '--dry-run',
      '--isolation',
      'none',
    );
    expect(dry.stdout + dry.stderr).toContain('would be carried out');
    expect(existsSync(join(project.dir, 'b.txt'))).toBe(false);
    const executed = await project.run('gate', 'execute', id, '--token', token, '--isolation', 'none');
    expect(executed.stdout + executed.stderr).toContain(`${id} EXECUTED`);
    expect(executed.code).toBe(0);
    expect(project.read('b.txt')).toBe('alpha\n');
    expect(jsonOf(await call('agentgate_result', { proposal_id: id })).state).toBe('EXECUTED');

    const again = await project.run('gate', 'execute', id, '--token', token, '--isolation', 'none');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('E_TOKEN_USED');

    const verified = await project.run('ledger', 'verify');
    expect(verified.stdout + verified.stderr).toContain('The ledger is complete');
    expect(verified.code).toBe(0);
    const trail = await project.run('ledger', 'trail', id);
    const types = ['proposal_created', 'operator_approved', 'execution_started', 'mutation_executed'];
    expect(
      trail.stdout.match(/proposal_created|operator_approved|execution_started|mutation_executed/g),
    ).toEqual(types);
  });

  it('carries out an approved call when the agent repeats it, once', async () => {
    const args = { source: join(project.dir, 'b.txt'), destination: join(project.dir, 'c.txt') };
    const id = String(jsonOf(await call('move_file', args)).proposal_id);
    await project.run('gate', 'approve', id);
    const result = await call('move_file', args);
    expect(JSON.stringify(result.content)).toContain('Successfully moved');
    expect(existsSync(join(project.dir, 'c.txt'))).toBe(true);
    const next = jsonOf(await call('move_file', args));
    expect(next.status).toBe('pending_approval');
    expect(next.proposal_id).not.toBe(id);
  });

  it('tells the agent of a rejection', async () => {
    const args = { source: join(project.dir, 'c.txt'), destination: join(project.dir, 'd.txt') };
    const id = String(jsonOf(await call('move_file', args)).proposal_id);
    await project.run('gate', 'reject', id, '--reason', 'keep it where it is');
    expect(jsonOf(await call('agentgate_result', { proposal_id: id }))).toMatchObject({
      state: 'REJECTED',
      message: expect.stringContaining('keep it where it is'),
    });
    expect(await refusal(call('move_file', args))).toContain('E_REJECTED');
  });

  it('keeps what a tier 1 call changes, and puts it back', async () => {
    const path = join(project.dir, 'c.txt');
    await call('write_file', { path, content: 'changed\n' });
    await call('write_file', { path: join(project.dir, 'new.txt'), content: 'new\n' });
    expect(project.read('c.txt')).toBe('changed\n');
    const [first, second] = project.entries().filter(({ type }) => type === 'checkpoint');
    expect(first?.payload).toMatchObject({ kind: 'files', files: [{ path: 'c.txt', kind: 'file' }] });
    for (const entry of [first, second]) {
      const ran = await project.run('gate', 'rollback', String(entry?.proposal_id));
      expect(ran.stderr).toBe('');
      expect(ran.code).toBe(0);
    }
    expect(project.read('c.txt')).toBe('alpha\n');
    expect(existsSync(join(project.dir, 'new.txt'))).toBe(false);
  });

  it('refuses arguments that do not fit the schema, naming where', async () => {
    expect(await refusal(call('read_text_file', { path: 7 }))).toMatch(/E_ARGS_INVALID.*\/path/);
    expect(await refusal(call('read_text_file', { path: 'a', extra: 1 }))).toMatch(/E_ARGS_INVALID.*\/extra/);
  });

  it('has no tool of the operator', async () => {
    expect(await refusal(call('agentgate_approve', { proposal_id: 'x' }))).toContain('E_PERM');
    expect(await refusal(call('approve_proposal', {}))).toContain('E_PERM');
    expect(await refusal(call('nothing_such', {}))).toMatch(/E_TOOL_NOT_PINNED.*Unknown tool/);
    const refused = project.entries().filter(({ payload }) => payload.refused === true);
    expect(refused.map(({ payload }) => payload.code)).toEqual(
      expect.arrayContaining(['E_PERM', 'E_TOOL_NOT_PINNED', 'E_ARGS_INVALID']),
    );
  });
});
