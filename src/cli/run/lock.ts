import { displayPath } from '../../check.ts';
import { entriesOf } from '../../lock/entries.ts';
import { pinnedChanges, planRelock, type RelockPlan, writePlanned } from '../../relock.ts';
import { relockReport } from '../../relock-report.ts';
import { hideSecrets } from '../../report/hide-secrets.ts';
import type { Report } from '../../report/model.ts';
import { AgentGateError } from '../../util/errors.ts';
import { visibleLine } from '../../util/hidden.ts';
import { type Io, tell } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { emitReport, lockfilePath, withServers } from '../shared.ts';

/** Surveys, shows, asks, writes; gives the exit code (`DESIGN.md` §8). */
export async function runLock(io: Io, options: CommonOptions): Promise<number> {
  const started = performance.now();
  const lockfile = await lockfilePath(io, options);
  const plan = await withServers(io, options, 2, (survey) => planRelock({ ...survey, lockfile }));
  const shown = displayPath(io.cwd, lockfile);
  const report = relockReport(plan, {
    path: shown,
    failOn: options.failOn,
    durationMs: performance.now() - started,
  });
  const changes = pinnedChanges(plan).length;
  // What somebody is to say yes to is shown, however quiet.
  await emitReport(
    io,
    { ...options, quiet: options.quiet === true && (changes === 0 || options.yes === true) },
    hideSecrets(report, plan.surveyed.secrets),
  );
  if (plan.after.servers.size === 0 && !plan.before) {
    tell(io, `${shown} is not written: no server could be pinned.`);
    return 2;
  }
  if (changes > 0 && !options.yes && !(await agreed(io, changes, shown))) return 2;
  const { written } = await writePlanned(plan);
  if (!options.quiet) tell(io, outcome(plan, report, shown, written));
  return report.exitCode;
}

/** Off a terminal nobody can be asked: a change of what is pinned then needs `--yes`. */
async function agreed(io: Io, count: number, shown: string): Promise<boolean> {
  const what = `${count} ${count === 1 ? 'change' : 'changes'} to what ${shown} pins`;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new AgentGateError('E_USAGE', `${what}, as shown; nothing is written off a terminal without --yes`);
  }
  const { ask } = await import('../ask.ts');
  if (await ask(io, `Accept ${what}?`)) return true;
  tell(io, `${shown} is left as it was.`);
  return false;
}

function outcome(plan: RelockPlan, report: Report, shown: string, written: boolean): string {
  const list = (keys: string[]): string => keys.map(visibleLine).join(', ');
  const kept = plan.failed.filter((key) => plan.before?.servers.has(key));
  const missing = plan.failed.filter((key) => !plan.before?.servers.has(key));
  const lines = [
    written ? `${shown} written: ${entriesOf(plan.after)} pinned. Commit it.` : `${shown} is up to date.`,
  ];
  if (plan.dropped.length > 0)
    lines.push(`Dropped, as no config declares them any more: ${list(plan.dropped)}.`);
  if (kept.length > 0) lines.push(`Kept as they were, since they could not be checked: ${list(kept)}.`);
  if (missing.length > 0) lines.push(`Not pinned, since they could not be checked: ${list(missing)}.`);
  if (report.verdict === 'findings')
    lines.push('The findings above fail the check: take the server out, or suppress them in agentgate.yml.');
  return lines.join('\n');
}
