import { AgentGateError } from '../util/errors.ts';

/**
 * JSON-RPC codes that a client acts on by itself, and that are the gate's or its transport's to give: of the message, the
 * method, the revision, a header, and of a URL to open (-32042).
 */
const OURS = new Set([-32700, -32600, -32601, -32010, -32020, -32021, -32022, -32042]);

/** `E_SERVER_ERROR`: the server answered a request with an error. */
export class ServerError extends AgentGateError {
  /** The server's own code, where a client may have it. */
  readonly rpcCode: number | undefined;

  constructor(message: string, rpcCode?: number) {
    super('E_SERVER_ERROR', message);
    this.rpcCode = Number.isSafeInteger(rpcCode) && !OURS.has(rpcCode ?? 0) ? rpcCode : undefined;
  }
}

/** One clause. */
export function serverErrorText({ code, message }: { code: number | undefined; message: string }): string {
  return `the server answered with error ${code ?? 'without a code'}: ${message.slice(0, 1_000)}`;
}
