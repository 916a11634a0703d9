import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseLock } from '../../../src/lock/read.ts';
import { strange } from './modes.ts';
import { type Entry, type Isolation, Project, type ServerOfProject } from './project.ts';
import { Random } from './random.ts';

export interface KillPlan {
  seed: number;
  /** How often it is killed. */
  count: number;
  entry: Entry;
  isolation: Isolation;
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** About how long a run takes, in milliseconds. Default: it is tried. */
  whole?: number;
  /** Of an npm registry that never sends a package: two servers are then killed while they are fetched. */
  registry?: string;
}

export interface KillResult {
  kills: number;
  /** Runs that had ended by themselves before the signal. */
  late: number;
  /** What must not be, a sentence each. */
  wrong: string[];
  /** After SIGKILL, in all runs: processes of servers that still ran two seconds later, and folders. */
  left: { processes: number; folders: number };
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/** How long a process that was killed may take to vanish, in milliseconds. */
const GONE_MS = 2_000;

/**
 * Runs AgentGate over ten servers, some of which start daemons in sessions of their own, and kills it at random moments.
 * Then nothing of the servers may run, the lock must be the old one or the new one, and the temporary folder empty.
 * SIGKILL cannot be handled: the kernel ends what is in namespaces, and a watcher what is not; the folders are removed by
 * the next run.
 */
export async function kills(plan: KillPlan): Promise<KillResult> {
  const random = new Random(plan.seed);
  const result: KillResult = { kills: 0, late: 0, wrong: [], left: { processes: 0, folders: 0 } };
  const project = new Project(
    tenServers('good', plan.registry === undefined ? [] : ['fetched-1', 'fetched-2']),
  );
  try {
    const marker = project.folder;
    const env = plan.registry === undefined ? {} : npmVariables(project, plan.registry);
    const { ended: locked } = await project.run('lock', {
      isolation: plan.isolation,
      args: ['--server', 's0'],
    });
    if (locked.code !== 0) throw new Error(`the lock was not written: ${locked.stderr}`);
    const old = project.read('agentgate.lock');
    // From here on a lock would pin another text of the tool.
    project.declare(
      tenServers('another-text', plan.registry === undefined ? [] : ['fetched-1', 'fetched-2']),
    );
    const whole = plan.whole ?? (plan.registry === undefined ? await wholeRun(project, plan) : 4_000);
    for (let i = 0; i < plan.count; i++) {
      project.write('agentgate.lock', old);
      const moment = random.next() * whole * 1.1;
      const started = project.start(plan.entry, { isolation: plan.isolation, concurrency: 10, env });
      await Promise.race([sleep(moment), started.ended]);
      started.process.kill(plan.signal);
      const ended = await started.ended;
      const at = `${plan.entry}, ${plan.isolation}, ${plan.signal} after ${Math.round(moment)} ms (seed ${plan.seed}, run ${i})`;
      const byItself = ended.signal === null && ended.code !== null && ended.code < 3;
      if (byItself) result.late++;
      else result.kills++;
      if (plan.signal !== 'SIGKILL' && !byItself) {
        // Before Node could install a handler, the signal ends it by itself.
        if (ended.code !== EXIT_CODES[plan.signal] && ended.signal !== plan.signal)
          result.wrong.push(`${at}: ended with ${ended.code ?? ended.signal}: ${ended.stderr.slice(-500)}`);
      }
      const isHard = plan.signal === 'SIGKILL' && !byItself;
      const processes = await leftProcesses(marker, isHard ? GONE_MS : 0);
      const folders = readdirSync(project.tmp);
      if (processes.length > 0)
        result.wrong.push(`${at}: still running: ${processes.map(describe).join('; ')}`);
      if (folders.length > 0 && !isHard) result.wrong.push(`${at}: left behind: ${folders.join(', ')}`);
      result.left.processes += processes.length;
      result.left.folders += folders.length;
      checkLock(project, old, at, result);
      if (isHard && folders.length > 0) await sweep(project, at, result);
      for (const pid of await leftProcesses(marker, 0)) process.kill(pid, 'SIGKILL');
    }
    return result;
  } finally {
    for (const pid of await leftProcesses(project.folder, 0)) process.kill(pid, 'SIGKILL');
    project.remove();
  }
}

/** A run that nobody kills, in milliseconds. */
async function wholeRun(project: Project, plan: KillPlan): Promise<number> {
  const { ended } = await project.run(plan.entry, { isolation: plan.isolation, concurrency: 10 });
  return ended.ms;
}

/** The next run removes the folders of the killed one, and ends what still runs in them. */
async function sweep(project: Project, at: string, result: KillResult): Promise<void> {
  await project.run('ci', { isolation: 'none', args: ['--server', 's0'] });
  const left = readdirSync(project.tmp);
  if (left.length > 0) result.wrong.push(`${at}: not swept by the next run: ${left.join(', ')}`);
  const running = await leftProcesses(project.tmp, 0);
  if (running.length > 0)
    result.wrong.push(`${at}: not ended by the next run: ${running.map(describe).join('; ')}`);
}

function checkLock(project: Project, old: string, at: string, result: KillResult): void {
  const text = project.read('agentgate.lock');
  try {
    parseLock(text, 'agentgate.lock');
  } catch (error) {
    result.wrong.push(`${at}: the lock is broken: ${String(error)}`);
  }
  if (text !== old && !text.includes('Does find, and more.')) result.wrong.push(`${at}: the lock is another`);
  const files = readdirSync(project.workspace).filter((name) => name.endsWith('.tmp'));
  if (files.length > 0) result.wrong.push(`${at}: half a file: ${files.join(', ')}`);
}

function tenServers(mode: string, fetched: readonly string[]): Map<string, ServerOfProject> {
  const servers = new Map<string, ServerOfProject>();
  for (let i = 0; i < 10 - fetched.length; i++) {
    const runs =
      i % 3 === 1 ? strange('family') : i % 3 === 2 ? strange('late', String(100 * i)) : strange(mode);
    servers.set(`s${i}`, { runs });
  }
  for (const key of fetched)
    servers.set(key, { runs: [], launch: { command: 'npx', args: ['-y', `${key}@1.0.0`] } });
  return servers;
}

function npmVariables(project: Project, registry: string): Record<string, string> {
  return {
    npm_config_registry: registry,
    npm_config_cache: `${project.folder}/npm`,
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
  };
}

/** Processes, zombies and this one left out, with the marker in their environment or command line; polls until none is left. */
async function leftProcesses(marker: string, limit: number): Promise<number[]> {
  const end = Date.now() + limit;
  for (;;) {
    const found = carriers(marker);
    if (found.length === 0 || Date.now() >= end) return found;
    await sleep(20);
  }
}

function carriers(marker: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${name}/status`, 'utf8'))) return false;
        const text =
          readFileSync(`/proc/${name}/environ`, 'latin1') + readFileSync(`/proc/${name}/cmdline`, 'latin1');
        return text.includes(marker);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function describe(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`;
  } catch {
    return String(pid);
  }
}
