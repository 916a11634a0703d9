import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One finished process: wall and CPU seconds (its children's included), and its peak memory in bytes. */
export interface Run {
  wall: number;
  cpu: number;
  peak: number;
  stdout: string;
  status: number | null;
}

/** Runs a command to its end. Throws when it cannot be started. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Run {
  const before = childTimes();
  const started = performance.now();
  const result = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 1 << 28 });
  const wall = (performance.now() - started) / 1000;
  if (result.error) throw result.error;
  return { wall, cpu: childTimes() - before, peak: 0, stdout: result.stdout, status: result.status };
}

/** CPU seconds of all children waited for, from /proc (proc(5): cutime and cstime, in clock ticks of 1/100 s). */
function childTimes(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return Number.NaN;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1] ?? Number.NaN, sorted[middle] ?? Number.NaN];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** Runs A and B in turn, so that a drift of the machine's speed hits both, and gives each side's runs. */
export function inTurn<A, B>(rounds: number, a: () => A, b: () => B): { a: A[]; b: B[] } {
  const runs: { a: A[]; b: B[] } = { a: [], b: [] };
  a();
  b();
  for (let round = 0; round < rounds; round++) {
    runs.a.push(a());
    runs.b.push(b());
  }
  return runs;
}

/** One line of the table that `npm run bench` prints. */
export interface Row {
  what: string;
  value: string;
  target: string;
  met: boolean;
}

export function row(what: string, value: number, unit: string, limit: number): Row {
  const text = (number: number): string => `${number.toFixed(2)}${unit}`;
  return { what, value: text(value), target: `≤ ${text(limit)}`, met: value <= limit };
}
