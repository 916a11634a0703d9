import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const NODE_24 = join(root, 'node_modules/node/bin/node');
/** The command line that writes locks for tests: from source until a bundle is named. */
const CLI = resolve(root, process.env.AGENTGATE_CLI ?? 'src/cli/index.ts');

/** A real server in the repository, its config and its lock. `say` is the description of its one tool. */
export function serverFiles(say: string, more = ''): Record<string, string> {
  return {
    '.mcp.json': `${JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['server.mjs'] } } }, null, 2)}\n`,
    'server.mjs': serverSource(say, more),
  };
}

/** What `agentgate lock` writes for these files. */
export function lockOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentgate-lock-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const node = existsSync(NODE_24) ? NODE_24 : process.execPath;
  execFileSync(node, [CLI, 'lock', '--yes'], { cwd: folder, stdio: 'pipe', timeout: 45_000 });
  return readFileSync(join(folder, 'agentgate.lock'), 'utf8');
}

/** `more` is code that runs before the first message; `say` may be changed by it. */
function serverSource(say: string, more: string): string {
  return `import { createInterface } from 'node:readline';
let say = ${JSON.stringify(say)};
${more}
const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'list_notes', description: say, inputSchema: { type: 'object' } }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const reply = results[method]
    ? { result: results[method]() }
    : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...reply }) + '\\n');
}
`;
}
