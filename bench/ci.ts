import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, median, type Row, row, run } from './measure.ts';

const here = import.meta.dirname;
const cli = join(here, '..', 'dist', 'cli', 'index.js');
const ROUNDS = 5;

interface Launch {
  command: string;
  args: string[];
}

function repository(servers: [string, Launch][]): string {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-bench-'));
  writeFileSync(join(dir, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  return dir;
}

const agentgate = (dir: string, ...args: string[]) => {
  const result = run(process.execPath, [cli, ...args], { cwd: dir });
  if (result.status !== 0)
    throw new Error(`agentgate ${args.join(' ')} ended with ${result.status}: ${result.stdout}`);
  return result;
};
const bare = (dir: string) => run(process.execPath, [join(here, 'bare.mjs'), dir]);

/**
 * `agentgate ci` over 20 stdio servers against its lower bound and against a script that only lists them: once a
 * real server from npm, and once one that starts in 30 ms of CPU, as none that is built on an SDK does.
 */
export function ciRows(): Row[] {
  const real = join(here, '..', 'node_modules', 'fs-2026.8.31', 'dist', 'index.js');
  return [
    ...rowsOf('20 servers', { command: process.execPath, args: [real, tmpdir()] }),
    ...rowsOf('20 tiny servers', { command: process.execPath, args: [join(here, 'server.mjs'), '15'] }),
  ];
}

function rowsOf(what: string, launch: Launch): Row[] {
  const dir = repository(Array.from({ length: 20 }, (_, index) => [`s${index}`, launch]));
  const one = repository([['s', launch]]);
  try {
    agentgate(dir, 'lock', '--isolation', 'none');
    const plain = inTurn(
      ROUNDS,
      () => agentgate(dir, 'ci', '--isolation', 'none'),
      () => bare(dir),
    );
    const single = inTurn(
      ROUNDS,
      () => bare(one),
      () => run(process.execPath, ['-e', '0']),
    );
    const isolated = inTurn(
      ROUNDS,
      () => agentgate(dir, 'ci'),
      () => bare(dir),
    );
    const wall = (runs: { wall: number }[]): number => median(runs.map((each) => each.wall));
    const serverCpu = median(single.a.map((each) => each.cpu)) - median(single.b.map((each) => each.cpu));
    const bound = Math.max(wall(single.a), (20 * serverCpu) / availableParallelism());
    return [
      row(`ci over ${what} against max(slowest alone, CPU ÷ cores)`, wall(plain.a) / bound, '×', 1.15),
      row(`ci over ${what} against a bare script`, wall(plain.a) / wall(plain.b), '×', 1.1),
      row('the same, isolated', wall(isolated.a) / wall(isolated.b), '×', 1.2),
    ];
  } finally {
    for (const each of [dir, one]) rmSync(each, { recursive: true, force: true });
  }
}

/** `agentgate ci` over 20 servers declared by npx, from npm's cache, against starting them all by npx at once. */
export function npxRows(): Row[] {
  const spec = '@modelcontextprotocol/server-filesystem@2026.8.31';
  const dir = repository(
    Array.from({ length: 20 }, (_, index) => [`s${index}`, { command: 'npx', args: ['-y', spec, '.'] }]),
  );
  try {
    bare(dir);
    agentgate(dir, 'lock', '--isolation', 'none');
    const runs = inTurn(
      3,
      () => agentgate(dir, 'ci', '--isolation', 'none'),
      () => bare(dir),
    );
    const ratio = median(runs.a.map((each) => each.wall)) / median(runs.b.map((each) => each.wall));
    return [row('ci over 20 npx servers against npx at once', ratio, '×', 0.5)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
