import type { Answer } from '../capture/answer.ts';
import { HttpStatusError } from '../capture/http-tap.ts';
import type { RequestOptions } from '../capture/session.ts';
import { compareLaunch } from '../drift/launch.ts';
import type { LockedServer } from '../lock/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import { connect } from './connect.ts';
import type { Connection, ConnectOptions } from './connection.ts';
import { type VerifiedSurface, verifySurface } from './surface.ts';
import type { Target, UpstreamOptions } from './target.ts';

const TIMEOUT_MS = 60_000;
const INSTALL_TIMEOUT_MS = 300_000;
/** How often a surface is verified again for one call before the call is refused. */
const MAX_VERIFIED = 10;

export interface Sending extends RequestOptions {
  /** Throws when what is about to be sent does not fit the surface any more. */
  check?: (surface: VerifiedSurface) => void;
}

/** Who is told what happens with the server. */
export interface UpstreamEvents {
  /** Before anything is let through that a newly verified surface allows. */
  verified(surface: VerifiedSurface): Promise<void>;
  /** A session has begun: what was said to an earlier one has to be said again. */
  connected(connection: Connection): void;
  /** A notification of the server, but for progress. Hostile. */
  notified(method: string, params: JsonObject): void;
}

/**
 * The one server behind a proxy: started when first needed, verified before anything is sent to it, verified again when
 * it says that a list changed, and started again after it ended.
 */
export class Upstream {
  readonly target: Target;
  /** Set by who uses it. */
  events: UpstreamEvents = { verified: async () => {}, connected: () => {}, notified: () => {} };
  private readonly options: UpstreamOptions;
  private connection: Connection | undefined;
  private verified: VerifiedSurface | undefined;
  private verifying: Promise<VerifiedSurface> | undefined;
  private everVerified = false;
  /** Verified since the lists changed, but not yet for a request. */
  private stale = false;
  private held = false;
  private ended = false;

  constructor(target: Target, options: UpstreamOptions) {
    this.target = target;
    this.options = options;
  }

  get locked(): LockedServer {
    return this.target.context.locked;
  }

  /** The surface, if it is verified and nothing has happened since. Never waits. */
  get current(): VerifiedSurface | undefined {
    const session = this.connection?.session;
    if (session === undefined || session.closed || session.changed.size > 0 || this.stale) return undefined;
    return this.verified;
  }

  /** True while the very first verification is on its way. */
  get pending(): boolean {
    return !this.everVerified && this.verifying !== undefined;
  }

  /** What the server said that it can do; undefined when it is not running. */
  get capabilities(): JsonObject | undefined {
    const capabilities = this.connection?.handshake.capabilities;
    return isObject(capabilities) ? capabilities : undefined;
  }

  get era(): 'legacy' | 'modern' | undefined {
    return this.connection?.handshake.era;
  }

  /** True when it is reached by Streamable HTTP. */
  get isHttp(): boolean {
    return this.connection?.session.channel.transport === 'http';
  }

  /** The verified surface; with `again` it is read anew in any case. Throws when it cannot be verified. */
  async surface(again = false): Promise<VerifiedSurface> {
    if (!again && this.current !== undefined) return this.current;
    // One that is on its way may have begun before the change that the caller knows of.
    if (again) await this.verifying?.catch(() => {});
    this.verifying ??= this.verify().finally(() => {
      this.verifying = undefined;
    });
    return await this.verifying;
  }

  /**
   * Verifies after the lists have changed, for the clients' news alone: before the next request it is done again, since
   * a server may change once more without a word.
   */
  async peek(): Promise<void> {
    if (this.current !== undefined) return;
    await this.surface();
    this.stale = true;
  }

