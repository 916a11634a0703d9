import type { LockLines } from '../lock/lines.ts';
import type { ReportChange, ReportFinding, ServerReport } from './model.ts';

/** Adds the lock's line (1-based) to what the lock has a line for, so that annotations and SARIF can point there. */
export function locateInLock(
  parts: { servers: ServerReport[]; changes: ReportChange[]; findings: ReportFinding[] },
  lines: LockLines,
): void {
  for (const server of parts.servers) server.lockLine = lines.server(server.key);
  for (const item of [...parts.changes, ...parts.findings]) {
    const name = 'from' in item && item.from !== undefined ? item.from : item.name;
    item.lockLine = lineOf(lines, item.server, item.kind, name) ?? lines.server(item.server);
  }
}

function lineOf(lines: LockLines, server: string, kind: string, name: string): number | undefined {
  switch (kind) {
    case 'tool':
    case 'prompt':
    case 'resource':
    case 'resourceTemplate':
    case 'skill':
      return lines.capability(server, kind, name);
    default:
      return undefined;
  }
}
