/**
 * Long runs against servers that misbehave: `npm run soak -- [kills] [chaos] [fuzz] [memory] [ledger] [options]`, all
 * of them without a name.
 * Prints figures; ends with 1 when something came out wrong. A failure names its seed, with which it comes again.
 *
 *   --seed N        where random numbers begin (1)
 *   --kills N       moments at which AgentGate is killed (100)
 *   --chaos N       runs over servers of which a third misbehave (20)
 *   --servers N     servers of each of these (50)
 *   --fuzz N        answers with mutated bytes (100000)
 *   --processes N   of these, sent by a real process (1000)
 *   --ledger N      writers of one ledger that are killed (200), eight at a time
 *
 * `AGENTGATE_CLI` and `AGENTGATE_ACTION` name other entries than the sources, such as the bundles.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { probeIsolation } from '../src/capture/isolate.ts';
import { killLedgerWriters } from '../test/support/ledger-kills.ts';
import { chaos } from '../test/support/strangers/chaos.ts';
import { fuzz } from '../test/support/strangers/fuzz.ts';
import { type KillPlan, kills } from '../test/support/strangers/kills.ts';
import { LIMIT_MIB, memoryRuns } from '../test/support/strangers/memory.ts';
import { ACTION, CLI } from '../test/support/strangers/project.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '100' },
    chaos: { type: 'string', default: '20' },
    servers: { type: 'string', default: '50' },
    fuzz: { type: 'string', default: '100000' },
    processes: { type: 'string', default: '1000' },
    ledger: { type: 'string', default: '200' },
  },
});
const SECTIONS = ['kills', 'chaos', 'fuzz', 'memory', 'ledger'];
const unknown = positionals.find((name) => !SECTIONS.includes(name));
if (unknown !== undefined)
  throw new Error(`there is no section ${unknown}; there are ${SECTIONS.join(', ')}`);
const number = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${JSON.stringify(text)} is no number`);
  return Number(text);
};
const wants = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const isolated = (await probeIsolation()).mechanism !== undefined;
let failures = 0;

function fail(wrong: readonly string[]): void {
  failures += wrong.length;
  for (const text of wrong.slice(0, 20)) console.log(`  WRONG: ${text}`);
}

async function soakKills(seed: number, count: number): Promise<void> {
  const plans: Omit<KillPlan, 'seed' | 'count'>[] = [];
  for (const isolation of isolated ? (['none', 'auto'] as const) : (['none'] as const))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
      for (const entry of ['ci', 'lock', 'action'] as const) plans.push({ entry, isolation, signal });
  // A registry that takes every request and answers none.
  const registry = createServer(() => undefined);
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  let done = 0;
  for (const [index, plan] of plans.entries()) {
    const share = Math.floor((count * (index + 1)) / plans.length) - done;
    if (share === 0) continue;
    done += share;
    const part = Math.ceil(share / 3);
    const listing = await kills({ ...plan, seed: seed + index, count: Math.max(1, share - part) });
    const fetching =
      share > 1 ? await kills({ ...plan, seed: seed + index, count: part, registry: url }) : undefined;
    const all = [listing, ...(fetching ? [fetching] : [])];
    const sum = (pick: (result: typeof listing) => number): number =>
      all.reduce((total, one) => total + pick(one), 0);
    const left =
      plan.signal === 'SIGKILL'
        ? `; ${sum((one) => one.left.processes)} processes left, and ${sum((one) => one.left.folders)} folders until the next run`
        : '';
    console.log(
      `kills  ${plan.entry} ${plan.isolation} ${plan.signal}: ${sum((one) => one.kills)} killed, ${sum((one) => one.late)} ended before${left}`,
    );
    fail(all.flatMap((one) => one.wrong));
  }
  registry.closeAllConnections();
  registry.close();
}

async function soakChaos(seed: number, count: number, servers: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const entry = i % 2 === 0 ? 'ci' : 'action';
    const isolation = isolated && i % 4 < 2 ? 'auto' : 'none';
    const { misbehaving, ms, peakMiB, wrong } = await chaos({ seed: seed + i, servers, entry, isolation });
    console.log(
      `chaos  ${entry} ${isolation}, seed ${seed + i}: ${servers} servers, ${misbehaving} misbehaving, ${ms} ms, ${peakMiB} MiB`,
    );
    fail(wrong);
  }
}

async function soakFuzz(seed: number, count: number, processes: number): Promise<void> {
  const from = performance.now();
  const { answers, outcomes, wrong } = await fuzz({ seed, count, processes });
  const seconds = Math.round((performance.now() - from) / 1000);
  const said = [...outcomes].sort((a, b) => b[1] - a[1]).map(([outcome, times]) => `${outcome} ${times}`);
  console.log(
    `fuzz   ${answers} answers, ${processes} of them by processes, ${seconds} s: ${said.join(', ')}`,
  );
  fail(wrong);
}

async function soakMemory(): Promise<void> {
  for (const flood of [
    { mode: 'huge-plain', pages: 4, servers: 1 },
    { mode: 'huge-plain', pages: 1, servers: 8 },
    { mode: 'huge-pages', pages: 1, servers: 2 },
    { mode: 'huge-trees', pages: 1, servers: 4 },
  ]) {
    const runs = await memoryRuns(flood);
    console.log(
      `memory ${flood.servers} × ${flood.mode}: ${runs.map(({ what, peakMiB }) => `${what} ${peakMiB} MiB`).join('; ')}`,
    );
    fail(
      runs
        .filter(({ code, peakMiB }) => peakMiB >= LIMIT_MIB || code === null || code > 2)
        .map(({ what, code, peakMiB }) => `${flood.mode}, ${what}: ${peakMiB} MiB, ended with ${code}`),
    );
  }
}

async function soakLedger(seed: number, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-ledger-'));
  try {
    const { kills, entries, acknowledged, lost, problems, litter } = await killLedgerWriters(
      join(folder, 'ledger.jsonl'),
      { count, writers: 8, seed },
    );
    console.log(
      `ledger ${kills} of 8 writers killed, ${entries} entries, ${acknowledged} acknowledged, ${lost.length} of them lost`,
    );
    fail([
      ...problems,
      ...lost.map((hash) => `an acknowledged entry is lost: ${hash}`),
      ...litter.map((name) => `left beside the ledger: ${name}`),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

console.log(`entries: ${CLI}, ${ACTION}; isolation ${isolated ? 'tested' : 'not possible here'}`);
const seed = number(values.seed);
if (wants('fuzz')) await soakFuzz(seed, number(values.fuzz), number(values.processes));
if (wants('memory')) await soakMemory();
if (wants('ledger')) await soakLedger(seed, number(values.ledger));
if (wants('chaos')) await soakChaos(seed, number(values.chaos), number(values.servers));
if (wants('kills')) await soakKills(seed, number(values.kills));
console.log(failures === 0 ? 'nothing came out wrong' : `${failures} things came out wrong`);
process.exitCode = failures === 0 ? 0 : 1;
