import { LEGACY_VERSIONS } from '../capture/handshake.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { describeProblem, type JsonProblem, scanJson } from '../util/strict-json.ts';
import { VERSION } from '../version.ts';
import type { Gateway } from './gateway.ts';
import { errorMessage, RPC, RpcError, resultMessage } from './rpc.ts';

/** Milliseconds that `initialize` waits for the surface; after that the client is answered, and calls are refused. */
const INITIALIZE_MS = 20_000;
/** Levels around the arguments of a call. */
const ENVELOPE = 4;

/** Either the gateway, or why there is none: then everything is refused with that code. */
export type GatewayOrError = { gateway: Gateway } | { error: AgentGateError };

/**
 * The agent's side of the proxy: JSON-RPC 2.0 of the MCP revisions that begin with `initialize`. One text is one
 * request; batches are refused, as each member would need its own decision and its own answer.
 */
export class AgentRouter {
  private readonly started: Promise<GatewayOrError>;
  private readonly running = new Map<string, AbortController>();
  private listsChanged = false;
  /** Sends a notification to the client, where the transport can. */
  onnotification: (message: JsonObject) => void = () => {};

  constructor(started: Promise<GatewayOrError>) {
    this.started = started;
  }

  /** Answers one message; undefined for a notification. Never throws. */
  async receive(text: string): Promise<JsonObject | undefined> {
    const { value, problems } = scanJson(text, { maxDepth: 200 + ENVELOPE });
    if (value === undefined)
      return errorMessage(
        null,
        new RpcError(RPC.parse, `the message ${problems[0]?.message ?? 'is no JSON'}`),
      );
    if (Array.isArray(value)) {
      const error = new AgentGateError(
        'E_BATCH',
        'JSON-RPC batches are refused: send one request at a time.',
      );
      await this.record(error);
      return errorMessage(null, error);
    }
    if (!isObject(value) || own(value, 'jsonrpc') !== '2.0')
      return errorMessage(null, new RpcError(RPC.request, 'the message is no JSON-RPC 2.0 request'));
    const id = own(value, 'id');
    const method = own(value, 'method');
    // An answer of the client: this proxy asks it nothing.
    if (method === undefined) return undefined;
    if (typeof method !== 'string')
      return errorMessage(null, new RpcError(RPC.request, '"method" is no string'));
    if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
      return errorMessage(null, new RpcError(RPC.request, '"id" is neither a string nor a number'));
    try {
      const ambiguous = problems.find((problem) => !isInArguments(problem));
      if (ambiguous !== undefined) {
        const error = new AgentGateError(
          'E_REQUEST',
          `The request can be read in two ways: ${describeProblem(ambiguous)}.`,
        );
        await this.record(error);
        throw error;
      }
      const given = own(value, 'params');
      if (given !== undefined && !isObject(given)) throw new RpcError(RPC.params, '"params" is no object');
      const params = given ?? {};
      if (id === undefined) {
        this.notified(method, params);
        return undefined;
      }
      return resultMessage(id, await this.answer(id, method, params));
    } catch (error) {
      return id === undefined ? undefined : errorMessage(id, error);
    } finally {
      void this.tellChanges();
    }
  }

