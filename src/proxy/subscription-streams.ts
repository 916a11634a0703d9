import { isObject, type JsonObject, own } from '../util/json.ts';
import type { Request } from './answer.ts';
import type { ChangedList } from './audience.ts';
import { SUBSCRIPTION_ID } from './revision.ts';
import { RPC, RpcError } from './rpc.ts';

/** How what belongs to one request reaches its client, before the answer. */
export type Notify = (message: JsonObject) => void;

interface Stream {
  lists: ReadonlySet<ChangedList>;
  uris: ReadonlySet<string>;
  notify: Notify;
  close: () => void;
}

/** Resources that one client may subscribe to. */
export const MAX_SUBSCRIPTIONS = 1_000;

/** The news that one client of 2026-07-28 asked for with `subscriptions/listen`. */
export class SubscriptionStreams {
  private readonly open = new Set<Stream>();

  /** Open until the client cancels the request, or the proxy closes it: then its answer is given. */
  async listen({ gateway, ...request }: Request, notify: Notify): Promise<JsonObject> {
    const { id, params, signal } = request;
    const wanted = own(params, 'notifications');
    if (!isObject(wanted)) throw new RpcError(RPC.params, '"notifications" is no object');
    const meta = { [SUBSCRIPTION_ID]: id };
    const tagged = (message: JsonObject): void => {
      const given = own(message, 'params');
      notify({ ...message, params: { ...(isObject(given) ? given : {}), _meta: meta } });
    };
    const lists = new Set(
      (['tools', 'prompts', 'resources'] as const).filter(
        (list) => own(wanted, `${list}ListChanged`) === true,
      ),
    );
    const uris = new Set<string>();
    let close = (): void => {};
    const closed = new Promise<void>((done) => {
      close = done;
    });
    const stream: Stream = { lists, uris, notify: tagged, close };
    signal.addEventListener('abort', close);
    try {
      const link = { signal, capabilities: request.client?.capabilities ?? {} };
      for (const uri of urisOf(own(wanted, 'resourceSubscriptions'))) {
        // What cannot be subscribed to is left out of what is acknowledged.
        const done = await gateway.subscribe(uri, link).then(
          () => true,
          () => false,
        );
        if (done) uris.add(uri);
      }
      const acknowledged: JsonObject = {};
      for (const list of lists) acknowledged[`${list}ListChanged`] = true;
      if (uris.size > 0) acknowledged.resourceSubscriptions = [...uris];
      tagged({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: acknowledged },
      });
      this.open.add(stream);
      if (!signal.aborted) await closed;
      return { _meta: meta };
    } finally {
      signal.removeEventListener('abort', close);
      this.open.delete(stream);
      for (const uri of uris) gateway.state.unsubscribe(uri).catch(() => {});
    }
  }

  listChanged(list: ChangedList, message: JsonObject): void {
    for (const stream of this.open) if (stream.lists.has(list)) stream.notify(message);
  }

  updated(uri: string, message: JsonObject): void {
    for (const stream of this.open) if (stream.uris.has(uri)) stream.notify(message);
  }

  end(): void {
    for (const stream of this.open) stream.close();
  }
}

function urisOf(asked: unknown): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const uri of Array.isArray(asked) ? asked : []) {
    if (typeof uri !== 'string') throw new RpcError(RPC.params, '"resourceSubscriptions" holds no string');
    uris.add(uri);
  }
  if (uris.size > MAX_SUBSCRIPTIONS)
    throw new RpcError(RPC.params, `a client may subscribe to ${MAX_SUBSCRIPTIONS} resources`);
  return uris;
}
