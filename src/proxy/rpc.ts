import { AgentGateError, messageOf } from '../util/errors.ts';
import { stringifyExact } from '../util/exact-integers.ts';
import { type Json, type JsonObject, own } from '../util/json.ts';
import { ServerError } from './server-error.ts';

/** JSON-RPC 2.0, and one of ours for everything that the gate refuses. */
export const RPC = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  refused: -32010,
  /** MCP 2026-07-28: a header that differs from the message, and a revision that is not spoken. */
  header: -32020,
  version: -32022,
} as const;

const TOO_DEEP = 'The server answered, nested deeper than can be passed on.';

/** Codes that say that the call itself is wrong. */
const PARAMS = new Set(['E_TOOL_NOT_PINNED', 'E_NOT_PINNED', 'E_ARGS_INVALID', 'E_PROPOSAL_UNKNOWN']);

export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A message as it is sent. One that is nested so deep that it cannot be written becomes an error with its id. */
export function messageText(message: JsonObject): string {
  try {
    return stringifyExact(message);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const id = own(message, 'id');
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return JSON.stringify(errorMessage(known, new AgentGateError('E_TOO_DEEP', TOO_DEEP)));
  }
}

export function resultMessage(id: string | number, result: Json): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

/** The error answer for anything thrown. A refusal's message begins with its code, which is in `data.code` too. */
export function errorMessage(id: string | number | null, error: unknown): JsonObject {
  if (error instanceof AgentGateError) {
    const gates = PARAMS.has(error.code) ? RPC.params : RPC.refused;
    const code = error instanceof ServerError ? (error.rpcCode ?? gates) : gates;
    const message = `${error.code}: ${error.message}`.toWellFormed();
    return { jsonrpc: '2.0', id, error: { code, message, data: { code: error.code } } };
  }
  const code = error instanceof RpcError ? error.code : RPC.internal;
  const told: JsonObject = { code, message: messageOf(error).toWellFormed() };
  if (error instanceof RpcError && error.data !== undefined) told.data = error.data;
  return { jsonrpc: '2.0', id, error: told };
}