  /** Ends what is still running. */
  abort(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  private async answer(id: string | number, method: string, params: JsonObject): Promise<Json> {
    if (method === 'ping') return {};
    const started = await this.started;
    if ('error' in started) throw started.error;
    const { gateway } = started;
    switch (method) {
      case 'initialize':
        return await this.initialize(gateway, params);
      case 'tools/list':
        return await listed(gateway, 'tools', params);
      case 'prompts/list':
        return await listed(gateway, 'prompts', params);
      case 'resources/list':
        return await listed(gateway, 'resources', params);
      case 'resources/templates/list':
        return await listed(gateway, 'resourceTemplates', params);
      case 'tools/call': {
        const args = own(params, 'arguments') ?? {};
        if (!isObject(args)) throw new AgentGateError('E_ARGS_INVALID', 'The arguments are no object.');
        return await this.cancellable(id, (signal) => gateway.callTool(text(params, 'name'), args, signal));
      }
      case 'prompts/get': {
        const name = text(params, 'name');
        const args = own(params, 'arguments');
        const sent: JsonObject = args === undefined ? { name } : { name, arguments: args };
        return await this.cancellable(id, (signal) => gateway.read(method, name, sent, signal));
      }
      case 'resources/read': {
        const uri = text(params, 'uri');
        return await this.cancellable(id, (signal) => gateway.read(method, uri, { uri }, signal));
      }
      default:
        throw new RpcError(RPC.method, `Method not found: ${method.slice(0, 100)}`);
    }
  }

  private async initialize(gateway: Gateway, params: JsonObject): Promise<JsonObject> {
    const asked = own(params, 'protocolVersion');
    const version = typeof asked === 'string' && LEGACY_VERSIONS.includes(asked) ? asked : LEGACY_VERSIONS[0];
    const surface = await Promise.race([gateway.surface(), later(INITIALIZE_MS)]);
    const { locked } = gateway.upstream;
    const capabilities: JsonObject = { tools: { listChanged: true } };
    if ((locked.prompts?.size ?? 0) > 0) capabilities.prompts = {};
    if ((locked.resources?.size ?? 0) + (locked.resourceTemplates?.size ?? 0) > 0)
      capabilities.resources = {};
    const result: JsonObject = {
      protocolVersion: version ?? '',
      capabilities,
      serverInfo: { name: `agentgate:${gateway.upstream.target.context.server}`, version: VERSION },
    };
    if (surface?.instructions !== undefined) result.instructions = surface.instructions;
    return result;
  }

  private async cancellable(
    id: string | number,
    work: (signal: AbortSignal) => Promise<Json>,
  ): Promise<Json> {
    const key = `${typeof id} ${id}`;
    if (this.running.has(key)) throw new RpcError(RPC.request, 'a request with this id is running already');
    const controller = new AbortController();
    this.running.set(key, controller);
    try {
      return await work(controller.signal);
    } finally {
      this.running.delete(key);
    }
  }

  private notified(method: string, params: JsonObject): void {
    if (method !== 'notifications/cancelled') return;
    const id = own(params, 'requestId');
    if (typeof id === 'string' || typeof id === 'number') this.running.get(`${typeof id} ${id}`)?.abort();
  }

  /** Passes on that the server's lists have changed, once until they are read again. */
  private async tellChanges(): Promise<void> {
    const started = await this.started;
    if ('error' in started) return;
    const changed = started.gateway.upstream.listsChanged;
    if (changed && !this.listsChanged)
      this.onnotification({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    this.listsChanged = changed;
  }

  private async record(error: AgentGateError): Promise<void> {
    const started = await this.started;
    if ('error' in started) return;
    const { gateway } = started;
    await gateway.store
      .refused(error, 'agent', { server: gateway.upstream.target.context.server })
      .catch(() => {});
  }
}

async function listed(
  gateway: Gateway,
  key: 'tools' | 'prompts' | 'resources' | 'resourceTemplates',
  params: JsonObject,
): Promise<JsonObject> {
  // All pages were merged, so that there is one.
  if (own(params, 'cursor') !== undefined) throw new RpcError(RPC.params, 'there is no such page');
  return { [key]: await gateway.list(key) };
}

function text(params: JsonObject, key: string): string {
  const value = own(params, key);
  if (typeof value !== 'string') throw new RpcError(RPC.params, `"${key}" is no string`);
  return value;
}

/** A key that is there twice in the arguments of a call: they are written anew, with the one that was checked. */
function isInArguments(problem: JsonProblem): boolean {
  return problem.code !== 'E_JSON' && problem.pointer.startsWith('/params/arguments/');
}

async function later(ms: number): Promise<undefined> {
  await new Promise<void>((done) => {
    setTimeout(done, ms).unref();
  });
  return undefined;
}
