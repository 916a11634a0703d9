/** An MCP server with one tool, `query`, that gives its SQL to psql as it is. */
import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';

const [psql, ...connection] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const query = {
  name: 'query',
  description: 'Runs one SQL statement.',
  inputSchema: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'psql', version: '1' },
      },
    });
  else if (method === 'tools/list') send({ id, result: { tools: [query] } });
  else if (method === 'tools/call')
    execFile(
      psql,
      [...connection, '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', params.arguments.sql],
      (error, stdout, stderr) =>
        send({ id, result: { content: [{ type: 'text', text: stdout + stderr }], isError: error !== null } }),
    );
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
