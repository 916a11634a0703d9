import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import { filesystem, GateProject, jsonOf, refusal } from '../gate/support/project.ts';

const { mechanism } = await probeIsolation();

const POLICY = `gate:
  tiers:
    filesystem: { read_text_file: 0, write_file: 1, edit_file: 1, move_file: 2 }
`;

/** The slice of every user: nothing about isolation is said anywhere, so that it is \`auto\`. */
describe.skipIf(mechanism === undefined)('the gate under the default isolation', () => {
  let project: GateProject;
  let client: Client;
  beforeAll(async () => {
    project = new GateProject({}, POLICY);
    project.write('notes/a.txt', 'alpha\n');
    project.declare({ filesystem: filesystem('2026.8.31', 'notes', '/') });
    await project.prepare();
    client = await project.connect('filesystem', '--isolation', 'auto');
  });
  afterAll(() => project?.end());

  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const at = (path: string): string => join(project.dir, path);

  it('passes a read, and shows the server nothing of the operator', async () => {
    await client.listTools();
    expect(JSON.stringify(await call('read_text_file', { path: at('notes/a.txt') }))).toContain('alpha');
    const key = join(project.home, '.config/agentgate/operator.key');
    expect(existsSync(key)).toBe(true);
    expect(await refusal(call('read_text_file', { path: key }))).toContain('E_PERM');
    // By a link, nothing but isolation is in its way.
    symlinkSync(key, at('notes/link.txt'));
    const stolen = JSON.stringify(await call('read_text_file', { path: at('notes/link.txt') }));
    expect(stolen).toContain('isError');
    expect(stolen).not.toContain(project.read('../home/.config/agentgate/operator.key').trim());
  });

  it('keeps what a write changes, and puts it back', async () => {
    await call('write_file', { path: at('notes/a.txt'), content: 'changed\n' });
    await call('write_file', { path: at('notes/new.txt'), content: 'new\n' });
    await call('edit_file', { path: at('notes/a.txt'), edits: [{ oldText: 'changed', newText: 'edited' }] });
    expect([project.read('notes/a.txt'), project.read('notes/new.txt')]).toEqual(['edited\n', 'new\n']);
    const ids = project
      .entries()
      .flatMap((entry) => (entry.type === 'checkpoint' ? [entry.proposal_id] : []));
    expect(ids).toHaveLength(3);
    for (const id of ids.reverse()) {
      const ran = await project.run('gate', 'rollback', String(id));
      expect(ran.stdout).toContain('Rolled back');
    }
    expect(project.read('notes/a.txt')).toBe('alpha\n');
    expect(existsSync(at('notes/new.txt'))).toBe(false);
  });

  it('holds a move, which an operator approves and carries out once', async () => {
    const args = { source: at('notes/a.txt'), destination: at('notes/b.txt') };
    const id = String(jsonOf(await call('move_file', args)).proposal_id);
    expect(existsSync(args.source)).toBe(true);
    const token = (await project.run('gate', 'approve', id)).stdout.trim();
    const executed = await project.run('gate', 'execute', id, '--token', token);
    expect(executed.stdout).toContain(`${id} EXECUTED`);
    expect(project.read('notes/b.txt')).toBe('alpha\n');
    expect(existsSync(args.source)).toBe(false);
    expect((await project.run('gate', 'execute', id, '--token', token)).stderr).toContain('E_TOKEN_USED');
  });

  it('cannot have its server write what decides about it', async () => {
    for (const path of ['agentgate.lock', '.agentgate/ledger.jsonl']) {
      const before = project.read(path);
      const args = { source: at(path), destination: at('notes/gone') };
      const id = String(jsonOf(await call('move_file', args)).proposal_id);
      const token = (await project.run('gate', 'approve', id)).stdout.trim();
      const executed = await project.run('gate', 'execute', id, '--token', token);
      expect(executed.stdout, path).toContain('FAILED');
      expect(project.read(path).startsWith(before), path).toBe(true);
    }
    const verified = await project.run('ledger', 'verify');
    expect(verified.stdout).toContain('The ledger is complete');
    expect(verified.code).toBe(0);
  });
});
