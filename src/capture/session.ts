import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';
import type { JsonProblem } from '../util/strict-json.ts';
import type { Channel, ChannelFault, Incoming } from './channel.ts';
import type { Deadline } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { MemoryPool, MemoryShare } from './memory.ts';

/** What a server said to a request of ours. */
export type Answer = { problems: JsonProblem[]; bytes: number; values: number; weight: number } & (
  | { ok: true; result: Json }
  | { ok: false; error: { code: number | undefined; message: string; data?: Json } }
);

export type ListName = 'tools' | 'prompts' | 'resources';

const LIST_CHANGED: ReadonlyMap<string, ListName> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

interface Pending {
  method: string;
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
  /**
   * Texts of answers that other clients may have dropped (dug out of a noisy line, or with further members), by id: a
   * later regular answer must say the same, or we would pin what they never saw.
   */
  private readonly irregular = new Map<string, string>();
  private nextId = 1;
  private messages = 0;
  private serverRequests = 0;
  private fault: ChannelFault | undefined;
  private readonly onabort = (): void => {
    for (const entry of [...this.pending.values()]) entry.fail(this.timeout(entry.method));
  };

  constructor(channel: Channel, deadline: Deadline, memory = new MemoryShare(new MemoryPool())) {
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
   * Sends a request and gives its answer, an error answer too. Throws `E_TIMEOUT` at the deadline, the channel's fault
   * (`E_SERVER_EXIT`, `E_TOO_LARGE`, …) when it closes, and what `send` throws when no answer came with it.
   */
  request(method: string, params: JsonObject, signal?: AbortSignal): Promise<Answer> {
    const id = this.nextId++;
    const key = String(id);
    return new Promise<Answer>((resolve, reject) => {
      const onabort = (): void => entry.fail(this.timeout(method));
      const done = (): void => {
        signal?.removeEventListener('abort', onabort);
        this.pending.delete(key);
      };
      const entry: Pending = {
        method,
        settle: (answer) => {
          done();
          resolve(answer);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      if (this.signal.aborted || signal?.aborted === true) return entry.fail(this.timeout(method));
      if (this.fault !== undefined) return entry.fail(closedError(this.fault, method));
      this.pending.set(key, entry);
      signal?.addEventListener('abort', onabort);
      this.channel.send({ jsonrpc: '2.0', id, method, params }).catch((error: unknown) => {
        // An answer that came with a refused request (HTTP 400) has settled it before.
        entry.fail(error instanceof AgentGateError ? error : new AgentGateError('E_PROTOCOL', String(error)));
      });
    });
  }

  /** Sends a notification. A channel that refuses it shows that at the next request. */
  async notify(method: string): Promise<void> {
    const sent = this.channel.send({ jsonrpc: '2.0', method }).catch(() => {});
    await this.raced(method, sent);
  }

  async close(): Promise<void> {
    this.signal.removeEventListener('abort', this.onabort);
    this.end({ code: 'E_SERVER_EXIT', text: 'was closed' });
    await this.channel.close().catch(() => {});
  }

  private receive(incoming: Incoming): void {
    if (this.fault !== undefined) return;
    if (++this.messages > LIMITS.messages) {
      this.end({ code: 'E_PROTOCOL', text: `sent more than ${LIMITS.messages} messages` });
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
      if (id === undefined) this.notified(method);
      else if (typeof id === 'string' || typeof id === 'number') this.answerServer(id, method);
    } else if (typeof id === 'string' || typeof id === 'number') this.answered(String(id), incoming);
  }

  private notified(method: string): void {
    const list = LIST_CHANGED.get(method);
    if (list !== undefined) this.changed.add(list);
  }

  private answerServer(id: string | number, method: string): void {
    if (++this.serverRequests > LIMITS.serverRequests) {
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
    const { message, problems, bytes, values, weight } = incoming;
    const size = { problems, bytes, values, weight };
    const entry = this.pending.get(key);
    if (entry === undefined) {
      const earlier = this.irregular.get(key);
      if (earlier !== undefined && isRegular(incoming) && earlier !== JSON.stringify(message))
        this.end({ code: 'E_PROTOCOL', text: 'gave two different answers to one request' });
      return;
    }
    if (!isRegular(incoming)) this.irregular.set(key, JSON.stringify(message));
    if (Object.hasOwn(message, 'result')) {
      entry.settle({ ok: true, result: own(message, 'result') as Json, ...size });
      return;
    }
    const error = own(message, 'error');
    if (isObject(error)) {
      const code = own(error, 'code');
      const text = own(error, 'message');
      const data = own(error, 'data');
      entry.settle({
        ok: false,
        error: {
          code: typeof code === 'number' ? code : undefined,
          message: typeof text === 'string' ? text : '',
          ...(data === undefined ? {} : { data }),
        },
        ...size,
      });
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

  private timeout(method: string): AgentGateError {
    const reason: unknown = this.signal.reason;
    if (reason instanceof AgentGateError) return reason;
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

/** JSON-RPC clients drop an answer with members of their own making. */
function isRegular({ message, recovered }: Incoming): boolean {
  return recovered !== true && Object.keys(message).length === 3;
}

function closedError(fault: ChannelFault, method: string): AgentGateError {
  return new AgentGateError(fault.code, `server ${fault.text} before answering ${method}`);
}

/** A copy of `params` with `key` set, whatever the key is called. */
export function withMember(params: JsonObject, key: string, value: Json): JsonObject {
  const copy: JsonObject = { ...params };
  setOwn(copy, key, value);
  return copy;
}
