import type { Gate } from '../decide.ts';
import { deniedText, resolveTool, type ServerOf } from './names.ts';

type Behavior = { type: 'allow' } | { type: 'rejectContent'; message: string };

/**
 * A tool input guardrail for OpenAI Agents (`@openai/agents` 0.20): for `inputGuardrails` of a tool, or
 * `toolInputGuardrails` of an MCP server. A held or denied call is answered with a text and does not run. The hook does
 * not learn how a call ends; an approved call is carried out by "gate execute".
 */
export function openaiToolGuardrail(gate: Gate, servers: ServerOf) {
  return {
    type: 'tool_input' as const,
    name: 'agentgate',
    run: async ({
      toolCall,
    }: {
      toolCall: { name: string; arguments: string };
    }): Promise<{ behavior: Behavior }> => {
      const target = resolveTool(servers, toolCall.name);
      if (target === undefined) return { behavior: { type: 'allow' } };
      const decision = await gate.decide({ ...target, arguments: parsed(toolCall.arguments) });
      if (decision.action === 'allow') return { behavior: { type: 'allow' } };
      const message =
        decision.action === 'hold'
          ? JSON.stringify(decision.receipt)
          : deniedText(decision.code, decision.message);
      return { behavior: { type: 'rejectContent', message } };
    },
  };
}

/** The framework gives the model's text; what is no JSON is refused as arguments. */
function parsed(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
