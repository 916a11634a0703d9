import type { Report } from '../report/model.ts';
import { changesPolicy } from '../report/policy-blocks.ts';
import { switchedOff } from '../report/switched-off-blocks.ts';
import type { Inputs } from './inputs.ts';

/**
 * Whether a comment may be made where there is none. An existing one is always brought up to date: it would go on
 * claiming a drift that is gone. Keyed on what was found, not on the exit code: `fail-on: never` still tells.
 */
export function mayCreateComment(report: Report, mode: Inputs['comment']): boolean {
  if (mode === 'always') return true;
  return (
    report.verdict !== 'clean' ||
    report.changes.length > 0 ||
    changesLock(report) ||
    switchedOff(report) > 0 ||
    changesPolicy(report)
  );
}

/** The pull request adds, edits or deletes the lock, be it only the release that a server was reviewed at. */
function changesLock(report: Report): boolean {
  return report.baseLockfile !== undefined && report.baseLockfile.sha256 !== report.lockfile.sha256;
}
