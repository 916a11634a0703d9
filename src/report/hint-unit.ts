import type { ChangeGroup } from '../drift/group.ts';
import { severityRank, worstOf } from './counts.ts';
import { type Block, code, details, type Inline, joined, paragraph, strong, text } from './document.ts';
import { HINT_NAMES } from './hint-words.ts';
import type { ReportChange, ReportField } from './model.ts';
import { nameList } from './name-lists.ts';
import type { Unit } from './units.ts';
import { kindCount, severityWords } from './words.ts';

type Group = ChangeGroup<ReportChange>;

/** Fewer groups of hints are told one by one. */
const SEVERAL = 3;

/**
 * The hints of a server's tools as one table, a row for tools that got the same: a release that brings hints would else be
 * a line for each hint and value. High ones stay alone. `rest` is what is not told by the unit.
 */
export function hintUnit(groups: Group[]): { unit?: Unit; rest: Group[] } {
  const hints = groups.filter(isHints);
  if (hints.length < SEVERAL) return { rest: groups };
  const taken = new Set(hints);
  return { unit: unitOf(hints), rest: groups.filter((group) => !taken.has(group)) };
}

function isHints(group: Group): boolean {
  return (
    group.kind === 'tool' &&
    group.type !== 'plumbing' &&
    severityRank(group.severity) >= severityRank('medium') &&
    group.members.length > 0 &&
    group.members.every(
      ({ change, field }) =>
        change.change === 'changed' &&
        field.beforeUnknown !== true &&
        hintOf(field) !== undefined &&
        isFlag(field),
    )
  );
}

function hintOf({ pointer }: ReportField): string | undefined {
  return HINT_NAMES.find((hint) => pointer === `/annotations/${hint}`);
}

function isFlag({ before, after }: ReportField): boolean {
  return [before, after].every((side) => side === undefined || typeof side === 'boolean');
}

function unitOf(groups: Group[]): Unit {
  const members = groups.flatMap((group) => group.members);
  const about = new Map(members.map(({ change }) => [change.name, change]));
  const severity = worstOf(groups.map((group) => group.severity)) ?? 'low';
  const added = members.every(({ field }) => field.before === undefined);
  const title: Inline[] = [
    strong(text(kindCount([...about.values()].map(({ kind }) => kind)))),
    text(` · ${severityWords(severity)} · ${added ? 'new' : 'other'} hints that clients approve calls by`),
  ];
  const table = hintTable(members);
  const low = severityRank(severity) >= severityRank('low');
  return {
    severity,
    about: [...about.values()],
    folded: low,
    named: [],
    full: () => (low ? [details(title, [table], [table])] : [paragraph(...title), table]),
    brief: () => [paragraph(...title)],
  };
}

function hintTable(members: Group['members']): Block {
  const byTool = new Map<string, Map<string, ReportField>>();
  for (const { change, field } of members) {
    const fields = byTool.get(change.name) ?? new Map<string, ReportField>();
    fields.set(hintOf(field) ?? '', field);
    byTool.set(change.name, fields);
  }
  const columns = HINT_NAMES.filter((hint) => members.some(({ field }) => hintOf(field) === hint));
  const rows = new Map<string, { names: string[]; fields: Map<string, ReportField> }>();
  for (const [tool, fields] of byTool) {
    const key = JSON.stringify(columns.map((hint) => fields.get(hint)));
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { names: [tool], fields });
    else row.names.push(tool);
  }
  const worst = ({ fields }: { fields: Map<string, ReportField> }): number =>
    Math.min(...[...fields.values()].map((field) => severityRank(field.severity)));
  return {
    kind: 'table',
    columns: [{ title: 'tools' }, ...columns.map((title) => ({ title }))],
    rows: [...rows.values()]
      .sort((a, b) => worst(a) - worst(b))
      .map((row) => [nameList(row.names, ' '), ...columns.map((hint) => hintCell(row.fields.get(hint)))]),
  };
}

function hintCell(field: ReportField | undefined): Inline[] {
  if (field === undefined) return [text('')];
  const { before, after, severity } = field;
  // What a client may now do without asking stands out.
  const mark =
    severityRank(severity) <= severityRank('medium')
      ? [text(`${severityWords(severity).split(' ')[0]} `)]
      : [];
  const sides = [before, after].flatMap((side) => (side === undefined ? [] : [[code(String(side))]]));
  return [...mark, ...joined(sides, ' → '), ...(after === undefined ? [text(' removed')] : [])];
}
