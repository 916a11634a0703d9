/**
 * An MCP server with one tool, `act`, whose argument `nth` names one member of an answer in a file (a JSON array of texts),
 * written as it is. Each call that reaches it is a line of the record file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [record, answers] = process.argv.slice(2);
const write = (id, member) => process.stdout.write(`{"jsonrpc":"2.0","id":${id},${member}}\n`);
const act = {
  name: 'act',
  description: 'Acts.',
  inputSchema: { type: 'object', additionalProperties: true },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'answering', version: '1' };
    return write(
      id,
      `"result":${JSON.stringify({ protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo })}`,
    );
  }
  if (method === 'tools/list') return write(id, `"result":${JSON.stringify({ tools: [act] })}`);
  if (method !== 'tools/call') return write(id, '"error":{"code":-32601,"message":"Method not found"}');
  appendFileSync(record, `${line}\n`);
  write(id, JSON.parse(readFileSync(answers, 'utf8'))[params.arguments.nth]);
});
