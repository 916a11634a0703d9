import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, own } from '../util/json.ts';
import type { ChannelFault, Incoming } from './channel.ts';
import { proxyNote } from './env-proxy.ts';
import { EventStreamReader } from './event-stream.ts';
import { LIMITS } from './limits.ts';
import { TOO_MUCH } from './memory.ts';
import { readMessages } from './message.ts';

/** The server answered with an HTTP error. */
export class HttpStatusError extends AgentGateError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(status === 401 || status === 403 ? 'E_AUTH' : 'E_HTTP', message);
    this.status = status;
  }
}

export interface TapOptions {
  transport: 'http' | 'sse';
  /** The server's URL. */
  url: URL;
  /** Sent to the server's own origin only. */
  headers: ReadonlyMap<string, string>;
  /** True when an authorization provider will deal with 401 and 403. */
  authorizes: boolean;
  onmessage: (incoming: Incoming) => void;
  /** What breaks the connection for good. */
  onfault: (fault: ChannelFault) => void;
  /** A stream of events has ended that was opened by GET. */
  onstreamend: () => void;
  /** Told the bytes of the message that is not whole yet; false when there is no memory for it. */
  hold: (bytes: number) => boolean;
  /** Text that should have been a message. */
  onnoise: (text: string) => void;
  /** The sum of what the server may say has no end; each message has. */
  lasting: boolean;
  /** The last HTTP error or connection error, for callers that get a poorer one. */
  onerror: (error: AgentGateError) => void;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that reads along. The SDK's transports drop unknown fields and what their schema does not like; here the
 * bodies are read as they came, strictly and bounded, and the messages handed over before the transport sees them.
 * HTTP errors, redirects to another origin and failed connections become `AgentGateError`s (`E_HTTP`, `E_AUTH`,
 * `E_REDIRECT`, `E_CONNECT`, `E_TOO_LARGE`, `E_UNPINNABLE`).
 */
export function tapFetch(options: TapOptions): Fetch {
  let total = 0;
  const count = (bytes: number): void => {
    total += bytes;
    if (total > LIMITS.connectionBytes && !options.lasting)
      throw fail('E_TOO_LARGE', tooLarge('more than', LIMITS.connectionBytes));
  };
  const fail = (code: string, text: string): AgentGateError => {
    options.onfault({ code, text });
    return note(new AgentGateError(code, `server ${text}`));
  };
  const note = (error: AgentGateError): AgentGateError => {
    options.onerror(error);
    return error;
  };

  return async (input, init) => {
    const url = new URL(input);
    const method = (init?.method ?? 'GET').toUpperCase();
    const headers = new Headers(init?.headers);
    const isMessage = method === 'POST' && mediaType(headers) === 'application/json';
    const isRequest = isMessage && options.transport === 'http' && asksForAnswer(init?.body);
    if (url.origin === options.url.origin)
      for (const [name, value] of options.headers) if (!headers.has(name)) headers.set(name, value);

    let response: Response;
    try {
      response = await fetch(url, { ...init, headers, redirect: 'manual' });
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      throw note(connectError(url, error));
    }
    checkRedirect(url, response, note);
    if (response.ok && mediaType(response.headers) === 'text/event-stream')
      return tapEvents(response, method === 'GET', options, count, fail);

    const body = await readBody(response, count, options, fail);
    const denied = response.status === 401 || response.status === 403;
    if (isRequest && !denied) readBodyMessages(body, response, options, fail);
    if (response.status >= 400 && url.origin === options.url.origin) {
      const error = note(statusError(response.status, body));
      if (isMessage && !(denied && options.authorizes)) throw error;
    }
    return rebuilt(response, body.length > 0 && response.status >= 200 ? body : null);
  };
}

function checkRedirect(url: URL, response: Response, note: (error: AgentGateError) => AgentGateError): void {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || location === null) return;
  if (!URL.canParse(location, url.href)) return;
  const target = new URL(location, url);
  if (target.origin === url.origin) return;
  throw note(
    new AgentGateError(
      'E_REDIRECT',
      `server redirects to another origin (${visibleLine(target.origin)}), which is not followed; if that is the right server, put its URL in the config`,
    ),
  );
}

