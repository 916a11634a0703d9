// Calls one tool as an agent would, through what .mcp.json names: node call.mjs SERVER TOOL [NAME=TEXT …]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [server, tool, ...words] = process.argv.slice(2);
const args = Object.fromEntries(words.map((word) => /^([^=]+)=(.*)$/s.exec(word).slice(1)));
const declared = JSON.parse(readFileSync('.mcp.json', 'utf8')).mcpServers[server];
const child = spawn(declared.command, declared.args, { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function ask(id, method, params) {
  send({ id, method, params });
  for (;;) {
    const { value, done } = await answers.next();
    if (done) throw new Error('the server ended');
    const message = JSON.parse(value);
    if (message.id === id) return message.result ?? message.error;
  }
}

await ask(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'example', version: '1.0.0' },
});
send({ method: 'notifications/initialized' });
await ask(2, 'tools/list', {});
const answer = await ask(3, 'tools/call', { name: tool, arguments: args });
console.log(answer.content?.map(({ text }) => text).join('\n') ?? answer.message);
child.stdin.end();
