import type { Report } from '../../../src/report/model.ts';
import { HARMLESS, MISBEHAVING, type Mode, peerModes, strange } from './modes.ts';
import { type Entry, type Isolation, Project, type ServerOfProject } from './project.ts';
import { Random } from './random.ts';

export interface ChaosPlan {
  seed: number;
  servers: number;
  entry: Entry;
  isolation: Isolation;
}

export interface ChaosResult {
  misbehaving: number;
  ms: number;
  peakMiB: number;
  /** What came out otherwise than it must, a sentence each. */
  wrong: string[];
}

/** Seconds for servers that would run into their limit. */
const SHORT = 3;
/** Nothing takes longer: the slow ones run into `SHORT` side by side. Milliseconds. */
const BOUND_MS = 120_000;

const GOOD: Mode = { runs: strange('good'), status: 'match' };

/**
 * Locks servers that are all `good`, lets a third of them misbehave in a random way and a third be odd in a harmless
 * one, and checks them side by side. The lock must be left alone, each server must come out as it would alone, and the
 * run must end by itself.
 */
export async function chaos(plan: ChaosPlan): Promise<ChaosResult> {
  const random = new Random(plan.seed);
  const keys = Array.from({ length: plan.servers }, (_, i) => `s${i}`);
  const project = new Project(new Map(keys.map((key) => [key, { runs: GOOD.runs }])));
  try {
    const { ended: locked } = await project.run('lock', { isolation: plan.isolation });
    if (locked.code !== 0) throw new Error(`the lock was not written: ${locked.stderr}`);
    const lock = project.read('agentgate.lock');
    const bad = [...MISBEHAVING, ...peerModes()];
    const third = Math.ceil(plan.servers / 3);
    const modes = new Map(
      random
        .shuffled(keys)
        .map((key, i) => [key, i < third ? random.pick(bad) : i < 2 * third ? random.pick(HARMLESS) : GOOD]),
    );
    const servers = new Map<string, ServerOfProject>();
    for (const key of keys) {
      const { runs, slow } = modes.get(key) ?? GOOD;
      servers.set(key, { runs, ...(slow === true ? { timeout: SHORT } : {}) });
    }
    project.declare(servers);
    const { ended, report } = await project.run(plan.entry, { isolation: plan.isolation });
    const wrong = [...modes].flatMap(([key, mode]) => wrongServer(key, mode, report));
    const statuses = new Set([...modes.values()].map(({ status }) => status));
    const code = statuses.has('unchecked') ? 2 : statuses.has('drift') ? 1 : 0;
    if (ended.code !== code) wrong.push(`exit code ${ended.code}, not ${code}: ${ended.stderr.slice(-500)}`);
    if (/unhandled|uncaught|\n\s+at .+:\d+:\d+/i.test(ended.stderr)) wrong.push(`a fault: ${ended.stderr}`);
    if (project.read('agentgate.lock') !== lock) wrong.push('the lock was changed');
    if (ended.ms > BOUND_MS) wrong.push(`took ${ended.ms} ms`);
    return { misbehaving: third, ms: ended.ms, peakMiB: Math.round(ended.peakMiB), wrong };
  } finally {
    project.remove();
  }
}

/** What the report says of one server against what it must. */
function wrongServer(key: string, mode: Mode, report: Report): string[] {
  const named = `${key} (${mode.runs.slice(1).join(' ')})`;
  const server = report.servers.find((entry) => entry.key === key);
  if (server === undefined) return [`${named} is not in the report`];
  const said = `${server.status}${server.error ? ` ${server.error.code}: ${server.error.message}` : ''}`;
  if (server.status !== mode.status) return [`${named} is ${said}`];
  if (mode.codes && !mode.codes.includes(server.error?.code ?? '')) return [`${named} is ${said}`];
  const changes = report.changes.filter((change) => change.server === key).length;
  if (mode.status === 'match' && (changes > 0 || server.tools !== 3 || server.prompts !== 2))
    return [`${named} matches, with ${changes} changes and ${server.tools} tools`];
  if (mode.status === 'drift' && changes === 0) return [`${named} drifts without a change`];
  return [];
}
