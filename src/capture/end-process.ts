import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { killTree, killTreeSync } from './end-on-windows.ts';
import { childrenOf, findMarked, isGroupAlive, killMarkedSync } from './process-table.ts';
import { runningCount } from './running.ts';
import type { Mechanism } from './sandbox-plan.ts';

/** `research/mcp.md` §1.3: 91 of 100 real servers leave within this after stdin's end. Milliseconds. */
const GRACE_MS = 500;
/** How long a killed group may take to vanish (a process in uninterruptible sleep). */
const GONE_MS = 5_000;
const POLL_MS = 10;

export interface Ending {
  child: ChildProcess;
  /** Resolves when the child ended. */
  exited: Promise<unknown>;
  stdin: Writable;
  /** A text that only this server's processes have in their environment. */
  marker: string;
  /** Set when it runs in namespaces. */
  mechanism?: Mechanism;
}

/**
 * Ends a server. Isolated: stdin's end, then SIGKILL of the namespace's PID 1, with which the kernel ends everything
 * in there. Not isolated: stdin's end, SIGTERM and SIGKILL to its process group, and on Linux SIGKILL
 * to what left the group but still carries the server's environment. Resolves when all of it is gone; `patient` when
 * nothing is kept by a moment more.
 */
export async function endProcess(ending: Ending, hurry = false, patient = false): Promise<void> {
  const { child, exited, stdin } = ending;
  stdin.end();
  if (child.pid === undefined) return;
  if (ending.mechanism !== undefined) return endNamespace(ending, hurry);
  if (!hurry) await within(exited, GRACE_MS);
  if (process.platform === 'win32') {
    await killTree(child);
    await within(exited, GONE_MS);
    return;
  }
  if (isGroupAlive(child.pid)) {
    signalGroup(child.pid, 'SIGTERM');
    await untilGroupGone(child.pid, GRACE_MS);
  }
  if (isGroupAlive(child.pid)) {
    signalGroup(child.pid, 'SIGKILL');
    await untilGroupGone(child.pid, GONE_MS);
  }
  await killMarked(ending.marker, patient);
  await within(exited, GONE_MS);
}

/**
 * SIGKILL goes to PID 1 of the namespace, not to `unshare`: that one then ends when everything in there is gone, so
 * that its exit is the proof. Under sudo the root side does the same at the end of our pipe, which also comes when
 * this process dies.
 */
async function endNamespace({ child, exited, mechanism }: Ending, hurry: boolean): Promise<void> {
  if (!hurry || mechanism === 'sudo') await within(exited, GRACE_MS);
  if (mechanism === 'sudo') {
    await within(exited, GONE_MS);
    return;
  }
  killFirstInside(child);
  await within(exited, GONE_MS);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

/** PID 1 of a namespace is the only child of its `unshare`. */
function killFirstInside(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(childrenOf(child.pid)[0] ?? child.pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

/** Kills a server with all that it started at once, without waiting. */
export function killSync({ child, marker, mechanism }: Omit<Ending, 'exited' | 'stdin'>): void {
  const { pid } = child;
  if (pid === undefined || mechanism === 'sudo') return;
  if (mechanism !== undefined) {
    killFirstInside(child);
    return;
  }
  if (process.platform === 'win32') killTreeSync(child);
  else {
    signalGroup(pid, 'SIGKILL');
    killMarkedSync(marker);
  }
}

/** A daemon can start another one while it is looked for: looks until none is left, a few times at most. */
async function killMarked(marker: string, patient: boolean): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 20; round++) {
    const pids = await findMarked(marker, patient && round === 0 ? runningCount : undefined);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone meanwhile.
      }
    }
    await sleep(POLL_MS);
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Gone meanwhile.
  }
}

async function untilGroupGone(group: number, limit: number): Promise<void> {
  const end = Date.now() + limit;
  while (isGroupAlive(group) && Date.now() < end) await sleep(POLL_MS);
}

async function within(promise: Promise<unknown>, limit: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
