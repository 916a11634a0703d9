/**
 * An MCP server that does what a file says, read anew at each request: what it lists, in which pages, and how its calls
 * end. Each call that reaches it is a line of the record file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [steering, record] = process.argv.slice(2);
const steer = () => JSON.parse(readFileSync(steering, 'utf8'));
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const methods = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
    serverInfo: { name: 'steered', version: '1' },
    ...(steer().instructions === undefined ? {} : { instructions: steer().instructions }),
  }),
  'tools/list': (params) => {
    const pages = steer().pages;
    const at = Number(params?.cursor ?? 0);
    const page = { tools: pages[at] };
    return at + 1 < pages.length ? { ...page, nextCursor: String(at + 1) } : page;
  },
  'prompts/list': () => ({ prompts: steer().prompts ?? [] }),
  'resources/list': () => ({ resources: steer().resources ?? [] }),
  'resources/templates/list': () => ({ resourceTemplates: steer().templates ?? [] }),
  'prompts/get': (params) => ({ messages: [{ role: 'user', content: { type: 'text', text: params.name } }] }),
  'resources/read': (params) => ({ contents: [{ uri: params.uri, text: 'content' }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call') {
    appendFileSync(record, `${line}\n`);
    const { onCall } = steer();
    if (onCall === 'die') process.exit(3);
    if (onCall === 'hang') return;
    if (onCall === 'error') return send({ id, error: { code: -32000, message: 'no' } });
    send({
      id,
      result: {
        content: [{ type: 'text', text: JSON.stringify(params) }],
        ...(onCall === 'isError' ? { isError: true } : {}),
      },
    });
    if (onCall === 'changed') send({ method: 'notifications/tools/list_changed' });
    return;
  }
  const answer = methods[method];
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } });
  const slow = steer().slow ?? 0;
  setTimeout(() => send({ id, result: answer(params) }), method === 'tools/list' ? slow : 0);
});
