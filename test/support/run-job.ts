import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JobInput } from './job.ts';
import { NODE } from './own-node.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface RunningJob {
  process: ChildProcess;
  /** The lines so far, parsed. */
  lines: Record<string, unknown>[];
  /** Resolves with the first line that has the member, rejects when the job ends without one. */
  line(member: string): Promise<Record<string, unknown>>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Starts `job.ts` with an environment of its own; `prefix` is put before the command (`su`, `setpriv` …). */
export function startJob(input: JobInput, env: Record<string, string>, prefix: string[] = []): RunningJob {
  const [file = '', ...args] = [...prefix, NODE, here('./job.ts'), JSON.stringify(input)];
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Record<string, unknown>[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    for (const wake of waiting) wake();
  });
  const ended = new Promise<Awaited<RunningJob['ended']>>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal, stderr });
      for (const wake of waiting) wake();
    });
  });
  const line = (member: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const wake = (): void => {
        const match = lines.find((entry) => member in entry);
        if (match !== undefined) resolve(match);
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`no ${member}; stderr: ${stderr}`));
      };
      waiting.add(wake);
      wake();
    });
  return { process: child, lines, line, ended };
}

/** Polls until a condition holds, for at most ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`still not so after 10 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** True when a command ends well. */
export function works(file: string, args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}
