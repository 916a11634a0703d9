import { briefBlocks, type ChangeStyle, changeBlocks, findingsOf } from './change-blocks.ts';
import { type SeverityName, severityRank, worstOf } from './counts.ts';
import type { Block } from './document.ts';
import type { Report, ReportChange } from './model.ts';
import { capabilitiesOf } from './server-capabilities.ts';

/** What a renderer may show in full, in brief or by name only: a change, or a group of equal ones. */
export interface Unit {
  severity: SeverityName;
  /** What it is about; the names are foreign. */
  about: { kind: ReportChange['kind']; name: string; change: ReportChange['change'] }[];
  full(style: ChangeStyle): Block[];
  brief(): Block[];
}

/** The units of one server in one part, worst first. */
export function unitsOf(report: Report, server: string, accepted: boolean): Unit[] {
  const changes = report.changes.filter((change) => change.server === server && change.accepted === accepted);
  const flat = changes.flatMap((change) => {
    const capabilities = capabilitiesOf(change);
    return capabilities.length === 0 ? [change] : capabilities;
  });
  return flat
    .map((change): Unit => {
      const findings = findingsOf(change, report.findings);
      const severity =
        worstOf([change.severity, ...findings.map((finding) => finding.severity)]) ?? change.severity;
      return {
        severity,
        about: [{ kind: change.kind, name: change.name, change: change.change }],
        full: (style) => changeBlocks(change, findings, style),
        brief: () => briefBlocks(change, findings),
      };
    })
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}
