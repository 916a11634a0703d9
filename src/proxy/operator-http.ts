import { LEGACY_VERSIONS } from '../capture/handshake.ts';
import { type Authorized, type Listen, listenHttp, postedText, type Served } from './http-listener.ts';
import type { OperatorRouter } from './operator-router.ts';

/** Serves the operator's side: one POST is one message, answered with JSON. Every request must bear the secret. */
export async function serveOperatorHttp(
  router: OperatorRouter,
  listen: Listen,
  authorized: Authorized,
): Promise<Served> {
  return await listenHttp(listen, authorized, async (exchange) => {
    const { request, end, refuse } = exchange;
    if (request.method !== 'POST') return refuse(405, 'only POST is answered here', { allow: 'POST' });
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !LEGACY_VERSIONS.includes(String(version)))
      return refuse(400, 'this revision of MCP is not spoken here; begin with initialize');
    const text = await postedText(exchange);
    if (text === undefined) return;
    const message = await router.receive(text);
    if (message === undefined) end(202);
    else end(200, message);
  });
}
