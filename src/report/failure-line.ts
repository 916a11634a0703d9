import { countsOf } from './counts.ts';
import { lockCommand } from './lock-command.ts';
import type { Report } from './model.ts';

/** Why the step fails, in one line. */
export function failureLine(report: Report): string {
  const counts = countsOf(report);
  const parts = [
    [counts.errors, 'error', 'errors'],
    [counts.unchecked, 'server unchecked', 'servers unchecked'],
    [counts.changes, 'change not accepted', 'changes not accepted'],
    [counts.gatingFindings, 'finding at or above the gate', 'findings at or above the gate'],
  ] as const;
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  const how =
    report.verdict === 'drift'
      ? `; review them, then run ${lockCommand(report).text} and commit the lock`
      : '';
  return `AgentGate: ${report.verdict}${said.length > 0 ? `: ${said.join(', ')}` : ''}${how}`;
}
