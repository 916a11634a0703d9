import type { Answer } from '../capture/answer.ts';
import type { Outcome } from '../gate/store.ts';
import { hashOf } from '../lock/hash.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { paramHeaders } from './param-headers.ts';
import { ServerError, serverErrorText } from './server-error.ts';
import type { Allowed, VerifiedSurface } from './surface.ts';
import type { Sending, Upstream } from './upstream.ts';
import { within } from './within.ts';

/** The server asks for input before it goes on (2026-07-28). */
export const INPUT_REQUIRED = 'E_INPUT_REQUIRED';

/** How a client waits for a call. */
export interface CallLink {
  signal: AbortSignal;
  /** The client wants progress; told the server's params. */
  onprogress?: (params: JsonObject) => void;
}

/** What is sent to a tool, all of it. */
export interface ToolCall {
  /** The server's own name of the tool. */
  raw: string;
  tool: Allowed;
  arguments: JsonObject;
  /** Members of the params beside name and arguments. */
  more?: JsonObject;
}

/** Throws `E_TOOL_NOT_PINNED` when the tool is no longer the one that the call was judged for. */
export function sameTool(call: ToolCall): (surface: VerifiedSurface) => void {
  return (surface) => {
    const now = surface.allowed.tools.get(call.raw);
    if (now === call.tool) return;
    if (now === undefined || now.locked !== call.tool.locked) throw notPinned(call.raw, surface);
    if (hashOf(now.definition) !== hashOf(call.tool.definition)) throw notPinned(call.raw, surface);
  };
}

/** Sends a call. Throws when it was not sent; what comes of it is `answer`, which may throw too. */
export async function send(
  upstream: Upstream,
  call: ToolCall,
  options: Sending,
): Promise<{ answer: Promise<Answer> }> {
  const params = { name: call.raw, arguments: call.arguments, ...call.more };
  const headers =
    upstream.isHttp && upstream.era === 'modern' ? paramHeaders(call.tool.definition, call.arguments) : {};
  return await upstream.send('tools/call', params, { ...options, headers });
}

/**
 * Sends a call whose start is recorded, and says how it ended. Never throws: what was not sent has failed, and of what was
 * sent and not answered the outcome is unknown.
 */
export async function sendRecorded(
  upstream: Upstream,
  call: ToolCall,
  link: CallLink,
  check: (surface: VerifiedSurface) => void,
): Promise<Outcome> {
  return await within(link.signal, async (signal) => {
    let sent: { answer: Promise<Answer> };
    try {
      sent = await send(upstream, call, { ...link, signal, check });
    } catch (error) {
      const code = error instanceof AgentGateError ? error.code : 'E_INTERNAL';
      return { kind: 'failed', code, message: `it was not sent: ${messageOf(error)}` };
    }
    try {
      return outcomeOf(await sent.answer);
    } catch (error) {
      return { kind: 'unknown', message: messageOf(error) };
    }
  });
}

/** What a server's answer to a call says. */
export function outcomeOf(answer: Answer): Exclude<Outcome, { kind: 'unknown' }> {
  if (!answer.ok)
    return {
      kind: 'failed',
      code: 'E_SERVER_ERROR',
      message: serverErrorText(answer.error),
      rpcCode: answer.error.code,
    };
  const { result } = answer;
  if (!isObject(result))
    return { kind: 'failed', code: 'E_SERVER_ERROR', message: 'the server answered with no object' };
  const type = own(result, 'resultType');
  if (type !== undefined && type !== 'complete')
    return {
      kind: 'failed',
      code: INPUT_REQUIRED,
      message: 'the server asks for further input, which is not passed on',
      result,
    };
  if (own(result, 'isError') === true)
    return { kind: 'failed', code: 'E_TOOL_ERROR', message: 'the tool answered with an error', result };
  return { kind: 'done', result };
}

/** What a caller of the tool gets for an outcome. Throws for all but an answer of the tool. */
export function answerOf(outcome: Outcome, id: string): Json {
  if (outcome.kind === 'done') return outcome.result;
  if (outcome.kind === 'failed') {
    if (outcome.code === 'E_TOOL_ERROR' && outcome.result !== undefined) return outcome.result;
    throw outcome.code === 'E_SERVER_ERROR'
      ? new ServerError(outcome.message, outcome.rpcCode)
      : new AgentGateError(outcome.code, outcome.message);
  }
  throw new AgentGateError(
    'E_OUTCOME_UNKNOWN',
    `${id} was sent and its end is not known (${outcome.message}); it is not tried again by itself.`,
  );
}

export function notPinned(name: string, surface: VerifiedSurface): AgentGateError {
  const shown = visibleLine(JSON.stringify(name.slice(0, 200).toWellFormed()));
  const why = surface.blocked ?? surface.refused.tools.get(name);
  return new AgentGateError(
    'E_TOOL_NOT_PINNED',
    why === undefined ? `Unknown tool ${shown}: it is not in the lock.` : `Tool ${shown} ${why}`,
  );
}
