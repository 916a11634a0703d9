// A stdio server that does one thing wrong: `node bad-server.mjs MODE`.
import { createInterface } from 'node:readline';

const mode = process.argv[2];
if (mode === 'exits') {
  process.stderr.write('fatal: no licence file\n');
  process.exit(3);
}
if (mode === 'prints') {
  process.stdout.write('Welcome to the server!\nIt is listening on nothing.\n');
  setInterval(() => {}, 1000);
} else if (mode === 'floods') {
  const chunk = 'x'.repeat(1 << 20);
  const more = () => process.stdout.write(chunk, more);
  more();
} else if (mode === 'hangs') setInterval(() => {}, 1000);
else
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
    const tool = { name: 'a', inputSchema: { type: 'object' } };
    if (method === 'initialize') {
      const serverInfo = { name: 'bad', version: '1' };
      answer({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
    } else if (method !== 'tools/list') answer({ error: { code: -32601, message: 'Method not found' } });
    else if (mode === 'loops') answer({ result: { tools: [tool], nextCursor: 'again' } });
    else if (mode === 'errs') answer({ error: { code: -32603, message: 'the database is away' } });
    else if (mode === 'doubles') answer({ result: { tools: [tool, tool] } });
    else if (mode === 'nameless') answer({ result: { tools: [{ ...tool, name: undefined }] } });
    else answer({ result: { tools: [tool] } });
  });
