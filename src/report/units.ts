import { type ChangeGroup, groupChanges } from '../drift/group.ts';
import { briefBlocks, changeBlocks } from './change-blocks.ts';
import { type SeverityName, severityRank, worstOf } from './counts.ts';
import type { Block } from './document.ts';
import type { ChangeStyle } from './field-blocks.ts';
import { namedFindings } from './finding-words.ts';
import { goneUnit, isGone } from './gone-unit.ts';
import { groupUnit, mergeGroups } from './group-units.ts';
import { hintUnit } from './hint-unit.ts';
import type { Report, ReportChange, ReportFinding } from './model.ts';
import { newUnits } from './new-unit.ts';
import { capabilitiesOf } from './server-capabilities.ts';

/** One capability that a unit is about; its name is foreign. */
export type About = Pick<ReportChange, 'server' | 'kind' | 'name' | 'change'>;

/** What a renderer may show in full, in brief or by name only: a change, or a group of equal ones. */
export interface Unit {
  severity: SeverityName;
  about: About[];
  /** A group whose blocks are folded already. */
  folded: boolean;
  /** Findings that its title names, whether it is drawn in full or in brief. */
  named: ReportFinding[];
  /** Of a group of small changes, which can be the same in other servers. */
  group?: ChangeGroup<ReportChange>;
  full(style: ChangeStyle): Block[];
  brief(): Block[];
}

/** One server's changes in one part. */
export interface ServerChanges {
  server: string;
  accepted: boolean;
  /** As the report has them. */
  changes: ReportChange[];
  /** With the capabilities of a new or gone server one by one. */
  flat: ReportChange[];
}

/** Changes by server, one entry for each part, in the report's order. */
export function changesByServer(report: Report, findings: Map<string, ReportFinding[]>): ServerChanges[] {
  const found = new Map<string, ServerChanges>();
  for (const change of report.changes) {
    const key = JSON.stringify([change.accepted, change.server]);
    let entry = found.get(key);
    if (entry === undefined) {
      entry = { server: change.server, accepted: change.accepted, changes: [], flat: [] };
      found.set(key, entry);
    }
    entry.changes.push(change);
    const capabilities = capabilitiesOf(change);
    if (capabilities.length === 0) entry.flat.push(change);
    else
      for (const capability of capabilities) {
        // All of a new server is unreviewed, so what was found in it is new.
        const own = capability.kind === 'server' ? [] : findingsOf(capability, findings);
        const severity = worstOf([capability.severity, ...own.map((finding) => finding.severity)]);
        entry.flat.push({ ...capability, severity: severity ?? capability.severity });
      }
  }
  return [...found.values()];
}

/** Findings that are not suppressed and not in `told`, by capability. */
export function findingsIndex(
  report: Report,
  told?: ReadonlySet<ReportFinding>,
): Map<string, ReportFinding[]> {
  const index = new Map<string, ReportFinding[]>();
  for (const finding of report.findings) {
    if (finding.suppressed !== null || told?.has(finding) === true) continue;
    const key = capabilityKey(finding);
    const there = index.get(key);
    if (there === undefined) index.set(key, [finding]);
    else there.push(finding);
  }
  return index;
}

/** Tells one capability of one server from every other. */
export function capabilityKey(item: { server: string; kind: string; name: string }): string {
  return JSON.stringify([item.server, item.kind, item.name]);
}

/** The findings that lie in what a change touched, worst first. */
export function findingsOf(change: ReportChange, index: Map<string, ReportFinding[]>): ReportFinding[] {
  if (change.change === 'removed') return [];
  const there = index.get(capabilityKey(change)) ?? [];
  const within = (pointer: string, parent: string): boolean =>
    pointer === parent || parent === '' || pointer.startsWith(`${parent}/`);
  return there
    .filter(
      (finding) =>
        change.change === 'added' ||
        change.fields.some(
          (field) => within(finding.pointer, field.pointer) || within(field.pointer, finding.pointer),
        ),
    )
    .sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** The units of one server in one part, worst first; equal changes over several capabilities are one unit. */
export function unitsOf(changes: ServerChanges, findings: Map<string, ReportFinding[]>): Unit[] {
  const gone = changes.flat.filter(isGone);
  const rest = gone.length < 2 ? changes.flat : changes.flat.filter((change) => !isGone(change));
  const fresh = newUnits(rest, (change) => findingsOf(change, findings).length > 0);
  const hints = hintUnit(mergeGroups(groupChanges(fresh.rest)));
  const units = hints.rest.map((group) =>
    group.type === 'single' && group.change !== undefined
      ? singleUnit(group.change, group, findings)
      : groupUnit(group),
  );
  if (hints.unit !== undefined) insert(units, hints.unit, changes.flat);
  for (const unit of fresh.units) insert(units, unit, changes.flat);
  if (gone.length >= 2) units.push(goneUnit(gone));
  return units.sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** Puts a unit where its first change would stand among the units of its severity. */
function insert(units: Unit[], unit: Unit, order: ReportChange[]): void {
  const places = new Map(order.map((change, index) => [capabilityKey(change), index]));
  const placeOf = ({ about: [first] }: Unit): number =>
    first === undefined ? 0 : (places.get(capabilityKey(first)) ?? 0);
  const place = placeOf(unit);
  const at = units.findIndex(
    (other) => other.severity === unit.severity && !other.folded && placeOf(other) > place,
  );
  units.splice(at < 0 ? units.length : at, 0, unit);
}

function singleUnit(
  change: ReportChange,
  group: ChangeGroup<ReportChange>,
  findings: Map<string, ReportFinding[]>,
): Unit {
  const part: ReportChange = { ...change, fields: group.fields, severity: group.severity };
  const own = findingsOf(part, findings);
  return {
    severity: group.severity,
    about: [change],
    folded: false,
    named: namedFindings(own),
    full: (style) => changeBlocks(part, own, style),
    brief: () => briefBlocks(part, own),
  };
}
