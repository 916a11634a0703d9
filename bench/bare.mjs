// What a script without any of our work does: start all servers of a config at once, ask for all four lists, end. `node bare.mjs DIR`
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import readline from 'node:readline';

const LISTS = ['tools', 'prompts', 'resources', 'resources/templates'];
const dir = process.argv[2];
const { mcpServers } = JSON.parse(readFileSync(join(dir, '.mcp.json'), 'utf8'));

function list({ command, args }) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: dir, stdio: ['pipe', 'pipe', 'ignore'] });
    child.on('error', fail);
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'bare', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    let count = 0;
    let open = LISTS.length;
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        return;
      }
      if (message.id === 1) {
        send({ method: 'notifications/initialized' });
        for (const [index, list] of LISTS.entries()) send({ id: index + 2, method: `${list}/list` });
      } else if (message.id >= 2) {
        if (message.id === 2) count = message.result.tools.length;
        if (--open === 0) child.stdin.end();
      }
    });
    child.on('exit', () => done(count));
  });
}

const counts = await Promise.all(Object.values(mcpServers).map(list));
console.log(counts.reduce((sum, count) => sum + count, 0));
