import { readdirSync, readFileSync } from 'node:fs';

/** True while a process of this id exists, also another user's. A zombie counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** One line of Linux' process table. */
export interface ProcessRow {
  pid: number;
  /** `R`, `S`, `Z`, … */
  state: string;
  parent: number;
  group: number;
}

/** Reads `/proc/<pid>/stat`; `undefined` when the process is gone or there is no `/proc`. */
export function processRow(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, and may hold spaces and parentheses itself.
    const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (state === undefined) return undefined;
    return { pid, state, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}

/** Every process of Linux' process table; empty on other systems. */
export function processRows(): ProcessRow[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  const rows: ProcessRow[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const row = processRow(Number(name));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/**
 * True while a process group has a member that is no zombie. `kill(-pgid, 0)` alone also counts zombies, which
 * stay for ever where nobody reaps orphans (a container without an init).
 */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  return processRows().some((row) => row.group === group && row.state !== 'Z' && row.state !== 'X');
}

/**
 * Processes of Linux whose environment holds `marker`, zombies left out. A private folder's path is such a marker:
 * it finds what a server started and put into a session of its own.
 */
export function processesWithEnvironment(marker: string): number[] {
  const found: number[] = [];
  for (const row of processRows()) {
    if (row.pid === process.pid || row.state === 'Z') continue;
    try {
      if (readFileSync(`/proc/${row.pid}/environ`).includes(marker)) found.push(row.pid);
    } catch {
      // Another user's, or gone.
    }
  }
  return found;
}

/** The children of a process with one thread (Linux); kernels without this file make a look at all processes necessary. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return processRows()
      .filter((row) => row.parent === pid)
      .map((row) => row.pid);
  }
}

/**
 * Kills every process of Linux whose environment holds `marker`, at once. A daemon can start another one while it is
 * looked for: looks until none is left, a few times at most.
 */
export function killMarkedSync(marker: string): void {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 20; round++) {
    const pids = processesWithEnvironment(marker);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone meanwhile.
      }
    }
    sleepSync(5);
  }
}

/** Stops this thread; for the `exit` handler, where nothing asynchronous runs. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
