import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/decide.ts';
import { refusal } from '../support/project.ts';
import type { SteeredProject } from '../support/steered.ts';
import { adapterProject } from './gate-project.ts';

let made: Awaited<ReturnType<typeof adapterProject>>;
let gate: Gate;
let project: SteeredProject;
beforeAll(async () => {
  made = await adapterProject();
  ({ gate, project } = made);
});
afterAll(() => made.end());

const decide = (tool: string, args: unknown, options = {}) =>
  gate.decide({ server: 'steered', tool, arguments: args }, options);

describe('decide', () => {
  it('allows, denies and holds', async () => {
    expect(await decide('look', { text: 'x' })).toMatchObject({ action: 'allow', arguments: { text: 'x' } });
    expect(await decide('none', {})).toMatchObject({ action: 'deny', code: 'E_TOOL_NOT_PINNED' });
    expect(await decide('agentgate_approve', {})).toMatchObject({ action: 'deny', code: 'E_PERM' });
    expect(await decide('look', { text: 1 })).toMatchObject({ action: 'deny', code: 'E_ARGS_INVALID' });
    expect(await decide('look', 'text')).toMatchObject({ action: 'deny', code: 'E_ARGS_INVALID' });
    expect(await decide('look', { text: '\ud800' })).toMatchObject({
      action: 'deny',
      code: 'E_ARGS_INVALID',
    });
    expect(await decide('act', {})).toMatchObject({
      action: 'hold',
      receipt: { status: 'pending_approval' },
    });
    expect(await gate.decide({ server: 'other', tool: 'look', arguments: {} })).toMatchObject({
      code: 'E_TOOL_NOT_PINNED',
    });
  });

  it('keeps a checkpoint of a tier 1 call, and holds what has none', async () => {
    project.write('note.txt', 'before\n');
    const decision = await decide('write_file', { path: 'note.txt' });
    expect(decision.action).toBe('allow');
    if (decision.action === 'allow') await decision.finish?.('done');
    const types = project
      .entries()
      .slice(-3)
      .map(({ type }) => type);
    expect(types).toEqual(['checkpoint', 'execution_started', 'mutation_executed']);
    for (const path of [
      '/etc/passwd',
      '.git/hooks/x',
      'agentgate.yml',
      'agentgate.lock',
      '.agentgate/ledger.jsonl',
      '../x',
      '~/x',
    ])
      expect(await decide('write_file', { path }), path).toMatchObject({ action: 'hold' });
    expect(await decide('write_file', {})).toMatchObject({ action: 'hold' });
  });

  it('consumes an approval once, and only for who tells how it ended', async () => {
    const held = await decide('act', { text: 'once' });
    const id = held.action === 'hold' ? held.receipt.proposal_id : '';
    await project.run('gate', 'approve', id);
    expect(await decide('act', { text: 'once' })).toMatchObject({ action: 'hold' });
    const both = await Promise.all([1, 2].map(() => decide('act', { text: 'once' }, { ends: true })));
    expect(both.map(({ action }) => action).sort()).toEqual(['allow', 'deny']);
    for (const decision of both) if (decision.action === 'allow') await decision.finish?.('done');
    expect(await decide('act', { text: 'once' }, { ends: true })).toMatchObject({ action: 'hold' });
    expect((await project.run('ledger', 'verify')).code).toBe(0);
  });

  it('denies everything once the policy has changed', async () => {
    project.write('agentgate.yml', 'version: 1\ngate: { default-tier: 0 }\n');
    expect(await decide('act', {})).toMatchObject({ action: 'deny', code: 'E_POLICY_CHANGED' });
    expect(await decide('look', {})).toMatchObject({ action: 'deny', code: 'E_POLICY_CHANGED' });
  });

  it('is not opened without a lock', async () => {
    const { createGate } = await import('../../../src/gate/decide.ts');
    expect(await refusal(createGate({ cwd: join(project.base), env: project.env }))).toContain(
      'agentgate.lock',
    );
  });
});
