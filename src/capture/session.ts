import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import { type Answer, answerOf } from './answer.ts';
import type { Channel, ChannelFault, Incoming } from './channel.ts';
import type { Deadline } from './deadline.ts';
import { IrregularAnswers } from './irregular.ts';
import { LIMITS } from './limits.ts';
import { MemoryPool, MemoryShare } from './memory.ts';
import { Quota } from './quota.ts';
import { isModern, withProgressToken } from './request-params.ts';

export type ListName = 'tools' | 'prompts' | 'resources';

const LIST_CHANGED: ReadonlyMap<string, ListName> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

export interface SessionOptions {
  /**
   * The session goes on after its surface was read: nothing is summed up over its life, only in windows of time, and a
   * request that is given up is cancelled at the server.
   */
  lasting?: boolean;
  /** Told the server's notifications, but for progress. Its params are as they came. */
  onnotification?: (method: string, params: JsonObject) => void;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Asks for progress; told the params of each notification of it. */
  onprogress?: (params: JsonObject) => void;
  /** Headers of a request by HTTP. */
  headers?: Record<string, string>;
}

interface Pending {
  method: string;
  onprogress: ((params: JsonObject) => void) | undefined;
  settle(answer: Answer): void;
  fail(error: AgentGateError): void;
}

/**
 * JSON-RPC 2.0 over a channel, as a client that offers nothing: `ping` is answered, every other request of the server
 * gets -32601. The first answer to an id counts; answers to ids that were never asked are ignored. The deadline is that
 * of the whole session. Every failure is an `AgentGateError`.
 */
export class Session {
  readonly channel: Channel;
  /** What the answers of this server may take. */
  readonly memory: MemoryShare;
  /** Methods of the server's own requests, in the order of their first use. */
  readonly asked: string[] = [];
  /** Lists that the server said have changed; the caller takes entries out. */
  readonly changed = new Set<ListName>();

  private readonly deadline: Deadline;
  private readonly signal: AbortSignal;
  private readonly pending = new Map<string, Pending>();
  private readonly irregular = new IrregularAnswers();
  private nextId = 1;
  private readonly lasting: boolean;
  private readonly messages: Quota;
  private readonly serverRequests: Quota;
  private readonly onnotification: (method: string, params: JsonObject) => void;
  private fault: ChannelFault | undefined;
  private readonly onabort = (): void => {
    for (const entry of [...this.pending.values()]) entry.fail(this.timeout(entry.method));
  };

  constructor(
    channel: Channel,
    deadline: Deadline,
    memory = new MemoryShare(new MemoryPool()),
    options: SessionOptions = {},
  ) {
    const windowMs = options.lasting === true ? LIMITS.windowMs : undefined;
    this.lasting = options.lasting === true;
    this.messages = new Quota(LIMITS.messages, windowMs);
    this.serverRequests = new Quota(LIMITS.serverRequests, windowMs);
    this.onnotification = options.onnotification ?? (() => {});
    const { signal } = deadline;
    this.channel = channel;
    this.memory = memory;
    this.deadline = deadline;
    this.signal = signal;
    channel.onmessage = (incoming) => this.receive(incoming);
    channel.onclose = (fault) => this.end(fault);
    signal.addEventListener('abort', this.onabort);
  }

  /** Starts listening. Throws what the channel's `open` throws. */
  async open(): Promise<void> {
    await this.raced('the request to connect', this.channel.open());
  }

