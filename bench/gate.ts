import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ledger } from '../src/gate/ledger/ledger.ts';
import { type Row, row, run } from './measure.ts';

const here = import.meta.dirname;
const cli = join(here, '..', 'dist', 'cli', 'index.js');
const CALLS = 400;
const APPENDS = 4_000;
/** Appends that wait at once, as those of calls that run side by side. */
const TOGETHER = 64;

/** A call of tier 0 through the proxy against the same call without it, in one run; appends to the ledger. */
export async function gateRows(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-bench-'));
  try {
    return [...(await latencyRows(dir)), await appendRow(dir)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function latencyRows(dir: string): Promise<Row[]> {
  const server = [join(here, 'server.mjs'), '10'];
  writeFileSync(
    join(dir, '.mcp.json'),
    JSON.stringify({ mcpServers: { s: { command: process.execPath, args: server } } }),
  );
  writeFileSync(
    join(dir, 'agentgate.yml'),
    'version: 1\ngate: { tiers: { s: { tool_0: 0, tool_1: { sql: path, dialect: postgresql } } } }\n',
  );
  const options = ['--isolation', 'none'];
  const env = { PATH: process.env.PATH, HOME: dir };
  const locked = run(process.execPath, [cli, 'lock', '--yes', ...options], { cwd: dir, env });
  if (locked.status !== 0) throw new Error(`agentgate lock ended with ${locked.status}: ${locked.stdout}`);
  const direct = connect(dir, env, server);
  const proxied = connect(dir, env, [cli, 'proxy', '--server', 's', ...options]);
  try {
    await Promise.all([direct.begin(), proxied.begin()]);
    const added = async (name: string, path: string): Promise<number> => {
      const times = { direct: [] as number[], proxied: [] as number[] };
      // In turn, so that a drift of the machine's speed hits both.
      for (let index = -20; index < CALLS; index++) {
        const args = { path: path.replace('#', String(index + 1_000)) };
        const [without, through] = [await direct.call(name, args), await proxied.call(name, args)];
        if (index < 0) continue;
        times.direct.push(without);
        times.proxied.push(through);
      }
      return p95(times.proxied) - p95(times.direct);
    };
    return [
      row('proxy: added to the p95 of a tier 0 call', await added('tool_0', 'notes/#.txt'), ' ms', 5),
      row(
        'proxy: the same, with an SQL statement',
        await added(
          'tool_1',
          'SELECT u.id, u.name FROM users u JOIN orders o ON o.user_id = u.id WHERE u.id = #',
        ),
        ' ms',
        20,
      ),
    ];
  } finally {
    await Promise.all([direct.end(), proxied.end()]);
  }
}

async function appendRow(dir: string): Promise<Row> {
  const ledger = await Ledger.open(join(dir, 'bench-ledger', 'ledger.jsonl'));
  let left = APPENDS;
  const started = performance.now();
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      await ledger.append({
        type: 'execution_started',
        proposal_id: 'prop_00000000000000000000000000000000',
        server: 's',
        actor: 'bench',
        payload: { tool: 'tool_0', tier: 1, number: left },
      });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, lane));
  const rate = APPENDS / ((performance.now() - started) / 1000);
  return {
    what: `ledger: appends a second, ${TOGETHER} waiting at once`,
    value: `${rate.toFixed(0)}/s`,
    target: '≥ 1000/s',
    met: rate >= 1_000,
  };
}

function p95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

/** A client of one stdio server that asks one thing at a time. */
function connect(cwd: string, env: NodeJS.ProcessEnv, args: string[]) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = new Promise<void>((done) => child.on('close', () => done()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let nextId = 1;
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const ask = async (method: string, params: object): Promise<void> => {
    const id = nextId++;
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${args[1]} ended`);
      const message = JSON.parse(value) as { id?: number; error?: unknown; result?: { content?: unknown } };
      if (message.id !== id) continue;
      if (message.error !== undefined) throw new Error(`${method}: ${value}`);
      if (method === 'tools/call' && !value.includes('called')) throw new Error(`not forwarded: ${value}`);
      return;
    }
  };
  return {
    begin: async (): Promise<void> => {
      const clientInfo = { name: 'bench', version: '1' };
      await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      send({ method: 'notifications/initialized' });
      await ask('tools/list', {});
    },
    /** Milliseconds until the answer. */
    call: async (name: string, given: object): Promise<number> => {
      const started = performance.now();
      await ask('tools/call', { name, arguments: given });
      return performance.now() - started;
    },
    end: async (): Promise<void> => {
      child.stdin.end();
      await closed;
    },
  };
}
