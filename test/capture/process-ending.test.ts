import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import type { Isolation } from '../../src/capture/types.ts';
import { type RunningJob, startJob, until } from '../support/run-job.ts';

const family = fileURLToPath(new URL('../support/servers/family-server.mjs', import.meta.url));
const isLinux = process.platform === 'linux';
const probe = isLinux ? await probeIsolation() : { overlay: false };

/** Ids of processes, zombies left out, that have the marker in their command line; the job itself is none of them. */
function carriers(marker: string, job: RunningJob): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== job.process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

const started: { marker: string; job: RunningJob }[] = [];

async function startFamily(
  isolation: Isolation,
): Promise<{ job: RunningJob; marker: string; folders: string }> {
  const marker = `family-${randomUUID()}`;
  const job = startJob(
    { command: 'node', args: [family, marker], cwd: tmpdir(), isolation, stay: true },
    { HOME: process.env.HOME ?? '/root', TMPDIR: tmpdir() },
  );
  started.push({ marker, job });
  const { folders } = (await job.line('folders')) as { folders: string };
  await job.line('line');
  // The server, three of its children, and the daemon's own child.
  await until(() => carriers(marker, job).length >= 4, 'the family is there');
  return { job, marker, folders };
}

describe.skipIf(!isLinux)('ending of everything that a server started (Linux, by /proc)', () => {
  afterEach(() => {
    for (const { marker, job } of started.splice(0)) {
      job.process.kill('SIGKILL');
      for (const pid of carriers(marker, job)) process.kill(pid, 'SIGKILL');
    }
  });

  const ways: Isolation[] = probe.mechanism === undefined ? ['none'] : ['none', 'auto'];
  for (const isolation of ways) {
    it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
      `isolation ${isolation}: nothing is left after %s`,
      async (signal) => {
        const { job, marker, folders } = await startFamily(isolation);
        job.process.kill(signal);
        const { code } = await job.ended;
        expect(code).toBe(128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal]);
        expect(carriers(marker, job)).toEqual([]);
        expect(existsSync(folders)).toBe(false);
      },
    );
  }

  it.skipIf(probe.mechanism === undefined)(
    'in namespaces nothing is left running after SIGKILL',
    async () => {
      const { job, marker, folders } = await startFamily('auto');
      job.process.kill('SIGKILL');
      await job.ended;
      await until(() => carriers(marker, job).length === 0, 'the family is gone');
      // Nobody could remove the folders; the next run does.
      expect(existsSync(folders)).toBe(true);
      const next = startJob(
        { command: 'true', args: [], cwd: tmpdir(), isolation: 'none' },
        { TMPDIR: tmpdir() },
      );
      await next.ended;
      expect(existsSync(folders)).toBe(false);
    },
  );
});