  /**
   * Sends a request and gives its answer, an error answer too. Throws `E_TIMEOUT` at the deadline, the reason of the
   * given signal when that is an `AgentGateError`, the channel's fault (`E_SERVER_EXIT`, `E_TOO_LARGE`, …) when it closes,
   * and what `send` throws when no answer came with it.
   */
  request(method: string, given: JsonObject, options: RequestOptions = {}): Promise<Answer> {
    const { signal, onprogress, headers } = options;
    const id = this.nextId++;
    const key = String(id);
    // The token is the id: ours, so that no client learns or guesses that of another one.
    const params = onprogress === undefined ? given : withProgressToken(given, id);
    // Only there each request has a stream of its own.
    const request = this.channel.transport === 'http' ? new AbortController() : undefined;
    return new Promise<Answer>((resolve, reject) => {
      const onabort = (): void => {
        entry.fail(this.timeout(method, signal?.reason));
        if (this.lasting) void this.cancel(id, params, request);
      };
      const done = (): void => {
        signal?.removeEventListener('abort', onabort);
        this.pending.delete(key);
      };
      const entry: Pending = {
        method,
        onprogress,
        settle: (answer) => {
          done();
          resolve(answer);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      if (this.signal.aborted || signal?.aborted === true)
        return entry.fail(this.timeout(method, signal?.reason));
      if (this.fault !== undefined) return entry.fail(closedError(this.fault, method));
      this.pending.set(key, entry);
      signal?.addEventListener('abort', onabort);
      const sent = this.channel.send(
        { jsonrpc: '2.0', id, method, params },
        {
          ...(request === undefined ? {} : { signal: request.signal }),
          ...(headers === undefined ? {} : { headers }),
        },
      );
      sent.catch((error: unknown) => {
        // An answer that came with a refused request (HTTP 400) has settled it before.
        entry.fail(error instanceof AgentGateError ? error : new AgentGateError('E_PROTOCOL', String(error)));
      });
    });
  }

  /** Sends a notification. A channel that refuses it shows that at the next request. */
  async notify(method: string, params?: JsonObject): Promise<void> {
    const message: JsonObject = { jsonrpc: '2.0', method };
    if (params !== undefined) message.params = params;
    const sent = this.channel.send(message).catch(() => {});
    await this.raced(method, sent);
  }

  /** True when nothing can be sent any more. */
  get closed(): boolean {
    return this.fault !== undefined || this.signal.aborted;
  }

  async close(): Promise<void> {
    this.signal.removeEventListener('abort', this.onabort);
    this.end({ code: 'E_SERVER_EXIT', text: 'was closed' });
    await this.channel.close().catch(() => {});
  }

  /** A request of the 2026 revision by HTTP is cancelled by closing its stream, every other one by a notification. */
  private async cancel(id: number, params: JsonObject, request?: AbortController): Promise<void> {
    if (!isModern(params) || this.channel.transport !== 'http')
      await this.notify('notifications/cancelled', { requestId: id }).catch(() => {});
    request?.abort();
  }

  private receive(incoming: Incoming): void {
    if (this.fault !== undefined) return;
    const isAnswer = own(incoming.message, 'method') === undefined;
    const asked = isAnswer && this.pending.has(String(own(incoming.message, 'id')));
    if (!(asked && this.lasting) && !this.messages.take()) {
      const during = this.lasting ? ` in ${LIMITS.windowMs / 1000} s` : '';
      this.end({ code: 'E_PROTOCOL', text: `sent more than ${LIMITS.messages} messages${during}` });
      return;
    }
    if (incoming.tooManyValues === true) {
      this.end({ code: 'E_TOO_LARGE', text: `sent a message of more than ${LIMITS.values} values` });
      return;
    }
    const { message } = incoming;
    const method = own(message, 'method');
    const id = own(message, 'id');
    if (typeof method === 'string') {
      const params = own(message, 'params');
      if (id === undefined) this.notified(method, isObject(params) ? params : {});
      else if (typeof id === 'string' || typeof id === 'number') this.answerServer(id, method);
    } else if (typeof id === 'string' || typeof id === 'number') this.answered(String(id), incoming);
  }

  private notified(method: string, params: JsonObject): void {
    const list = LIST_CHANGED.get(method);
    if (list !== undefined) this.changed.add(list);
    if (method !== 'notifications/progress') {
      this.onnotification(method, params);
      return;
    }
    const token = own(params, 'progressToken');
    if (typeof token === 'number') this.pending.get(String(token))?.onprogress?.(params);
  }

  private answerServer(id: string | number, method: string): void {
    if (!this.serverRequests.take()) {
      this.end({ code: 'E_PROTOCOL', text: `sent more than ${LIMITS.serverRequests} requests` });
      return;
    }
    if (!this.asked.includes(method) && this.asked.length < LIMITS.askedMethods)
      this.asked.push(method.slice(0, LIMITS.noiseCharacters));
    const answer: JsonObject =
      method === 'ping'
        ? { jsonrpc: '2.0', id, result: {} }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    this.channel.send(answer).catch(() => {});
  }

  private answered(key: string, incoming: Incoming): void {
    const entry = this.pending.get(key);
    if (entry === undefined) {
      if (this.irregular.contradicts(key, incoming))
        this.end({ code: 'E_PROTOCOL', text: 'gave two different answers to one request' });
      return;
    }
    this.irregular.add(key, incoming);
    const answer = answerOf(incoming);
    if (answer !== undefined) {
      entry.settle(answer);
      return;
    }
    entry.fail(
      new AgentGateError('E_PROTOCOL', `server answered ${entry.method} with neither a result nor an error`),
    );
  }

  private end(fault: ChannelFault): void {
    if (this.fault !== undefined) return;
    this.fault = fault;
    for (const entry of [...this.pending.values()]) entry.fail(closedError(fault, entry.method));
  }

  private timeout(method: string, given?: unknown): AgentGateError {
    const reasons: unknown[] = [this.signal.reason, given];
    for (const reason of reasons) if (reason instanceof AgentGateError) return reason;
    const seconds = Math.round(this.deadline.ms / 100) / 10;
    return new AgentGateError(
      'E_TIMEOUT',
      `server did not answer ${method} within ${seconds} s; raise its timeout in agentgate.yml if it is slow`,
    );
  }

  private async raced(what: string, work: Promise<void>): Promise<void> {
    if (this.signal.aborted) throw this.timeout(what);
    let onabort = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      onabort = () => reject(this.timeout(what));
      this.signal.addEventListener('abort', onabort);
    });
    try {
      await Promise.race([work, aborted]);
    } finally {
      this.signal.removeEventListener('abort', onabort);
    }
  }
}

function closedError(fault: ChannelFault, method: string): AgentGateError {
  return new AgentGateError(fault.code, `server ${fault.text} before answering ${method}`);
}
