import {
  Agent,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  tool,
  Usage,
} from '@openai/agents';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openaiToolGuardrail } from '../../../src/gate/adapters/openai.ts';
import { adapterProject, expectAdapter, type Observed } from './gate-project.ts';

describe('OpenAI Agents', () => {
  let made: Awaited<ReturnType<typeof adapterProject>>;
  beforeAll(async () => {
    made = await adapterProject();
  });
  afterAll(() => made.end());

  const run = async (calls: { name: string; args: Record<string, unknown> }[]): Promise<Observed> => {
    const ran: Record<string, unknown>[] = [];
    let told = '';
    let asked = false;
    const model: Model = {
      getResponse: async (request: ModelRequest): Promise<ModelResponse> => {
        told = JSON.stringify(request.input);
        if (asked)
          return {
            usage: new Usage(),
            output: [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'done' }],
              },
            ],
          };
        asked = true;
        return {
          usage: new Usage(),
          output: calls.map((call, index) => ({
            type: 'function_call' as const,
            callId: `call-${index}`,
            name: call.name,
            status: 'completed' as const,
            arguments: JSON.stringify(call.args),
          })),
        };
      },
      getStreamedResponse: () => {
        throw new Error('not used');
      },
    };
    const tools = ['look', 'act', 'unknown'].map((name) =>
      tool({
        name,
        description: name,
        parameters: { type: 'object', properties: { text: {} }, required: [], additionalProperties: true },
        strict: false,
        inputGuardrails: [openaiToolGuardrail(made.gate, 'steered')],
        execute: async (input: unknown) => {
          ran.push({ ...(input as Record<string, unknown>) });
          return 'ok';
        },
      }),
    );
    const runner = new Runner({ tracingDisabled: true });
    await runner.run(new Agent({ name: 'agent', model, tools }), 'go');
    return { ran, told };
  };

  it('runs what is allowed, and tells the model of the rest', async () => {
    await expectAdapter(run, made.project);
  });
});
