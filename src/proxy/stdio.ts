import type { Readable, Writable } from 'node:stream';
import { LIMITS } from '../capture/limits.ts';
import { LineReader } from '../capture/line-reader.ts';
import type { JsonObject } from '../util/json.ts';
import type { AgentRouter } from './router.ts';
import { errorMessage, RPC, RpcError } from './rpc.ts';

/**
 * Serves one client over standard streams, one message a line, until its input ends. What was asked before is still
 * answered.
 */
export async function serveStdio(router: AgentRouter, input: Readable, output: Writable): Promise<void> {
  const reader = new LineReader({ lineBytes: LIMITS.messageBytes, totalBytes: Number.MAX_SAFE_INTEGER });
  const write = (message: JsonObject): void => {
    output.write(`${JSON.stringify(message)}\n`);
  };
  router.onnotification = write;
  const open = new Set<Promise<void>>();
  const take = (text: string, validUtf8: boolean): void => {
    if (!validUtf8) {
      write(errorMessage(null, new RpcError(RPC.parse, 'the message is not valid UTF-8')));
      return;
    }
    const answered = router.receive(text).then((answer) => {
      if (answer !== undefined) write(answer);
    });
    open.add(answered);
    void answered.finally(() => open.delete(answered));
  };
  // A client that is gone cannot be written to; its input ends as well.
  output.on('error', () => {});
  try {
    for await (const chunk of input) {
      const { lines, fault } = reader.push(Buffer.from(chunk));
      for (const line of lines) take(line.text, line.validUtf8);
      if (fault === undefined) continue;
      write(errorMessage(null, new RpcError(RPC.request, `the client ${fault.text}`)));
      break;
    }
  } catch {
    // As an end of input.
  }
  for (const line of reader.end()) take(line.text, line.validUtf8);
  await Promise.allSettled(open);
}
