import { createAgent, createMiddleware, FakeToolCallingModel, ToolMessage, tool } from 'langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { langchainWrapToolCall } from '../../../src/gate/adapters/langchain.ts';
import { adapterProject, expectAdapter, type Observed } from './gate-project.ts';

describe('LangChain', () => {
  let made: Awaited<ReturnType<typeof adapterProject>>;
  beforeAll(async () => {
    made = await adapterProject();
  });
  afterAll(() => made.end());

  const run = async (calls: { name: string; args: Record<string, unknown> }[]): Promise<Observed> => {
    const ran: Record<string, unknown>[] = [];
    const tools = ['look', 'act', 'unknown'].map((name) =>
      tool(
        async (input: Record<string, unknown>) => {
          ran.push({ ...input });
          return 'ok';
        },
        { name, description: name, schema: z.object({ text: z.any().optional() }) },
      ),
    );
    const wrap = langchainWrapToolCall(
      made.gate,
      'steered',
      (content, call) => new ToolMessage({ content, tool_call_id: call.id ?? '' }),
    );
    const agent = createAgent({
      model: new FakeToolCallingModel({
        toolCalls: [calls.map((call, index) => ({ ...call, id: `call-${index}` })), []],
      }),
      tools,
      middleware: [createMiddleware({ name: 'agentgate', wrapToolCall: wrap })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] });
    const told = messages.filter((message) => ToolMessage.isInstance(message)).map(({ content }) => content);
    return { ran, told: told.join('\n') };
  };

  it('runs what is allowed, and answers the rest without the tool', async () => {
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
});
