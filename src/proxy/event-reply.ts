import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../util/json.ts';
import { messageText } from './rpc.ts';

/** Bytes that wait for a client to read them; a notification beyond is dropped. */
const MAX_UNREAD = 8 * 1024 * 1024;
/** Milliseconds between two comments that keep an idle stream open. */
const KEEP_ALIVE_MS = 15_000;

/** A response that is a stream of events, one JSON-RPC message each. */
export class EventReply {
  private readonly response: ServerResponse;
  private readonly timer: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.timer = setInterval(() => this.write(':\n\n'), KEEP_ALIVE_MS).unref();
    response.on('close', () => clearInterval(this.timer));
  }

  /** A message that a client which does not read can do without. */
  notify(message: JsonObject): void {
    this.write(eventOf(message));
  }

  /** The last message; without one the stream only ends. */
  end(message?: JsonObject): void {
    clearInterval(this.timer);
    this.response.end(message === undefined ? undefined : eventOf(message));
  }

  private write(text: string): void {
    if (this.response.writable && this.response.writableLength <= MAX_UNREAD) this.response.write(text);
  }
}

function eventOf(message: JsonObject): string {
  return `event: message\ndata: ${messageText(message)}\n\n`;
}
