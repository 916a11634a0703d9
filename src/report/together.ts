import type { ChangeGroup } from '../drift/group.ts';
import { type Block, heading, name, strong, text } from './document.ts';
import { groupBlocks, groupTitle } from './group-blocks.ts';
import type { ReportChange } from './model.ts';
import { nameList } from './name-lists.ts';
import type { Section } from './section-blocks.ts';
import type { Unit } from './units.ts';

type Group = ChangeGroup<ReportChange>;

/** From so many servers on, the same small change is told once. */
const SERVERS = 3;
/** Blocks of a section's head that say nothing but which server it is. */
const NAMED_ONLY = 2;

/**
 * Small changes that are the same in several servers in one section at the end: a new SDK under five servers would else be
 * told five times. A server of which nothing else is left has no section of its own; the table has its row.
 */
export function togetherWhereEqual(sections: Section[]): Section[] {
  const found = new Map<string, Found[]>();
  for (const section of sections)
    for (const unit of section.units) {
      if (unit.group === undefined) continue;
      const key = keyOf(unit.group);
      const there = found.get(key) ?? [];
      there.push({ section, unit, group: unit.group });
      found.set(key, there);
    }
  const shared = [...found.values()].filter(
    (those) => new Set(those.map(({ section }) => section)).size >= SERVERS,
  );
  if (shared.length === 0) return sections;
  const moved = new Set(shared.flat().map(({ unit }) => unit));
  const own = sections.flatMap((section): Section[] => {
    const units = section.units.filter((unit) => !moved.has(unit));
    const told = units.length > 0 || section.units.length === 0 || section.head.length > NAMED_ONLY;
    return told ? [{ ...section, units }] : [];
  });
  const head = [heading(3, text('The same in several servers'))];
  return [...own, { server: '', head, units: shared.map(sharedUnit) }];
}

interface Found {
  section: Section;
  unit: Unit;
  group: Group;
}

/** Plumbing is one thing wherever it stands; any other change is the same when its fields are. */
function keyOf({ type, kind, severity, fields }: Group): string {
  if (type === 'plumbing') return JSON.stringify([type, kind, severity]);
  const values = fields.map((field) => [
    field.pointer,
    field.class,
    field.before,
    field.after,
    field.beforeUnknown,
  ]);
  return JSON.stringify([type, kind, severity, values.map((one) => JSON.stringify(one)).sort()]);
}

function sharedUnit(those: Found[]): Unit {
  const groups = those.map(({ group }) => group);
  const [first] = groups as [Group];
  const fields = new Map(
    groups
      .flatMap((group) => group.fields)
      .map((field) => [JSON.stringify([field.pointer, field.before, field.after]), field]),
  );
  const all: Group = {
    ...first,
    names: groups.flatMap((group) => group.names),
    fields: [...fields.values()],
    members: groups.flatMap((group) => group.members),
  };
  const title = groupTitle(all, ` of ${new Set(groups.map(({ server }) => server)).size} servers`);
  const names: Block = {
    kind: 'list',
    items: groups.map((group) => [strong(name(group.server)), text(': '), ...nameList(group.names, ' ')]),
  };
  return {
    severity: first.severity,
    about: those.flatMap(({ unit }) => unit.about),
    folded: true,
    named: [],
    full: (style) => groupBlocks(all, style, title, names),
    brief: () => [{ kind: 'paragraph', inlines: title }],
  };
}
