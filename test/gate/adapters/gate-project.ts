import { expect } from 'vitest';
import { createGate, type Gate } from '../../../src/gate/decide.ts';
import { SteeredProject, tool } from '../support/steered.ts';

/** A project whose lock holds `look` (tier 0), `write_file` (tier 1) and `act` (tier 2) of the server `steered`. */
export async function adapterProject(): Promise<{
  project: SteeredProject;
  gate: Gate;
  end(): Promise<void>;
}> {
  const path = { type: 'object', properties: { path: { type: 'string' } } };
  const project = new SteeredProject(
    { pages: [[tool('look'), tool('act'), tool('write_file', { inputSchema: path })]] },
    'gate: { tiers: { steered: { look: 0, write_file: 1, act: 2 } } }\n',
  );
  await project.prepare();
  const gate = await createGate({ cwd: project.dir, env: project.env });
  return {
    project,
    gate,
    end: async () => {
      await gate.end();
      await project.end();
    },
  };
}

/** Which calls ran, and what the model was told of the others. */
export interface Observed {
  ran: Record<string, unknown>[];
  told: string;
}

export type Run = (calls: { name: string; args: Record<string, unknown> }[]) => Promise<Observed>;

/** What every adapter must do, whatever the framework. */
export async function expectAdapter(run: Run, project: SteeredProject): Promise<string> {
  const free = await run([{ name: 'look', args: { text: 'a' } }]);
  expect(free.ran).toEqual([{ text: 'a' }]);
  const denied = await run([{ name: 'unknown', args: {} }]);
  expect(denied.ran).toEqual([]);
  expect(denied.told).toContain('E_TOOL_NOT_PINNED');
  const wrong = await run([{ name: 'look', args: { text: 7 } }]);
  expect(wrong.ran).toEqual([]);
  expect(wrong.told).toContain('E_ARGS_INVALID');
  const held = await run([{ name: 'act', args: { text: 'b' } }]);
  expect(held.ran).toEqual([]);
  expect(held.told).toContain('pending_approval');
  const id = /prop_[0-9a-f]{32}/.exec(held.told)?.[0] ?? '';
  expect(project.entries().find(({ type }) => type === 'proposal_created')?.proposal_id).toBe(id);
  return id;
}
