import { afterAll, beforeAll, describe, it } from 'vitest';
import { z } from 'zod';
import { aiToolApproval } from '../../../src/gate/adapters/ai.ts';
import { adapterProject, expectAdapter, type Observed } from './gate-project.ts';

// The framework itself needs it.
describe.skipIf(Number(process.versions.node.split('.')[0]) < 22)('Vercel AI SDK (needs Node 22)', () => {
  let made: Awaited<ReturnType<typeof adapterProject>>;
  beforeAll(async () => {
    made = await adapterProject();
  });
  afterAll(() => made.end());

  const run = async (calls: { name: string; args: Record<string, unknown> }[]): Promise<Observed> => {
    const { generateText, stepCountIs, tool } = await import('ai');
    const { MockLanguageModelV4 } = await import('ai/test');
    const ran: Record<string, unknown>[] = [];
    const make = (name: string) =>
      tool({
        description: name,
        inputSchema: z.object({ text: z.any().optional() }),
        execute: async (input) => {
          ran.push({ ...input });
          return 'ok';
        },
      });
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    let told = '';
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        told = JSON.stringify(prompt.at(-1));
        if (prompt.at(-1)?.role !== 'user')
          return {
            content: [{ type: 'text' as const, text: 'done' }],
            finishReason: { unified: 'stop' as const, raw: 'stop' },
            usage,
            warnings: [],
          };
        return {
          content: calls.map((call, index) => ({
            type: 'tool-call' as const,
            toolCallId: `call-${index}`,
            toolName: call.name,
            input: JSON.stringify(call.args),
          })),
          finishReason: { unified: 'tool-calls' as const, raw: 'tool-calls' },
          usage,
          warnings: [],
        };
      },
    });
    await generateText({
      model,
      prompt: 'go',
      tools: { look: make('look'), act: make('act'), unknown: make('unknown') },
      toolApproval: aiToolApproval(made.gate, 'steered'),
      stopWhen: stepCountIs(3),
    });
    return { ran, told };
  };

  it('runs what is allowed, and tells the model of the rest', async () => {
    await expectAdapter(run, made.project);
  });
});
