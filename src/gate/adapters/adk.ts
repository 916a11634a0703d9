import type { Gate, GateDecision } from '../decide.ts';
import { freezeDeep } from './freeze-deep.ts';
import { resolveTool, type ServerOf } from './names.ts';

interface ToolLike {
  name: string;
}

type Allowed = GateDecision & { action: 'allow' };

/**
 * Callbacks for Google ADK's `LlmAgent` (`@google/adk` 2): a held or denied call is answered with a record, so that the
 * tool does not run. Put `beforeToolCallback` last in a list: the arguments are frozen, since a later callback could
 * change what was allowed. Workflow tool nodes have no agent callbacks; use the proxy there.
 *
 * @param servers - the server of all tools, or a function from a tool's name; a tool of no server is let through
 */
export function adkCallbacks(gate: Gate, servers: ServerOf) {
  const running = new WeakMap<object, Allowed>();
  const ended = async (args: object, how: 'done' | 'failed', message?: string): Promise<void> => {
    const decision = running.get(args);
    running.delete(args);
    await decision?.finish?.(how, message);
  };
  return {
    beforeToolCallback: async ({
      tool,
      args,
    }: {
      tool: ToolLike;
      args: Record<string, unknown>;
    }): Promise<Record<string, unknown> | undefined> => {
      const target = resolveTool(servers, tool.name);
      if (target === undefined) return undefined;
      const decision = await gate.decide({ ...target, arguments: args }, { ends: true });
      if (decision.action === 'hold') return { ...decision.receipt };
      if (decision.action === 'deny')
        return { status: 'denied', code: decision.code, message: `${decision.code}: ${decision.message}` };
      freezeDeep(args);
      running.set(args, decision);
      return undefined;
    },
    afterToolCallback: async ({
      args,
      response,
    }: {
      args: Record<string, unknown>;
      response: Record<string, unknown>;
    }): Promise<undefined> => {
      const failed = typeof response === 'object' && response !== null && 'error' in response;
      await ended(args, failed ? 'failed' : 'done', failed ? String(response.error) : undefined);
      return undefined;
    },
  };
}
