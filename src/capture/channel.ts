import type { JsonObject } from '../util/json.ts';
import type { JsonProblem } from '../util/strict-json.ts';

/** One JSON-RPC message from a server, as it was sent: unknown fields, `__proto__` keys and all. */
export interface Incoming {
  message: JsonObject;
  /** What `JSON.parse` does not tell; pointers into the message. */
  problems: JsonProblem[];
  /** Bytes of the message's text. */
  bytes: number;
  /** JSON values in it, and what they are estimated to take in memory (`weightOf`). */
  values: number;
  weight: number;
  /** It holds more than `LIMITS.values` and was not parsed: `message` is empty. */
  tooManyValues?: boolean;
  /** It was dug out of a line that began with something else: a client may not have seen it. */
  recovered?: boolean;
}

/** Why a channel is closed or a send failed. `text` follows "server ": `exited with code 3`. */
export interface ChannelFault {
  code: string;
  text: string;
}

/** Of a request; what a transport has no use for is ignored. */
export interface SendOptions {
  /** Gives up waiting for the answer, where each request has a stream of its own. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/**
 * Carries JSON-RPC messages. The handlers are set before `open`; `onclose` is called at most once, and no message
 * follows it. A failed `send` rejects with an `AgentGateError`; an answer may come nonetheless, and counts.
 */
export interface Channel {
  readonly transport: 'stdio' | 'http' | 'sse';
  onmessage: (incoming: Incoming) => void;
  onclose: (fault: ChannelFault) => void;
  open(): Promise<void>;
  send(message: JsonObject, options?: SendOptions): Promise<void>;
  /** Tells the transport which protocol was agreed on (an HTTP header). */
  agreed(protocolVersion: string): void;
  /** Stops or goes on reading, where the transport can. */
  hold?(held: boolean): void;
  /** Stops listening. Does not end a process. */
  close(): Promise<void>;
  /** What a server wrote that is no message, the last lines, for an error's text. */
  noise(): string[];
}
