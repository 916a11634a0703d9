import { messageOf } from '../../util/errors.ts';
import type { Gate } from '../decide.ts';
import { deniedText, resolveTool, type ServerOf } from './names.ts';

interface RequestLike {
  toolCall: { name: string; args: Record<string, unknown>; id?: string };
}

/**
 * `wrapToolCall` for LangChain's `createMiddleware` (`langchain` 1). A held or denied call is answered without calling
 * the handler. What is called is the copy of the arguments that was decided on.
 *
 * @param message - makes the framework's own answer: `(content, call) => new ToolMessage({ content, tool_call_id: call.id })`
 */
export function langchainWrapToolCall<Message>(
  gate: Gate,
  servers: ServerOf,
  message: (content: string, call: RequestLike['toolCall']) => Message,
) {
  return async <Request extends RequestLike, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result | Message> => {
    const { toolCall } = request;
    const target = resolveTool(servers, toolCall.name);
    if (target === undefined) return await handler(request);
    const decision = await gate.decide({ ...target, arguments: toolCall.args }, { ends: true });
    if (decision.action === 'hold') return message(JSON.stringify(decision.receipt), toolCall);
    if (decision.action === 'deny') return message(deniedText(decision.code, decision.message), toolCall);
    const { finish } = decision;
    let result: Result;
    try {
      result = await handler({ ...request, toolCall: { ...toolCall, args: decision.arguments } });
    } catch (error) {
      await finish?.('failed', messageOf(error));
      throw error;
    }
    const status =
      typeof result === 'object' && result !== null && 'status' in result ? result.status : undefined;
    await finish?.(status === 'error' ? 'failed' : 'done');
    return result;
  };
}
