/** The types of the package's subpaths, `dist/gate/index.d.ts`; a test holds them against the source. */

/** The server of all tools by its key in the lock, or a function from a tool's name; undefined lets a tool through. */
export type ServerOf = string | ((tool: string) => { server: string; tool: string } | undefined);

export interface GateCall {
  /** Key of the server in the lock. */
  server: string;
  tool: string;
  arguments: unknown;
}

/** What a held call answers at once. */
export interface Receipt {
  status: 'pending_approval';
  proposal_id: string;
  staged_receipt_id: string;
  state_fingerprint: string;
  message: string;
}

export type GateDecision =
  | {
      action: 'allow';
      /** What was checked: send this, not what may have been changed since. */
      // biome-ignore lint/suspicious/noExplicitAny: JSON
      arguments: { [key: string]: any };
      /** To be told how the call ended; present when that is recorded. */
      finish?: (ended: 'done' | 'failed', message?: string) => Promise<void>;
    }
  | { action: 'deny'; code: string; message: string }
  | { action: 'hold'; receipt: Receipt };

export interface GateOptions {
  /** The project's folder. Default: the process's working directory. */
  cwd?: string;
  /** Default: the nearest agentgate.lock, going up. */
  lockfile?: string;
  env?: { [name: string]: string | undefined };
  notice?: (text: string) => void;
}

/** One decision behind all hooks. In a process, a convenience: the proxy is the boundary. */
export interface Gate {
  /**
   * Never throws: what goes wrong is a denial with its code. With `ends` the caller promises to call `finish`; only then
   * is an approval consumed by repeating the call.
   */
  decide(call: GateCall, options?: { ends?: boolean }): Promise<GateDecision>;
  end(): Promise<void>;
}

/** Opens the gate of a project. Throws an error with a `code` when lock, policy or ledger cannot be used. */
export function createGate(options?: GateOptions): Promise<Gate>;

/** Callbacks for Google ADK's `LlmAgent`. Put `beforeToolCallback` last in a list. */
export function adkCallbacks(
  gate: Gate,
  servers: ServerOf,
): {
  beforeToolCallback(call: {
    tool: { name: string };
    args: Record<string, unknown>;
  }): Promise<Record<string, unknown> | undefined>;
  afterToolCallback(call: {
    args: Record<string, unknown>;
    response: Record<string, unknown>;
  }): Promise<undefined>;
};

/** `toolApproval` for the Vercel AI SDK. */
export function aiToolApproval(
  gate: Gate,
  servers: ServerOf,
): (call: {
  toolCall: { toolName: string; input: unknown };
}) => Promise<'approved' | 'not-applicable' | { type: 'denied'; reason: string }>;

/** A tool input guardrail for OpenAI Agents. */
export function openaiToolGuardrail(
  gate: Gate,
  servers: ServerOf,
): {
  type: 'tool_input';
  name: string;
  run(call: { toolCall: { name: string; arguments: string } }): Promise<{
    behavior: { type: 'allow' } | { type: 'rejectContent'; message: string };
  }>;
};

export interface LangchainRequest {
  toolCall: { name: string; args: Record<string, unknown>; id?: string };
}

/**
 * `wrapToolCall` for LangChain's `createMiddleware`.
 *
 * @param message - makes the framework's own answer: `(content, call) => new ToolMessage({ content, tool_call_id: call.id })`
 */
export function langchainWrapToolCall<Message>(
  gate: Gate,
  servers: ServerOf,
  message: (content: string, call: LangchainRequest['toolCall']) => Message,
): <Request extends LangchainRequest, Result>(
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
) => Promise<Result | Message>;
