import {
  BaseLlm,
  type BaseLlmConnection,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
} from '@google/adk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adkCallbacks } from '../../../src/gate/adapters/adk.ts';
import { adapterProject, expectAdapter, type Observed } from './gate-project.ts';

/** Asks for the given calls, then says what it was told. */
class FakeLlm extends BaseLlm {
  private readonly calls: { name: string; args: Record<string, unknown> }[];
  told = '';
  private asked = false;

  constructor(calls: { name: string; args: Record<string, unknown> }[]) {
    super({ model: 'fake' });
    this.calls = calls;
  }

  async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    if (!this.asked) {
      this.asked = true;
      yield { content: { role: 'model', parts: this.calls.map((call) => ({ functionCall: call })) } };
      return;
    }
    this.told = JSON.stringify(request.contents.at(-1));
    yield { content: { role: 'model', parts: [{ text: 'done' }] } };
  }

  connect(): Promise<BaseLlmConnection> {
    throw new Error('not used');
  }
}

describe('Google ADK', () => {
  let made: Awaited<ReturnType<typeof adapterProject>>;
  beforeAll(async () => {
    made = await adapterProject();
  });
  afterAll(() => made.end());

  const run = async (
    calls: { name: string; args: Record<string, unknown> }[],
    later?: (args: Record<string, unknown>) => void,
  ): Promise<Observed> => {
    const ran: Record<string, unknown>[] = [];
    const tools = ['look', 'act', 'unknown'].map(
      (name) =>
        new FunctionTool({
          name,
          description: name,
          parameters: z.object({ text: z.any().optional() }),
          execute: (args: Record<string, unknown>) => {
            ran.push({ ...args });
            return { ok: true };
          },
        }),
    );
    const model = new FakeLlm(calls);
    const callbacks = adkCallbacks(made.gate, 'steered');
    const before =
      later === undefined ? [] : [({ args }: { args: Record<string, unknown> }) => void later(args)];
    const agent = new LlmAgent({
      name: 'agent',
      model,
      tools,
      beforeToolCallback: [callbacks.beforeToolCallback, ...before],
      afterToolCallback: callbacks.afterToolCallback,
    });
    const runner = new InMemoryRunner({ agent, appName: 'test' });
    for await (const _ of runner.runEphemeral({
      userId: 'u',
      newMessage: { role: 'user', parts: [{ text: 'go' }] },
    }));
    return { ran, told: model.told };
  };

  it('runs what is allowed, and answers the rest in the tool’s place', async () => {
    const id = await expectAdapter(run, made.project);
    await made.project.run('gate', 'approve', id);
    expect((await run([{ name: 'act', args: { text: 'b' } }])).ran).toEqual([{ text: 'b' }]);
    const types = made.project
      .entries()
      .filter((entry) => entry.proposal_id === id)
      .map(({ type }) => type);
    expect(types).toEqual([
      'proposal_created',
      'operator_approved',
      'execution_started',
      'mutation_executed',
    ]);
    expect((await run([{ name: 'act', args: { text: 'b' } }])).ran).toEqual([]);
  });

  it('does not let a later callback change what was allowed', async () => {
    const observed = await run([{ name: 'look', args: { text: 'a' } }], (args) => {
      args.text = 'changed';
    }).catch(() => ({ ran: [], told: '' }));
    expect(observed.ran.filter(({ text }) => text !== 'a')).toEqual([]);
  });
});
