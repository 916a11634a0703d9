import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

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
function processRows(): ProcessRow[] {
  return processIds().flatMap((pid) => processRow(pid) ?? []);
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
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
function processesWithEnvironment(marker: string): number[] {
  return scanEnvironments([marker]).get(marker) ?? [];
}

/** How long a request waits for others to share its look at all processes: commonly, and when nobody is kept. Milliseconds. */
const SHARE_MS = 5;
const PATIENT_MS = 100;
let waiting: { markers: Set<string>; begin: () => void; scan: Promise<Map<string, number[]>> } | undefined;

/**
 * As {@link processesWithEnvironment}; servers that end together share one look at all processes, which begins after
 * each of them asked. `others`, for a request that may wait longer: how many may still come, itself included; when
 * all of them wait, nobody does any longer.
 */
export async function findMarked(marker: string, others?: () => number): Promise<number[]> {
  waiting ??= sharedScan();
  const { markers, begin, scan } = waiting;
  markers.add(marker);
  if (others === undefined) setTimeout(begin, SHARE_MS);
  else if (markers.size >= others()) begin();
  return (await scan).get(marker) ?? [];
}

function sharedScan(): NonNullable<typeof waiting> {
  const markers = new Set<string>();
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENT_MS);
    begin = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const scan = begun.then(() => {
    waiting = undefined;
    return scanEnvironments(markers);
  });
  return { markers, begin, scan };
}

/** A zombie's environment is empty or cannot be read, so it is never found. */
function scanEnvironments(markers: Iterable<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const wanted = [...markers];
  for (const pid of processIds()) {
    if (pid === process.pid) continue;
    const environment = environmentOf(pid);
    if (environment === undefined) continue;
    for (const marker of wanted) {
      if (environment.includes(marker)) found.set(marker, [...(found.get(marker) ?? []), pid]);
    }
  }
  return found;
}

/** Bytes; more than almost every environment. Of files in `/proc` nobody knows the size before. */
let environments = Buffer.alloc(0);

/** A process's environment, valid until the next call; `undefined` when it is empty, another user's, or gone. */
function environmentOf(pid: number): Buffer | undefined {
  if (environments.length === 0) environments = Buffer.allocUnsafeSlow(64 * 1024);
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/environ`, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(file, environments, length, environments.length - length, null);
      if (read === 0) return length === 0 ? undefined : environments.subarray(0, length);
      length += read;
      if (length < environments.length) continue;
      const larger = Buffer.allocUnsafeSlow(environments.length * 2);
      environments.copy(larger);
      environments = larger;
    }
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
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
