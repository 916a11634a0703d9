import { Quota } from '../capture/quota.ts';
import { AgentGateError } from '../util/errors.ts';
import { type Json, type JsonObject, own } from '../util/json.ts';
import { answerRequest, type Request } from './answer.ts';
import type { ChangedList, Listener } from './audience.ts';
import type { AgentLink } from './calls.ts';
import { readMessage } from './envelope.ts';
import type { Gateway } from './gateway.ts';
import { LOG_LEVELS, type LogMessage, progressFor, progressToken } from './notices.ts';
import { type ModernClient, modernClient, modernResult } from './revision.ts';
import { errorMessage, RPC, RpcError, resultMessage } from './rpc.ts';
import { MAX_SUBSCRIPTIONS, type Notify, SubscriptionStreams } from './subscription-streams.ts';

/** Either the gateway, or why there is none: then everything is refused with that code. */
export type GatewayOrError = { gateway: Gateway } | { error: AgentGateError };

interface Running {
  controller: AbortController;
  client: ModernClient | undefined;
  notify: Notify;
}

/** Progress of one request that is passed on in a second. */
const PROGRESS_A_SECOND = 50;

/**
 * The agent's side of the proxy for one client: JSON-RPC 2.0 of every revision of MCP. One text is one message. What runs,
 * and what it subscribed to, is this client's alone.
 */
export class AgentSession implements Listener {
  private readonly started: Promise<GatewayOrError>;
  /** Sends what belongs to no request, where the transport can. */
  private readonly notify: Notify;
  private readonly running = new Map<string, Running>();
  private readonly streams = new SubscriptionStreams();
  private readonly uris = new Set<string>();
  private gateway: Gateway | undefined;
  /** The least urgent level of log messages that it asked for; everything, until it asks. */
  level: number | undefined;
  private legacy = false;
  private ended = false;

  constructor(started: Promise<GatewayOrError>, notify: Notify) {
    this.started = started;
    this.notify = notify;
    void started.then((opened) => {
      if ('error' in opened || this.ended) return;
      this.gateway = opened.gateway;
      opened.gateway.audience.listeners.add(this);
    });
  }

