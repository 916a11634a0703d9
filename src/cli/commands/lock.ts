import { Command } from 'commander';
import { displayPath } from '../../check.ts';
import { writeLock } from '../../lock/write.ts';
import { changesPinned, planRelock, type RelockPlan } from '../../relock.ts';
import { relockReport } from '../../relock-report.ts';
import { ask } from '../ask.ts';
import type { Io } from '../io.ts';
import type { Finish } from '../main.ts';
import { addOptions, type CommonOptions } from '../options.ts';
import { renderReport } from '../render.ts';
import { emit, lockfilePath, OUTPUT_FLAGS, SURVEY_FLAGS, withServers } from '../shared.ts';

export function lockCommand(io: Io, finish: Finish): Command {
  const command = new Command('lock')
    .alias('pin')
    .description('Pin what the declared servers show now. Shows every change before it is written.')
    .argument('[server...]', 'only these servers, by their key')
    .option('-y, --yes', 'Change what is pinned without asking.')
    .action(async (servers: string[], options: CommonOptions) => {
      finish(await runLock(io, { ...options, server: [...(options.server ?? []), ...servers] }));
    });
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}

export async function runLock(io: Io, options: CommonOptions): Promise<number> {
  const started = performance.now();
  const lockfile = await lockfilePath(io, options);
  const plan = await withServers(io, options, 2, (survey) => planRelock({ ...survey, lockfile }));
  const report = relockReport(plan, {
    path: displayPath(io.cwd, lockfile),
    failOn: options.failOn,
    durationMs: performance.now() - started,
  });
  await emit(io, options, renderReport(report, options, io));
  const shown = displayPath(io.cwd, lockfile);
  if (plan.after.servers.size === 0 && !plan.before) {
    io.stderr.write(`${shown} is not written: no server could be pinned.\n`);
    return 2;
  }
  if (changesPinned(plan) && !options.yes && !(await agreed(io, plan, shown))) return 2;
  const { written } = await writeLock(plan.path, plan.after);
  if (!options.quiet) io.stderr.write(`${outcome(plan, shown, written)}\n`);
  return report.exitCode === 0 ? 0 : 2;
}

/** Off a terminal nobody can be asked: a change of what is pinned then needs `--yes`. */
async function agreed(io: Io, plan: RelockPlan, shown: string): Promise<boolean> {
  const what = `${plan.changes.length} ${plan.changes.length === 1 ? 'change' : 'changes'} to what ${shown} pins`;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    io.stderr.write(`agentgate: ${what}; nothing is written without --yes (E_USAGE)\n`);
    return false;
  }
  if (await ask(io, `Accept ${what}?`)) return true;
  io.stderr.write(`${shown} is left as it was.\n`);
  return false;
}

function outcome(plan: RelockPlan, shown: string, written: boolean): string {
  const kept = plan.failed.filter((key) => plan.before?.servers.has(key));
  const lines = [
    written
      ? `${shown} written: ${plan.after.servers.size} ${plan.after.servers.size === 1 ? 'server' : 'servers'} pinned. Commit it.`
      : `${shown} is up to date.`,
  ];
  if (plan.dropped.length > 0)
    lines.push(`Dropped, as no config declares them any more: ${plan.dropped.join(', ')}.`);
  if (kept.length > 0) lines.push(`Kept as they were, since they could not be checked: ${kept.join(', ')}.`);
  return lines.join('\n');
}
