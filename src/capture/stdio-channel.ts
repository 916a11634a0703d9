import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import type { Channel, ChannelFault, Incoming } from './channel.ts';
import { LIMITS } from './limits.ts';
import { type Line, LineReader } from './line-reader.ts';
import { type MemoryShare, TOO_MUCH } from './memory.ts';
import { readMessages } from './message.ts';
import { NoiseLog } from './noise-log.ts';
import type { ServerProcess } from './process-types.ts';

/** How long output that is on its way may still come after the process has ended, in milliseconds. */
const DRAIN_MS = 500;

/**
 * JSON-RPC over a process's standard streams, one message a line (MCP, transports, stdio). Whatever else a server
 * writes there is kept as noise. A message with invalid UTF-8 closes the channel: its text is not known.
 */
export class StdioChannel implements Channel {
  readonly transport = 'stdio';
  onmessage: (incoming: Incoming) => void = () => {};
  onclose: (fault: ChannelFault) => void = () => {};

  private readonly process: ServerProcess;
  private readonly memory: MemoryShare | undefined;
  private readonly reader: LineReader;
  private readonly log = new NoiseLog();
  private closed = false;
  private outputEnded: () => void = () => {};

  /** With `lasting`, the sum of what the server may say has no end; each message has. */
  constructor(process: ServerProcess, memory?: MemoryShare, lasting = false) {
    this.process = process;
    this.memory = memory;
    this.reader = new LineReader({
      lineBytes: LIMITS.messageBytes,
      totalBytes: lasting ? Number.POSITIVE_INFINITY : LIMITS.connectionBytes,
    });
  }

  async open(): Promise<void> {
    const { stdout, stdin, exited } = this.process;
    const ended = new Promise<void>((resolve) => {
      this.outputEnded = resolve;
    });
    stdout.on('data', this.read);
    stdout.on('end', this.readRest);
    stdout.on('close', this.outputEnded);
    stdout.on('error', this.outputEnded);
    // A write to a server that is gone fails with EPIPE; how it ended says more.
    stdin.on('error', () => {});
    void this.watch(exited, ended);
  }

  async send(message: JsonObject): Promise<void> {
    if (this.closed) throw new AgentGateError('E_SERVER_EXIT', 'the connection to the server is closed');
    if (this.process.stdin.writable) this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  agreed(): void {}

  /** Stops or goes on reading: a server whose answers nobody takes is held up by the full pipe. */
  hold(held: boolean): void {
    if (held) this.process.stdout.pause();
    else this.process.stdout.resume();
  }

  async close(): Promise<void> {
    this.closed = true;
    const { stdout } = this.process;
    stdout.off('data', this.read);
    stdout.off('end', this.readRest);
    // Keeps flowing, so that a server that still writes is not stopped by a full pipe.
    stdout.resume();
    this.outputEnded();
  }

  noise(): string[] {
    return this.log.lines();
  }

  private async watch(exited: ServerProcess['exited'], ended: Promise<void>): Promise<void> {
    await Promise.race([exited, ended]);
    // The one is news of the other: a moment for both, but something that it started may hold the pipe open.
    const [end] = await Promise.all([within(DRAIN_MS, exited), within(DRAIN_MS, ended)]);
    if (end === undefined) this.fail({ code: 'E_SERVER_EXIT', text: 'closed its standard output' });
    else this.fail(end.error === undefined ? exitFault(end.code, end.signal) : spawnFault(end.error));
  }

  private readonly read = (chunk: Buffer): void => {
    const { lines, fault } = this.reader.push(chunk);
    for (const line of lines) this.take(line);
    if (fault !== undefined) this.fail(fault);
    else if (!this.closed && this.memory?.holdPartial(this.reader.partial) === false)
      this.fail({ code: 'E_TOO_LARGE', text: TOO_MUCH });
  };

  private readonly readRest = (): void => {
    for (const line of this.reader.end()) this.take(line);
    this.outputEnded();
  };

  private take(line: Line): void {
    if (this.closed) return;
    const messages = readMessages(line.text, { recover: true });
    if (messages.length === 0) this.log.add(line.text);
    else if (!line.validUtf8)
      this.fail({ code: 'E_UNPINNABLE', text: 'sent a message that is not valid UTF-8' });
    else for (const incoming of messages) this.onmessage(incoming);
  }

  private fail(fault: ChannelFault): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose(fault);
  }
}

function exitFault(code: number | null, signal: NodeJS.Signals | null): ChannelFault {
  const how = signal !== null ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`;
  return { code: 'E_SERVER_EXIT', text: how };
}

function spawnFault(error: Error): ChannelFault {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT')
    return { code: 'E_SPAWN', text: 'could not be started: its command is not installed or not on PATH' };
  return { code: 'E_SPAWN', text: `could not be started: ${error.message}` };
}

async function within<T>(ms: number, done: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}