async function readBody(
  response: Response,
  count: (bytes: number) => void,
  options: TapOptions,
  fail: (code: string, text: string) => AgentGateError,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null) {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += part.length;
      count(part.length);
      if (length > LIMITS.messageBytes)
        throw fail('E_TOO_LARGE', tooLarge('an answer of more than', LIMITS.messageBytes));
      if (!options.hold(length)) throw fail('E_TOO_LARGE', TOO_MUCH);
      parts.push(part);
    }
  }
  options.hold(0);
  return new Uint8Array(Buffer.concat(parts));
}

/** Only the response to a request carries messages; in HTTP+SSE they come by the stream alone. */
function asksForAnswer(body: unknown): boolean {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return isObject(message) && own(message, 'method') !== undefined && own(message, 'id') !== undefined;
}

/** Takes what clients would take: JSON, and of an HTTP error no result. */
function readBodyMessages(
  body: Uint8Array,
  response: Response,
  options: TapOptions,
  fail: (code: string, text: string) => AgentGateError,
): void {
  if (mediaType(response.headers) !== 'application/json') return;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    if (response.ok) throw fail('E_UNPINNABLE', 'sent a message that is not valid UTF-8');
    return;
  }
  const messages = readMessages(text, { batch: true });
  if (messages.length === 0 && text.trim() !== '') options.onnoise(text);
  refuseTooMany(messages, fail);
  for (const incoming of messages)
    if (response.ok || !Object.hasOwn(incoming.message, 'result')) options.onmessage(incoming);
}

function tapEvents(
  response: Response,
  isGet: boolean,
  options: TapOptions,
  count: (bytes: number) => void,
  fail: (code: string, text: string) => AgentGateError,
): Response {
  const reader = new EventStreamReader(LIMITS.messageBytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = (chunk: Uint8Array): void => {
    count(chunk.length);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      throw fail('E_UNPINNABLE', 'sent events that are not valid UTF-8');
    }
    const events = reader.push(text);
    if (events === undefined)
      throw fail('E_TOO_LARGE', tooLarge('an event of more than', LIMITS.messageBytes));
    if (!options.hold(reader.partial)) throw fail('E_TOO_LARGE', TOO_MUCH);
    for (const event of events) {
      const messages = readMessages(event, { batch: true });
      refuseTooMany(messages, fail);
      if (messages.length === 0) options.onnoise(event);
      for (const incoming of messages) options.onmessage(incoming);
    }
  };
  const tapped = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        read(chunk);
        controller.enqueue(chunk);
      },
      flush: () => {
        if (isGet) options.onstreamend();
      },
    }),
  );
  return rebuilt(response, tapped ?? null);
}

/** Before the SDK's transport would parse it as well. */
function refuseTooMany(messages: Incoming[], fail: (code: string, text: string) => AgentGateError): void {
  if (messages.some((incoming) => incoming.tooManyValues === true))
    throw fail('E_TOO_LARGE', `sent a message of more than ${LIMITS.values} values`);
}

function rebuilt(response: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  // The EventSource library checks where a response came from.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

function statusError(status: number, body: Uint8Array): HttpStatusError {
  if (status === 401)
    return new HttpStatusError(
      401,
      'authorization required (HTTP 401): give the server an "Authorization" header in its config entry, with the token from a variable, or client credentials under "oauth"',
    );
  if (status === 403)
    return new HttpStatusError(
      403,
      'server refuses the credentials (HTTP 403): check that the token in its config entry is right and may list tools',
    );
  const said = new TextDecoder().decode(body.subarray(0, 1_000)).trim();
  const shown = said === '' || said.startsWith('<') ? '' : `: ${visibleLine(said.slice(0, 200))}`;
  return new HttpStatusError(status, `server answered with HTTP ${status}${shown}`);
}

function connectError(url: URL, error: unknown): AgentGateError {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const reason = [cause, error].find((one) => one instanceof Error) as
    | (Error & { code?: unknown })
    | undefined;
  const why = typeof reason?.code === 'string' ? reason.code : (reason?.message ?? String(error));
  return new AgentGateError(
    'E_CONNECT',
    `could not connect to ${url.host}: ${visibleLine(why.slice(0, 200))}${proxyNote(url)}`,
  );
}

function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function tooLarge(what: string, bytes: number): string {
  return `sent ${what} ${bytes / 1024 / 1024} MiB`;
}
