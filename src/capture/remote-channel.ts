import type {
  JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { ResolvedRemote } from '../config/types.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { type JsonObject, own } from '../util/json.ts';
import type { Channel, ChannelFault, Incoming, SendOptions } from './channel.ts';
import type { Credentials } from './client-credentials.ts';
import { heedProxyVariables } from './env-proxy.ts';
import { tapFetch } from './http-tap.ts';
import type { MemoryShare } from './memory.ts';
import { NoiseLog } from './noise-log.ts';

/** How long the goodbye to a server may take, in milliseconds. */
const GOODBYE_MS = 2_000;

/**
 * JSON-RPC over Streamable HTTP or HTTP+SSE by the SDK's transports: they know sessions, resumption and authorization.
 * What the server says is read beside them, see {@link tapFetch}. Never opens a browser: authorization is by headers or
 * client credentials.
 */
export class RemoteChannel implements Channel {
  readonly transport: 'http' | 'sse';
  onmessage: (incoming: Incoming) => void = () => {};
  onclose: (fault: ChannelFault) => void = () => {};

  private readonly credentials: Credentials | undefined;
  private readonly memory: MemoryShare | undefined;
  private readonly lasting: boolean;
  private readonly url: URL;
  private readonly headers: ReadonlyMap<string, string>;
  private readonly log = new NoiseLog();
  private http: StreamableHTTPClientTransport | undefined;
  private sse: SSEClientTransport | undefined;
  private sdk: typeof import('@modelcontextprotocol/client') | undefined;
  private lastError: AgentGateError | undefined;
  private closed = false;

  /** Throws `E_CONFIG` for a URL or a header that cannot be sent; the header's value is not shown. */
  constructor(
    transport: 'http' | 'sse',
    launch: ResolvedRemote,
    credentials?: Credentials,
    memory?: MemoryShare,
    lasting = false,
  ) {
    this.transport = transport;
    this.lasting = lasting;
    this.credentials = credentials;
    this.memory = memory;
    const { url, headers } = remoteTarget(launch);
    this.url = url;
    this.headers = headers;
  }

  async open(): Promise<void> {
    heedProxyVariables();
    // Loaded when first needed: it takes longer to load than a local server to list.
    const sdk = await import('@modelcontextprotocol/client');
    this.sdk = sdk;
    const authProvider = this.credentials?.(sdk);
    const fetch = tapFetch({
      transport: this.transport,
      url: this.url,
      headers: this.headers,
      authorizes: authProvider !== undefined,
      lasting: this.lasting,
      onmessage: (incoming) => {
        if (!this.closed) this.onmessage(incoming);
      },
      onfault: (fault) => this.fail(fault),
      onstreamend: () => {
        if (this.transport === 'sse') this.fail({ code: 'E_SERVER_EXIT', text: 'closed its event stream' });
      },
      onnoise: (text) => this.log.add(text),
      hold: (bytes) => this.memory?.holdPartial(bytes) ?? true,
      onerror: (error) => {
        this.lastError = error;
      },
    });
    const options = { fetch, ...(authProvider === undefined ? {} : { authProvider }) };
    const transport =
      this.transport === 'http'
        ? new sdk.StreamableHTTPClientTransport(this.url, options)
        : new sdk.SSEClientTransport(this.url, options);
    if (transport instanceof sdk.SSEClientTransport) this.sse = transport;
    else this.http = transport;
    transport.onmessage = () => {};
    transport.onerror = () => {};
    try {
      await transport.start();
    } catch (error) {
      throw this.explained(error);
    }
  }

  async send(message: JsonObject, options: SendOptions = {}): Promise<void> {
    const outgoing = message as unknown as JSONRPCMessage;
    this.lastError = undefined;
    try {
      if (this.sse !== undefined) await this.sse.send(outgoing);
      else if (this.http !== undefined) await this.sendHttp(this.http, message, outgoing, options);
      else throw new AgentGateError('E_INTERNAL', 'the connection was not opened');
    } catch (error) {
      throw this.explained(error);
    }
  }

  agreed(protocolVersion: string): void {
    // The 2026 revision says it in each request, from where the transport takes it.
    (this.sse ?? this.http)?.setProtocolVersion(protocolVersion);
  }

  async close(): Promise<void> {
    this.closed = true;
    const { http, sse } = this;
    if (http?.sessionId !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, GOODBYE_MS);
      });
      await Promise.race([http.terminateSession().catch(() => {}), late]);
      clearTimeout(timer);
    }
    await (sse ?? http)?.close();
  }

  noise(): string[] {
    return this.log.lines();
  }

  /** A request's stream that ends for good without an answer rejects; one that is answered leaves this pending. */
  private async sendHttp(
    http: StreamableHTTPClientTransport,
    message: JsonObject,
    outgoing: JSONRPCMessage,
    { signal, headers }: SendOptions,
  ): Promise<void> {
    const method = own(message, 'method');
    if (method === undefined || own(message, 'id') === undefined) return await http.send(outgoing);
    await new Promise<void>((_, reject) => {
      const onRequestStreamEnd = (): void =>
        reject(
          new AgentGateError('E_PROTOCOL', `server ended its answer to ${String(method)} without a result`),
        );
      const more = {
        ...(signal === undefined ? {} : { requestSignal: signal }),
        ...(headers === undefined ? {} : { headers }),
      };
      http.send(outgoing, { onRequestStreamEnd, ...more }).catch(reject);
    });
  }

  private fail(fault: ChannelFault): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose(fault);
  }

  /** The tap's error tells more than what the SDK makes of it. */
  private explained(error: unknown): AgentGateError {
    if (error instanceof AgentGateError) return error;
    const { lastError } = this;
    const text = visibleLine(messageOf(error).slice(0, 300));
    if (
      this.credentials !== undefined &&
      (lastError === undefined || lastError.code === 'E_AUTH') &&
      !this.isSdkError(error)
    )
      return new AgentGateError(
        'E_AUTH',
        `authorization by client credentials failed: ${text}; check clientId, clientSecret and issuer of the entry's "oauth"`,
      );
    return lastError ?? new AgentGateError('E_PROTOCOL', `connection failed: ${text}`);
  }

  /** An error of the SDK's transport, not of its authorization. */
  private isSdkError(error: unknown): boolean {
    return (
      this.sdk !== undefined &&
      error instanceof this.sdk.SdkError &&
      !(error instanceof this.sdk.SdkHttpError)
    );
  }
}

/** User-info in the URL becomes an `Authorization` header, which `fetch` wants. */
function remoteTarget(launch: ResolvedRemote): { url: URL; headers: Map<string, string> } {
  if (!URL.canParse(launch.url))
    throw new AgentGateError('E_CONFIG', `the server's URL is no valid URL; correct it in the config`);
  const url = new URL(launch.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AgentGateError(
      'E_CONFIG',
      `the server's URL begins with ${url.protocol}, not with http: or https:`,
    );
  const headers = new Map<string, string>();
  for (const [name, value] of launch.headers) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new AgentGateError(
        'E_CONFIG',
        `the header ${JSON.stringify(name)} cannot be sent; look for line breaks in its name or value`,
      );
    }
    headers.set(name.toLowerCase(), value);
  }
  if (url.username !== '' || url.password !== '') {
    const basic = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    if (!headers.has('authorization'))
      headers.set('authorization', `Basic ${Buffer.from(basic).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  return { url, headers };
}
