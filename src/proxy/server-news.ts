import { Quota } from '../capture/quota.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import type { Audience } from './audience.ts';
import { logMessage, updatedUri } from './notices.ts';
import { isPinnedResource } from './reads.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds between two verifications that nobody but the server itself asks for. */
const PAUSE_MS = 1_000;
/** Log messages, and news of resources, that are passed on in a second. */
const A_SECOND = 200;

/** Sorts what a server says unasked; nothing of it is passed on that was not looked at. */
export class ServerNews {
  private readonly upstream: Upstream;
  private readonly audience: Audience;
  private readonly quota = new Quota(A_SECOND, 1_000);
  private timer: NodeJS.Timeout | undefined;
  private verifiedAt = Number.NEGATIVE_INFINITY;

  constructor(upstream: Upstream, audience: Audience) {
    this.upstream = upstream;
    this.audience = audience;
  }

  notified(method: string, params: JsonObject): void {
    if (method.endsWith('/list_changed')) this.verifySoon();
    else if (method === 'notifications/message') this.log(params);
    else if (method === 'notifications/resources/updated') void this.updated(params);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** So that clients learn of a change that concerns them before they ask. */
  private verifySoon(): void {
    if (this.timer !== undefined || this.audience.listeners.size === 0) return;
    const wait = Math.max(0, this.verifiedAt + PAUSE_MS - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.verifiedAt = performance.now();
      // A failure is told to who asks next.
      this.upstream.peek().catch(() => {});
    }, wait).unref();
  }

  private log(params: JsonObject): void {
    const capabilities = this.upstream.capabilities ?? {};
    if (!isObject(own(capabilities, 'logging')) || !this.quota.take()) return;
    const message = logMessage(params);
    if (message === undefined) return;
    for (const listener of this.audience.listeners) listener.log(message);
  }

  private async updated(params: JsonObject): Promise<void> {
    const uri = updatedUri(params);
    if (uri === undefined || !this.quota.take()) return;
    try {
      if (!isPinnedResource(await this.upstream.surface(), uri)) return;
    } catch {
      return;
    }
    for (const listener of this.audience.listeners) listener.updated(uri);
  }
}
