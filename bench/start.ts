import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurn, median, type Row, row, run } from './measure.ts';

const here = import.meta.dirname;

/** From the action's process start to the first server's spawn, against `node -e 0`. */
export function startRows(): Row[] {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-bench-'));
  try {
    const stamp = join(dir, 'stamp');
    // The server tells when it was started, and nothing else.
    writeFileSync(join(dir, 'first.sh'), `#!/bin/sh\ndate +%s%N > ${stamp}\n`);
    chmodSync(join(dir, 'first.sh'), 0o755);
    writeFileSync(
      join(dir, '.mcp.json'),
      JSON.stringify({ mcpServers: { s: { command: join(dir, 'first.sh') } } }),
    );
    writeFileSync(join(dir, 'agentgate.lock'), JSON.stringify({ lockfileVersion: 1, servers: {} }));
    writeFileSync(join(dir, 'event.json'), '{}');
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      GITHUB_WORKSPACE: dir,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: join(dir, 'event.json'),
      GITHUB_REPOSITORY: 'o/r',
      RUNNER_TEMP: dir,
      INPUT_ISOLATION: 'none',
      INPUT_LOCKFILE: 'agentgate.lock',
      INPUT_COMMENT: 'never',
      'INPUT_WORKING-DIRECTORY': '.',
    };
    const action = join(here, '..', 'dist', 'index.js');
    const runs = inTurn(
      9,
      () => {
        const started = Date.now();
        run(process.execPath, [action], { cwd: dir, env });
        return Number(readFileSync(stamp, 'utf8')) / 1e6 - started;
      },
      () => run(process.execPath, ['-e', '0']).wall * 1000,
    );
    return [
      row('action: start to first spawn against node -e 0', median(runs.a) / median(runs.b), '×', 5),
      row('action: start to first spawn', median(runs.a), ' ms', 200),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
