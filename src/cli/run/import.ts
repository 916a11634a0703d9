import { displayPath } from '../../check.ts';
import { type ImportPlan, planImport } from '../../import-plan.ts';
import { formatLock } from '../../lock/format.ts';
import { writeLock } from '../../lock/write.ts';
import { writeFileAtomic } from '../../util/atomic-file.ts';
import { type Io, tell } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { renderReport } from '../render.ts';
import { emit, lockfilePath, withServers } from '../shared.ts';

/** 0 when all matches and is pinned, 1 when something differs and stays unpinned, 2 when something is unverifiable. */
export async function runImport(io: Io, file: string, options: CommonOptions): Promise<number> {
  const lockfile = await lockfilePath(io, options);
  const plan = await withServers(io, options, 2, (survey) => planImport({ ...survey, lockfile, file }));
  await emit(io, options, await renderReport(plan.report, options, io));
  const { outcome, code } = await write(io, plan, displayPath(io.cwd, lockfile), options);
  if (options.quiet !== true || code === 2) tell(io, outcome);
  return code;
}

async function write(
  io: Io,
  plan: ImportPlan,
  shown: string,
  options: CommonOptions,
): Promise<{ outcome: string; code: number }> {
  const left = `${shown} is left as it is`;
  const code = plan.report.exitCode;
  if (plan.matched === 0) {
    const why = code === 0 ? 'Nothing to import' : 'Nothing of the imported lock matches';
    return { outcome: `${why}: ${left}.`, code };
  }
  if (plan.replaces && plan.report.exitCode === 2)
    return {
      outcome: `agentgate: not everything could be verified, and ${shown} is the imported lock itself: ${left}; give another file with --lockfile (E_IMPORT_UNVERIFIED)`,
      code: 2,
    };
  if (plan.replaces && options.yes !== true) {
    if (!io.stdin.isTTY || !io.stderr.isTTY)
      return {
        outcome: `agentgate: ${shown} is the imported lock itself; it is replaced only with --yes, or name another file with --lockfile (E_USAGE)`,
        code: 2,
      };
    const { ask } = await import('../ask.ts');
    if (!(await ask(io, `Replace ${shown} by a lock of AgentGate?`))) return { outcome: `${left}.`, code: 2 };
  }
  // Nothing but the file that was just read as a foreign lock is ever replaced.
  if (plan.replaces) await writeFileAtomic(plan.path, formatLock(plan.after));
  else await writeLock(plan.path, plan.after);
  const what =
    plan.matched === 1 ? '1 capability matches and is' : `${plan.matched} capabilities match and are`;
  return { outcome: `${shown} written: ${what} pinned. Commit it.`, code };
}
