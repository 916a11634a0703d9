import type { Gate } from '../decide.ts';
import { deniedText, resolveTool, type ServerOf } from './names.ts';

/**
 * `toolApproval` for the Vercel AI SDK (`ai` 7: `generateText`, `streamText`, agents). A held call is denied with the
 * receipt as its reason: an approval that comes through the client is no operator's, so `user-approval` is never asked.
 * The hook does not learn how a call ends; an approved call is carried out by "gate execute".
 */
export function aiToolApproval(gate: Gate, servers: ServerOf) {
  return async ({
    toolCall,
  }: {
    toolCall: { toolName: string; input: unknown };
  }): Promise<'approved' | 'not-applicable' | { type: 'denied'; reason: string }> => {
    const target = resolveTool(servers, toolCall.toolName);
    if (target === undefined) return 'not-applicable';
    const decision = await gate.decide({ ...target, arguments: toolCall.input });
    if (decision.action === 'allow') return 'approved';
    return {
      type: 'denied',
      reason:
        decision.action === 'hold'
          ? JSON.stringify(decision.receipt)
          : deniedText(decision.code, decision.message),
    };
  };
}