  /**
   * Sends a request once the surface is verified and `check` agrees with it, without a gap in which the server could say
   * something else. Resolves when it is sent; what comes of it is `answer`, which throws what the session throws.
   * Throws when nothing was sent.
   */
  async send(
    method: string,
    params: JsonObject,
    options: Sending = {},
  ): Promise<{ answer: Promise<Answer> }> {
    const { check, ...request } = options;
    for (let count = 0; count < MAX_VERIFIED; count++) {
      const surface = await this.surface();
      request.signal?.throwIfAborted();
      check?.(surface);
      const { connection } = this;
      if (connection !== undefined && this.current === surface)
        return { answer: this.ask(connection, method, params, request) };
    }
    throw new AgentGateError(
      'E_UNSTABLE',
      'the server keeps saying that its lists have changed, so that nothing is sent to it',
    );
  }

  /** Sends a request and gives its answer. */
  async request(method: string, params: JsonObject, options: Sending = {}): Promise<Answer> {
    return await (await this.send(method, params, options)).answer;
  }

  /** Stops or goes on taking what the server says, where the transport can. */
  hold(held: boolean): void {
    this.held = held;
    this.connection?.session.channel.hold?.(held);
  }

  async end(): Promise<void> {
    this.ended = true;
    const { connection } = this;
    if (connection !== undefined) await this.drop(connection);
  }

  private async ask(
    connection: Connection,
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<Answer> {
    try {
      return await connection.session.request(
        method,
        withMeta(params, connection.handshake.requestMeta),
        options,
      );
    } catch (error) {
      // One request that failed is no end of the others, unless the session is over.
      const over =
        connection.session.closed ||
        (error instanceof HttpStatusError && error.status === 404) ||
        (error instanceof AgentGateError && error.code === 'E_CONNECT');
      if (over) await this.drop(connection);
      throw error;
    }
  }

  private async verify(): Promise<VerifiedSurface> {
    const { context, source } = this.target;
    // A command that nobody reviewed is not even started.
    const fields = compareLaunch(context.locked, { launch: context.launch, source, extra: {} });
    if (fields.length > 0)
      throw new AgentGateError(
        'E_TOOL_NOT_PINNED',
        `server ${context.server} is not started: what its config launches is not what was reviewed (${fields.map((field) => `${field.pointer}: ${field.class}`).join(', ')}); review it with "agentgate ci"`,
      );
    if (this.connection?.session.closed === true) await this.drop(this.connection);
    const connection = this.connection ?? (await this.connect());
    try {
      // Nothing goes out by the old one while it is not known whether it still holds.
      this.verified = undefined;
      this.stale = false;
      connection.session.changed.clear();
      const surface = await verifySurface(connection, context);
      // Some servers say it with every listing, and have been read until twice the same.
      connection.session.changed.clear();
      await this.events.verified(surface);
      this.verified = surface;
      this.everVerified = true;
      return surface;
    } catch (error) {
      await this.drop(connection);
      throw error;
    }
  }

  private async connect(): Promise<Connection> {
    const { declared, resolved } = this.target;
    const connection = await connect(declared, resolved.launch, this.connectOptions());
    if (this.ended) {
      await connection.end();
      throw new AgentGateError('E_ABORTED', 'the proxy was stopped');
    }
    this.connection = connection;
    if (this.held) connection.session.channel.hold?.(true);
    void connection.exited.then(() => this.drop(connection));
    this.events.connected(connection);
    return connection;
  }

  private connectOptions(): ConnectOptions {
    return {
      timeoutMs: this.options.timeoutMs ?? TIMEOUT_MS,
      installTimeoutMs: INSTALL_TIMEOUT_MS,
      isolation: this.options.isolation,
      policy: this.target.context.policy,
      source: this.target.source,
      guarded: this.target.guarded,
      env: this.options.env,
      redact: this.target.redact,
      onnotification: (method, params) => this.events.notified(method, params),
    };
  }

  private async drop(connection: Connection): Promise<void> {
    if (this.connection === connection) {
      this.connection = undefined;
      this.verified = undefined;
    }
    await connection.end();
  }
}

/** The members of `_meta` that the protocol wants, and those that the request has itself. */
function withMeta(params: JsonObject, requestMeta: JsonObject): JsonObject {
  const [given, wanted] = [own(params, '_meta'), own(requestMeta, '_meta')];
  if (!isObject(given) || !isObject(wanted)) return { ...requestMeta, ...params };
  return { ...params, _meta: { ...wanted, ...given } };
}
