import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import type { AgentSession } from './agent-session.ts';
import type { AgentLink } from './calls.ts';
import type { Gateway } from './gateway.ts';
import type { GivenInput } from './inputs.ts';
import { logLevel } from './notices.ts';
import { discoverResult, initializeResult } from './offer.ts';
import type { ModernClient } from './revision.ts';
import { RPC, RpcError } from './rpc.ts';
import type { ListKey } from './surface.ts';

/** One request of a client. */
export interface Request {
  gateway: Gateway;
  session: AgentSession;
  id: string | number;
  method: string;
  params: JsonObject;
  /** Of revision 2026-07-28; undefined for the older ones. */
  client: ModernClient | undefined;
  signal: AbortSignal;
  onprogress?: (params: JsonObject) => void;
}

type Handler = (request: Request) => Promise<Json>;

const list =
  (key: ListKey): Handler =>
  async ({ gateway, params }) => {
    // All pages were merged, so that there is one.
    if (own(params, 'cursor') !== undefined) throw new RpcError(RPC.params, 'there is no such page');
    return { [key]: await gateway.list(key) };
  };

const BOTH: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['tools/list', list('tools')],
  ['prompts/list', list('prompts')],
  ['resources/list', list('resources')],
  ['resources/templates/list', list('resourceTemplates')],
  ['tools/call', callTool],
  ['prompts/get', getPrompt],
  ['resources/read', (request) => request.gateway.resource(text(request.params, 'uri'), linkOf(request))],
  ['completion/complete', (request) => request.gateway.complete(request.params, linkOf(request))],
]);

/** Of the revisions that begin with `initialize`. */
const LEGACY: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['initialize', ({ gateway, params }) => initializeResult(gateway, params)],
  ['logging/setLevel', setLevel],
  [
    'resources/subscribe',
    async (request) => {
      await request.session.subscribe(request.gateway, text(request.params, 'uri'), linkOf(request));
      return {};
    },
  ],
  [
    'resources/unsubscribe',
    async ({ gateway, session, params }) => {
      await session.unsubscribe(gateway, text(params, 'uri'));
      return {};
    },
  ],
]);

/** Of 2026-07-28; `subscriptions/listen` is the session's own. */
const MODERN: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['server/discover', ({ gateway }) => discoverResult(gateway)],
]);

/** Answers a request of any revision. Throws `AgentGateError`s for what is refused, and -32601 for an unknown method. */
export async function answerRequest(request: Request): Promise<Json> {
  const { method, client } = request;
  const handler = BOTH.get(method) ?? (client === undefined ? LEGACY : MODERN).get(method);
  if (handler === undefined) throw new RpcError(RPC.method, `Method not found: ${method.slice(0, 100)}`);
  return await handler(request);
}

async function callTool(request: Request): Promise<Json> {
  const { gateway, params, client } = request;
  const args = own(params, 'arguments') ?? {};
  if (!isObject(args)) throw new AgentGateError('E_ARGS_INVALID', 'The arguments are no object.');
  const link = linkOf(request);
  if (client !== undefined) {
    const input = givenInput(params);
    if (input !== undefined) link.input = input;
  }
  return await gateway.callTool(text(params, 'name'), args, link);
}

async function getPrompt(request: Request): Promise<Json> {
  const args = own(request.params, 'arguments');
  if (args !== undefined && !isObject(args))
    throw new AgentGateError('E_ARGS_INVALID', 'The arguments are no object.');
  return await request.gateway.prompt(text(request.params, 'name'), args, linkOf(request));
}

async function setLevel({ gateway, session, params }: Request): Promise<Json> {
  const level = logLevel(own(params, 'level'));
  if (level === undefined) throw new RpcError(RPC.params, 'there is no such log level');
  await session.setLevel(gateway, level);
  return {};
}

function linkOf({ signal, onprogress, client, session }: Request): AgentLink {
  const level = client === undefined ? session.level : client.level;
  return {
    signal,
    ...(onprogress === undefined ? {} : { onprogress }),
    ...(level === undefined ? {} : { level }),
    ...(client === undefined ? {} : { capabilities: client.capabilities }),
  };
}

/** Input with which a call is repeated. Throws -32602 when it has another form. */
function givenInput(params: JsonObject): GivenInput | undefined {
  const responses = own(params, 'inputResponses');
  const state = own(params, 'requestState');
  if (responses === undefined && state === undefined) return undefined;
  if (responses !== undefined && !isObject(responses))
    throw new RpcError(RPC.params, '"inputResponses" is no object');
  if (state !== undefined && typeof state !== 'string')
    throw new RpcError(RPC.params, '"requestState" is no string');
  return {
    ...(responses === undefined ? {} : { responses }),
    ...(state === undefined ? {} : { state }),
  };
}

function text(params: JsonObject, key: string): string {
  const value = own(params, key);
  if (typeof value !== 'string') throw new RpcError(RPC.params, `"${key}" is no string`);
  return value;
}
