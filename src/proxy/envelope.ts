import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import { describeProblem, type JsonProblem, scanJson } from '../util/strict-json.ts';
import { RPC, RpcError } from './rpc.ts';

/** Levels around the arguments of a call. */
const ENVELOPE = 4;
const MAX_DEPTH = 200;

/** One message of a client. */
export type Message =
  | { kind: 'request'; id: string | number; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }
  /** An answer, though this proxy asks its clients nothing. */
  | { kind: 'answer' }
  /** No message that can be acted on. An `AgentGateError` is for the ledger. */
  | { kind: 'bad'; id: string | number | null; error: RpcError | AgentGateError };

/**
 * Reads one JSON-RPC 2.0 message of a client. Batches are refused, as each member would need its own decision and its own
 * answer, and so is a request that can be read in two ways, or whose integers would be sent, or answered to, as others.
 */
export function readMessage(text: string): Message {
  const { value, problems } = scanJson(text, { maxDepth: MAX_DEPTH + ENVELOPE, exactIntegers: true });
  const bad = (error: RpcError | AgentGateError, id: string | number | null = null): Message => ({
    kind: 'bad',
    id,
    error,
  });
  if (value === undefined)
    return bad(new RpcError(RPC.parse, `the message ${problems[0]?.message ?? 'is no JSON'}`));
  if (Array.isArray(value))
    return bad(new AgentGateError('E_BATCH', 'JSON-RPC batches are refused: send one request at a time.'));
  if (!isObject(value) || own(value, 'jsonrpc') !== '2.0')
    return bad(new RpcError(RPC.request, 'the message is no JSON-RPC 2.0 request'));
  const id = own(value, 'id');
  const method = own(value, 'method');
  if (method === undefined) return { kind: 'answer' };
  if (typeof method !== 'string') return bad(new RpcError(RPC.request, '"method" is no string'));
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    return bad(new RpcError(RPC.request, '"id" is neither a string nor a number'));
  const changed = problems.find(isChangedArgument);
  if (changed !== undefined)
    return bad(
      new AgentGateError(
        'E_ARGS_INVALID',
        `The arguments would not arrive as they are: ${describeProblem({ ...changed, pointer: changed.pointer.slice(ARGUMENTS.length) })}; give it as a text, if the tool takes one.`,
      ),
      id ?? null,
    );
  const ambiguous = problems.find(isAmbiguous);
  if (ambiguous !== undefined)
    return bad(
      new AgentGateError('E_REQUEST', `The request can be read in two ways: ${describeProblem(ambiguous)}.`),
      // No answer to another id than the client's own.
      ambiguous.code === 'E_INTEGER' && ambiguous.pointer === '/id' ? null : (id ?? null),
    );
  const params = own(value, 'params') ?? {};
  if (!isObject(params)) return bad(new RpcError(RPC.params, '"params" is no object'), id ?? null);
  return id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id, method, params };
}

/** Where an integer says which request is meant; other ones outside of the arguments go nowhere. */
const HANDLES = new Set(['/id', '/params/_meta/progressToken']);
const ARGUMENTS = '/params/arguments';

/** A key that is there twice in the arguments of a call is none: they are written anew, with the one that was checked. */
function isAmbiguous({ code, pointer }: JsonProblem): boolean {
  return code === 'E_INTEGER' ? HANDLES.has(pointer) : code === 'E_JSON' || !isInArguments(pointer);
}

function isChangedArgument({ code, pointer }: JsonProblem): boolean {
  return code === 'E_INTEGER' && isInArguments(pointer);
}

function isInArguments(pointer: string): boolean {
  return pointer.startsWith(`${ARGUMENTS}/`);
}
