import type { Readable, Writable } from 'node:stream';
import { LIMITS } from '../capture/limits.ts';
import { LineReader } from '../capture/line-reader.ts';
import type { JsonObject } from '../util/json.ts';
import { AgentSession, type GatewayOrError } from './agent-session.ts';
import { errorMessage, messageText, RPC, RpcError } from './rpc.ts';

/** Requests, and bytes of them, that are worked on at once; the client's further ones stay unread. */
const MAX_OPEN = 1_000;
const MAX_OPEN_BYTES = 64 * 1024 * 1024;
/** Bytes that wait for the client to read them; from there on nothing more is asked or taken for it. */
const MAX_UNREAD = 8 * 1024 * 1024;

/**
 * Serves one client over standard streams, one message a line, until its input ends. What was asked before is still
 * answered. A client that does not read its answers holds up its own requests and the server, and takes no memory.
 */
export async function serveStdio(
  started: Promise<GatewayOrError>,
  input: Readable,
  output: Writable,
): Promise<void> {
  const reader = new LineReader({ lineBytes: LIMITS.messageBytes, totalBytes: Number.POSITIVE_INFINITY });
  const client = new ClientOutput(started, output);
  const session = new AgentSession(started, (message) => client.notify(message));
  const open = new Set<Promise<void>>();
  let openBytes = 0;
  const take = async (line: { text: string; bytes: number; validUtf8: boolean }): Promise<void> => {
    if (!line.validUtf8) {
      client.write(errorMessage(null, new RpcError(RPC.parse, 'the message is not valid UTF-8')));
      return;
    }
    openBytes += line.bytes;
    const answered = session.receive(line.text).then((answer) => {
      if (answer !== undefined) client.write(answer);
      openBytes -= line.bytes;
      open.delete(answered);
    });
    open.add(answered);
    while (open.size >= MAX_OPEN || openBytes > MAX_OPEN_BYTES) await Promise.race(open);
    await client.drained();
  };
  try {
    for await (const chunk of input) {
      const { lines, fault } = reader.push(Buffer.from(chunk));
      for (const line of lines) await take(line);
      if (fault === undefined) continue;
      client.write(errorMessage(null, new RpcError(RPC.request, `the client ${fault.text}`)));
      break;
    }
  } catch {
    // As an end of input.
  }
  for (const line of reader.end()) await take(line);
  session.endStreams();
  await Promise.allSettled(open);
  session.end();
}

/** What a client is sent, with what it has not read yet bounded. */
class ClientOutput {
  private readonly started: Promise<GatewayOrError>;
  private readonly output: Writable;
  private gone = false;
  private draining: Promise<void> | undefined;

  constructor(started: Promise<GatewayOrError>, output: Writable) {
    this.started = started;
    this.output = output;
    // A client that is gone cannot be written to; its input ends as well.
    output.on('error', () => {
      this.gone = true;
    });
  }

  write(message: JsonObject): void {
    if (this.gone) return;
    this.output.write(`${messageText(message)}\n`);
    if (this.output.writableLength > MAX_UNREAD) this.draining ??= this.drain();
  }

  /** What a client that does not read can do without. */
  notify(message: JsonObject): void {
    if (this.output.writableLength <= MAX_UNREAD) this.write(message);
  }

  async drained(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    await this.hold(true);
    await new Promise<void>((done) => {
      for (const event of ['drain', 'error', 'close']) this.output.once(event, () => done());
      if (!this.output.writableNeedDrain) done();
    });
    this.draining = undefined;
    await this.hold(false);
  }

  private async hold(held: boolean): Promise<void> {
    const opened = await this.started;
    if ('gateway' in opened) opened.gateway.upstream.hold(held);
  }
}