  /**
   * Answers one message; undefined for a notification, and for a request that was cancelled. Never throws.
   *
   * @param notify - takes what belongs to this request, until it is answered
   * @param signal - aborts when nobody waits for the answer any more
   */
  async receive(
    text: string,
    notify: Notify = this.notify,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const message = readMessage(text);
    if (message.kind === 'answer') return undefined;
    if (message.kind === 'bad') {
      if (message.error instanceof AgentGateError) await this.record(message.error);
      return errorMessage(message.id, message.error);
    }
    if (message.kind === 'notification') {
      if (message.method === 'notifications/cancelled') this.cancel(own(message.params, 'requestId'));
      if (message.method === 'tools/call')
        await this.record(
          new AgentGateError('E_REQUEST', 'A call that wants no answer (no "id") is not made.'),
        );
      return undefined;
    }
    const { id, method, params } = message;
    const key = keyOf(id);
    const controller = new AbortController();
    const abort = (): void => controller.abort(cancelled());
    try {
      if (this.running.has(key)) throw new RpcError(RPC.request, 'a request with this id is running already');
      const client = method === 'initialize' ? undefined : modernClient(params);
      this.running.set(key, { controller, client, notify });
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort);
      try {
        const result = await this.answer({ id, method, params, client, signal: controller.signal }, notify);
        return controller.signal.aborted && !this.ended ? undefined : resultMessage(id, result);
      } finally {
        signal?.removeEventListener('abort', abort);
        this.running.delete(key);
      }
    } catch (error) {
      return controller.signal.aborted && !this.ended ? undefined : errorMessage(id, error);
    }
  }

  /** Ends what is still running, and all that it subscribed to. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.gateway?.audience.listeners.delete(this);
    this.streams.end();
    for (const { controller } of this.running.values()) controller.abort(cancelled());
    for (const uri of this.uris) this.gateway?.state.unsubscribe(uri).catch(() => {});
    this.uris.clear();
  }

  /** Ends the streams of news, which would stay open for ever. */
  endStreams(): void {
    this.streams.end();
  }

  listsChanged(lists: ReadonlySet<ChangedList>): void {
    for (const list of lists) {
      const message: JsonObject = { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
      if (this.legacy) this.notify(message);
      this.streams.listChanged(list, message);
    }
  }

  log({ level, params }: LogMessage): void {
    const message: JsonObject = { jsonrpc: '2.0', method: 'notifications/message', params };
    if (this.legacy && level >= (this.level ?? 0)) this.notify(message);
    // The newer revision: only on the stream of a request that asks for it.
    for (const { client, notify } of this.running.values())
      if (client?.level !== undefined && level >= client.level) notify(message);
  }

  updated(uri: string): void {
    const message: JsonObject = {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri },
    };
    if (this.uris.has(uri)) this.notify(message);
    this.streams.updated(uri, message);
  }

  private async answer(request: Omit<Request, 'gateway' | 'session'>, notify: Notify): Promise<Json> {
    const { method, params, client } = request;
    if (method === 'ping' && client === undefined) return {};
    const started = await this.started;
    if ('error' in started) throw started.error;
    const { gateway } = started;
    if (method === 'initialize') this.legacy = true;
    const token = progressToken(params);
    const onprogress = token === undefined ? undefined : passProgress(token, notify);
    const whole: Request = {
      ...request,
      gateway,
      session: this,
      ...(onprogress === undefined ? {} : { onprogress }),
    };
    const listens = method === 'subscriptions/listen' && client !== undefined;
    const result = await (listens ? this.streams.listen(whole, notify) : answerRequest(whole));
    return client === undefined ? result : modernResult(method, gateway.server, result);
  }

  /** Subscribes this client to a resource, once. */
  async subscribe(gateway: Gateway, uri: string, link: AgentLink): Promise<void> {
    if (this.uris.has(uri)) return;
    if (this.uris.size >= MAX_SUBSCRIPTIONS)
      throw new RpcError(RPC.params, `a client may subscribe to ${MAX_SUBSCRIPTIONS} resources`);
    this.uris.add(uri);
    try {
      await gateway.subscribe(uri, link);
    } catch (error) {
      this.uris.delete(uri);
      throw error;
    }
  }

  async unsubscribe(gateway: Gateway, uri: string): Promise<void> {
    if (this.uris.delete(uri)) await gateway.state.unsubscribe(uri);
  }

  /** The level of this client; the server is told of the least urgent one that any client wants. */
  async setLevel(gateway: Gateway, level: number): Promise<void> {
    this.level = level;
    let least = LOG_LEVELS.length - 1;
    for (const listener of gateway.audience.listeners)
      if (listener instanceof AgentSession && listener.legacy)
        least = Math.min(least, listener.level ?? least);
    await gateway.state.setLevel(Math.min(least, level));
  }

  private cancel(id: Json | undefined): void {
    if (typeof id === 'string' || typeof id === 'number')
      this.running.get(keyOf(id))?.controller.abort(cancelled());
  }

  private async record(error: AgentGateError): Promise<void> {
    const started = await this.started;
    if ('error' in started) return;
    const { store, server } = started.gateway;
    await store.refused(error, 'agent', { server }).catch(() => {});
  }
}

/** Passes on a server's progress under the client's own token, so often at most. */
function passProgress(token: string | number, notify: Notify): (params: JsonObject) => void {
  const quota = new Quota(PROGRESS_A_SECOND, 1_000);
  let before = Number.NEGATIVE_INFINITY;
  return (params) => {
    const written = progressFor(token, params, before);
    if (written === undefined || !quota.take()) return;
    before = written.progress;
    notify({ jsonrpc: '2.0', method: 'notifications/progress', params: written.params });
  };
}

function keyOf(id: string | number): string {
  return `${typeof id} ${id}`;
}

function cancelled(): AgentGateError {
  return new AgentGateError('E_CANCELLED', 'the client cancelled the request');
}
