import type { ChangeGroup } from '../drift/group.ts';
import { append } from '../util/append.ts';
import { severityRank } from './counts.ts';
import { paragraph } from './document.ts';
import { groupBlocks, groupTitle } from './group-blocks.ts';
import type { ReportChange } from './model.ts';
import type { Unit } from './units.ts';

type Group = ChangeGroup<ReportChange>;

/** One and the same change of several capabilities of one server. */
export function groupUnit(group: Group): Unit {
  const about = new Map(group.members.map((member) => [member.change.name, member.change]));
  const low = (severity: ReportChange['severity']): boolean => severityRank(severity) >= severityRank('low');
  const small = low(group.severity) && group.members.every(({ change }) => low(change.severity));
  return {
    severity: group.severity,
    about: [...about.values()],
    folded: low(group.severity),
    named: [],
    ...(small ? { group } : {}),
    full: (style) => groupBlocks(group, style),
    brief: () => [paragraph(...groupTitle(group))],
  };
}

/** Groups over the very same capabilities and of one severity are told in one piece. */
export function mergeGroups(groups: Group[]): Group[] {
  const merged = new Map<string, Group>();
  const out: Group[] = [];
  for (const group of groups) {
    if (group.type !== 'same') {
      out.push(group);
      continue;
    }
    const key = JSON.stringify([group.kind, group.severity, group.names]);
    const there = merged.get(key);
    if (there === undefined) {
      const copy = { ...group, fields: [...group.fields], members: [...group.members] };
      merged.set(key, copy);
      out.push(copy);
    } else {
      append(there.fields, group.fields);
      append(there.members, group.members);
    }
  }
  return out;
}
