import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import type { Connection } from './connection.ts';
import { LOG_LEVELS } from './notices.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds before a stream of notifications that ended is opened again, at first and at most. */
const AGAIN_MS = { first: 1_000, most: 60_000 };
/** Milliseconds for `resources/subscribe` and `logging/setLevel`. */
const ASK_MS = 30_000;

/**
 * What a server was told to notify of, said again to each new session with it: subscriptions, and the level of its log.
 * To a server of 2026-07-28, which notifies of nothing unasked, by `subscriptions/listen`.
 */
export class ServerState {
  private readonly upstream: Upstream;
  /** Subscribers of each URI. */
  private readonly subscribers = new Map<string, number>();
  private level: number | undefined;
  private connection: Connection | undefined;
  private listening: AbortController | undefined;
  private again: NodeJS.Timeout | undefined;
  private wait: number = AGAIN_MS.first;

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  /** A session has begun. What it is told must not be waited for: the server may be hostile. */
  connected(connection: Connection): void {
    this.connection = connection;
    this.wait = AGAIN_MS.first;
    if (connection.handshake.era === 'modern') {
      this.listen();
      return;
    }
    const tell = (method: string, params: JsonObject): void => {
      connection.session.request(method, params, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => {});
    };
    if (this.level !== undefined) tell('logging/setLevel', { level: LOG_LEVELS[this.level] ?? 'info' });
    for (const uri of this.subscribers.keys()) tell('resources/subscribe', { uri });
  }

  /** Subscribes one more. Throws what the server answers; then nobody is subscribed by this. */
  async subscribe(uri: string): Promise<void> {
    const count = this.subscribers.get(uri) ?? 0;
    this.subscribers.set(uri, count + 1);
    if (count > 0) return;
    try {
      await this.tell('resources/subscribe', { uri });
    } catch (error) {
      this.forget(uri);
      throw error;
    }
  }

  /** Takes one subscriber away; the server is told of the last one. */
  async unsubscribe(uri: string): Promise<void> {
    if (this.forget(uri)) await this.tell('resources/unsubscribe', { uri });
  }

  /** The least urgent level that any client wants. */
  async setLevel(level: number): Promise<void> {
    if (this.level === level) return;
    this.level = level;
    if (this.upstream.era === 'legacy')
      await this.tell('logging/setLevel', { level: LOG_LEVELS[level] ?? 'info' });
  }

  end(): void {
    clearTimeout(this.again);
    this.listening?.abort();
  }

  /** True when it was the last one. */
  private forget(uri: string): boolean {
    const count = this.subscribers.get(uri) ?? 0;
    if (count > 1) this.subscribers.set(uri, count - 1);
    else this.subscribers.delete(uri);
    return count === 1;
  }

  private async tell(method: string, params: JsonObject): Promise<void> {
    if (this.upstream.era === 'modern') {
      this.listen();
      return;
    }
    const answer = await this.upstream.request(method, params, { signal: AbortSignal.timeout(ASK_MS) });
    if (!answer.ok)
      throw new AgentGateError(
        'E_SERVER_ERROR',
        `the server answered ${method} with an error: ${answer.error.message.slice(0, 500).toWellFormed()}`,
      );
  }

  /** Opens the one stream anew, with what is wanted now; the earlier one ends. */
  private listen(): void {
    clearTimeout(this.again);
    const { connection } = this;
    const notifications = this.wanted();
    const earlier = this.listening;
    this.listening = undefined;
    if (connection === undefined || connection.session.closed || Object.keys(notifications).length === 0) {
      earlier?.abort();
      return;
    }
    const controller = new AbortController();
    this.listening = controller;
    const params = { ...connection.handshake.requestMeta, notifications };
    void connection.session
      .request('subscriptions/listen', params, { signal: controller.signal })
      .then(
        // A server that does not know it is not asked again.
        (answer) => answer.ok,
        () => true,
      )
      .then((over) => {
        if (!over || this.listening !== controller || connection.session.closed) return;
        this.again = setTimeout(() => this.listen(), this.wait).unref();
        this.wait = Math.min(this.wait * 2, AGAIN_MS.most);
      });
    earlier?.abort();
  }

  private wanted(): JsonObject {
    const wanted: JsonObject = {};
    const capabilities = this.upstream.capabilities ?? {};
    for (const list of ['tools', 'prompts', 'resources']) {
      const capability = own(capabilities, list);
      if (isObject(capability) && own(capability, 'listChanged') === true)
        wanted[`${list}ListChanged`] = true;
    }
    if (this.subscribers.size > 0) wanted.resourceSubscriptions = [...this.subscribers.keys()];
    return wanted;
  }
}
