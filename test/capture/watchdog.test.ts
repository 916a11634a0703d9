import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, processRow } from '../../src/capture/process-table.ts';
import { NODE } from '../support/own-node.ts';

const WATCHDOG = new URL('../../src/capture/watchdog.ts', import.meta.url).href;
const started: number[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const pid of started.splice(0))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone, as it should be.
    }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const isGone = (pid: number): boolean => !isAlive(pid) || ['Z', 'X'].includes(processRow(pid)?.state ?? 'X');

async function within10s(met: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (met()) return true;
    await new Promise((done) => setTimeout(done, 10));
  }
  return met();
}

/** Runs a script that knows `watchOver`, `sleeper(env)` and `root`, and prints process ids; then kills it. */
async function killedAfter(script: string): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'watchdog-'));
  folders.push(folder);
  const root = join(folder, 'agentgate-1-abcdef');
  const child: ChildProcess = spawn(
    NODE,
    [
      '--input-type=module',
      '-e',
      `import { spawn } from 'node:child_process';
      const { watchOver } = await import(${JSON.stringify(WATCHDOG)});
      const root = ${JSON.stringify(root)};
      const sleeper = (env = {}) => spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
        { detached: true, stdio: 'ignore', env });
      ${script}
      setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.pid !== undefined) started.push(child.pid);
  const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ];
  const pids = line.split(' ').map(Number);
  started.push(...pids);
  expect(pids.every((pid) => !isGone(pid))).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return pids;
}

describe.skipIf(process.platform === 'win32')('the watcher of servers outside of namespaces', () => {
  it('ends a server by its group when this process was killed', async () => {
    const [server = 0] = await killedAfter(
      `const watched = watchOver(root); const child = sleeper(); watched.started(child); console.log(child.pid);`,
    );
    expect(await within10s(() => isGone(server))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'ends what left the group by its environment, and nothing else',
    async () => {
      const [daemon = 0, stranger = 0] = await killedAfter(
        `watchOver(root); console.log(sleeper({ HOME: root + '/home' }).pid, sleeper({ HOME: '/nowhere' }).pid);`,
      );
      expect(await within10s(() => isGone(daemon))).toBe(true);
      expect(isGone(stranger)).toBe(false);
    },
  );

  it('leaves a group alone whose first process was waited for: its number may be another one by now', async () => {
    const [other = 0, server = 0] = await killedAfter(
      `const other = sleeper(); const server = sleeper();
      watchOver(root).started({ pid: other.pid, exitCode: null, signalCode: null, once: (_, exited) => exited() });
      watchOver(root).started(server);
      console.log(other.pid, server.pid);`,
    );
    expect(await within10s(() => isGone(server))).toBe(true);
    expect(isGone(other)).toBe(false);
  });

  it('does nothing once every server was ended', async () => {
    const [server = 0, last = 0] = await killedAfter(
      `const watched = watchOver(root); const child = sleeper(); watched.started(child); watched.ended();
      const { spawnSync } = await import('node:child_process');
      const watcher = process.platform === 'linux'
        ? spawnSync('sh', ['-c', 'cat /proc/' + process.pid + '/task/*/children'], { encoding: 'utf8' }).stdout.trim().split(' ').map(Number).find((pid) => pid !== child.pid)
        : child.pid;
      console.log(child.pid, watcher);`,
    );
    // The watcher itself is gone when it has done what it does.
    if (last !== server) expect(await within10s(() => isGone(last))).toBe(true);
    expect(isGone(server)).toBe(false);
  });
});
