import type { InputKind } from '../gate/policy.ts';
import { hashOf } from '../lock/hash.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own, setOwn } from '../util/json.ts';
import { INPUT_REQUIRED, type ToolCall } from './call.ts';

/** What a client sends with a call that it repeats because the server asked for input. */
export interface GivenInput {
  responses?: JsonObject;
  state?: string;
}

/** Milliseconds that a request for input may be answered, and how many may wait at once. */
const WAIT_MS = 30 * 60_000;
const MAX_WAITING = 1_000;
const MAX_REQUESTS = 16;
const MAX_TEXT = 8_192;
const MAX_STATE = 1024 * 1024;

const KINDS: ReadonlyMap<string, InputKind> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);
/** Members that are passed on; the others could carry what nobody agreed to (tools, a URL to open). */
const MEMBERS: Readonly<Record<InputKind, readonly string[]>> = {
  elicitation: ['message', 'requestedSchema'],
  sampling: ['messages', 'modelPreferences', 'systemPrompt', 'temperature', 'maxTokens', 'stopSequences'],
  roots: [],
};

interface Waiting {
  keys: ReadonlySet<string>;
  until: number;
  count: number;
}

/**
 * Requests for input (2026-07-28, multi round-trip requests) between a server and a client. The server learns from the
 * capabilities only of what the policy allows. Input is taken for the very call that it was asked for, once, and only for
 * what was asked: nothing else may ride on a call that was judged without it.
 */
export class InputRequests {
  private readonly allowed: ReadonlySet<InputKind>;
  private readonly waiting = new Map<string, Waiting>();

  constructor(allowed: ReadonlySet<InputKind>) {
    this.allowed = allowed;
  }

  /** The capabilities that a server is told of one call: what the client has and the policy allows. */
  capabilities(client: JsonObject): JsonObject {
    const told: JsonObject = {};
    for (const kind of this.allowed) {
      if (!isObject(own(client, kind))) continue;
      // Of elicitation only forms: a URL that a hostile server chose is not for a user to open.
      told[kind] = kind === 'elicitation' ? { form: {} } : {};
    }
    return told;
  }

  /**
   * The `input_required` result written anew for a client, which may then answer it. Throws `E_INPUT_REQUIRED` when it
   * asks for what the policy or the client does not allow, and when it is not as the protocol wants it.
   */
  pass(call: ToolCall, result: JsonObject, client: JsonObject): JsonObject {
    const requests = own(result, 'inputRequests') ?? {};
    const state = own(result, 'requestState');
    if (own(result, 'resultType') !== 'input_required' || !isObject(requests))
      throw refused('answers in a form that is not known');
    if (state !== undefined && (typeof state !== 'string' || state.length > MAX_STATE))
      throw refused('sends a state that is no string, or too long');
    const keys = Object.keys(requests);
    if (keys.length > MAX_REQUESTS) throw refused(`asks for more than ${MAX_REQUESTS} things at once`);
    if (keys.length === 0 && state === undefined) throw refused('asks for nothing');
    const told = this.capabilities(client);
    const passed: JsonObject = {};
    for (const key of keys) setOwn(passed, key, rewritten(own(requests, key), told));
    this.remember(digestOf(call, state), new Set(keys));
    return {
      resultType: 'input_required',
      ...(keys.length === 0 ? {} : { inputRequests: passed }),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  /** Takes the input for a call, once. Throws `E_INPUT_REQUIRED` when nobody asked for it. */
  take(call: ToolCall, { responses, state }: GivenInput): JsonObject {
    const digest = digestOf(call, state);
    const entry = this.waiting.get(digest);
    const given = Object.keys(responses ?? {});
    if (entry === undefined || entry.until < Date.now() || given.some((key) => !entry.keys.has(key)))
      throw new AgentGateError(
        INPUT_REQUIRED,
        'The call comes with input that the server did not ask for, or not for this very call; call without it.',
      );
    if (--entry.count === 0) this.waiting.delete(digest);
    return {
      ...(responses === undefined ? {} : { inputResponses: responses }),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  private remember(digest: string, keys: ReadonlySet<string>): void {
    const [oldest] = this.waiting.keys();
    if (this.waiting.size >= MAX_WAITING && oldest !== undefined) this.waiting.delete(oldest);
    const count = (this.waiting.get(digest)?.count ?? 0) + 1;
    this.waiting.set(digest, { keys, count, until: Date.now() + WAIT_MS });
  }
}

function rewritten(request: unknown, told: JsonObject): JsonObject {
  const method = isObject(request) ? own(request as JsonObject, 'method') : undefined;
  const kind = typeof method === 'string' ? KINDS.get(method) : undefined;
  if (kind === undefined || typeof method !== 'string') throw refused('asks for something that is not known');
  if (!isObject(own(told, kind)))
    throw refused(`asks for ${kind}, which the policy or the client does not allow`);
  const given = isObject(request) ? own(request as JsonObject, 'params') : undefined;
  const params: JsonObject = {};
  for (const member of MEMBERS[kind]) {
    const value = isObject(given) ? own(given, member) : undefined;
    if (value !== undefined) params[member] = value;
  }
  const { message } = params;
  if (kind === 'elicitation') {
    const mode = isObject(given) ? own(given, 'mode') : undefined;
    if ((mode !== undefined && mode !== 'form') || typeof message !== 'string' || message.length > MAX_TEXT)
      throw refused('asks for something other than a form with a short message');
    params.mode = 'form';
  }
  return Object.keys(params).length === 0 ? { method } : { method, params };
}

function digestOf(call: ToolCall, state: unknown): string {
  return hashOf([call.tool.locked, call.arguments, typeof state === 'string' ? state : null]);
}

function refused(what: string): AgentGateError {
  return new AgentGateError(
    INPUT_REQUIRED,
    `The server did not carry out the call: it ${what}. AgentGate does not pass that on.`,
  );
}
