import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartedProcess, StartProcess } from '../../src/capture/capture.ts';

/** Starts a server by a bare spawn in its own process group: enough for tests of the protocol side. */
export const startPlain: StartProcess = async (launch, request) => {
  const own = request.folders === undefined ? mkdtempSync(join(tmpdir(), 'agentgate-test-')) : undefined;
  const folders = request.folders ?? { home: own as string, tmpdir: own as string };
  const child = spawn(launch.command, launch.args, {
    cwd: launch.cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folders.home,
      TMPDIR: folders.tmpdir,
      ...Object.fromEntries(launch.env),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  return wrap(child, launch.cwd, folders, () => {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  });
};

function wrap(
  child: ChildProcess & { stdin: NonNullable<unknown>; stdout: NonNullable<unknown> },
  cwd: string,
  folders: { home: string; tmpdir: string },
  clean: () => void,
): StartedProcess {
  if (child.stdin === null || child.stdout === null || child.stderr === null) throw new Error('no pipes');
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-16_384);
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null; error?: Error }>(
    (resolve) => {
      child.on('error', (error) => resolve({ code: null, signal: null, error }));
      child.on('exit', (code, signal) => resolve({ code, signal }));
    },
  );
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    pid: child.pid,
    stderrTail: () => stderr,
    exited,
    end: async () => {
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // already gone
        }
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
      clean();
    },
    isolation: 'none',
    paths: { cwd, home: folders.home, tmpdir: folders.tmpdir },
  };
}
