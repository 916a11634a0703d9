// A stdio MCP server for measurements: `node server.mjs TOOLS [DELAY_MS]`.
import readline from 'node:readline';

const count = Number(process.argv[2] ?? 10);
const delay = Number(process.argv[3] ?? 0);
const tools = Array.from({ length: count }, (_, index) => ({
  name: `tool_${index}`,
  description: `Tool number ${index}. ${'It does one thing and says so plainly. '.repeat(4)}`,
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'A path.' }, limit: { type: 'integer', minimum: 1 } },
    required: ['path'],
  },
}));
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  if (method === 'initialize') {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1.0.0' },
    };
    setTimeout(() => answer({ result }), delay);
  } else if (method === 'tools/list') answer({ result: { tools } });
  else if (method === 'tools/call')
    answer({ result: { content: [{ type: 'text', text: `called ${params.name}` }] } });
  else answer({ error: { code: -32601, message: 'Method not found' } });
});
