import { isObject, type JsonObject } from '../util/json.ts';
import { definitionOf } from './definition-blocks.ts';
import { type Block, code, details, type Inline, joined, name, paragraph, strong, text } from './document.ts';
import type { ReportChange } from './model.ts';
import { nameList } from './name-lists.ts';
import { outline } from './outline.ts';
import type { Unit } from './units.ts';
import { kindCount, severityWords, stringMember } from './words.ts';

/** New resources from this number on are one table; more rows than the second are folded. */
const SEVERAL = 3;
const OPEN = 12;
/** A text that fits a cell. */
const CELL = 200;

/**
 * New resources that say little each, by kind and severity, as one table a kind: a server that lists a hundred documents
 * would else take a hundred fences. `rest` is what has to be shown one by one. `told` says what has findings.
 */
export function newUnits(
  changes: ReportChange[],
  told: (change: ReportChange) => boolean,
): { units: Unit[]; rest: ReportChange[] } {
  const groups = new Map<string, ReportChange[]>();
  for (const change of changes) {
    if (!isPlainNew(change) || told(change)) continue;
    const key = JSON.stringify([change.kind, change.severity]);
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [change]);
    else there.push(change);
  }
  const grouped = [...groups.values()].filter((group) => group.length >= SEVERAL);
  const taken = new Set(grouped.flat());
  return { units: grouped.map(newUnit), rest: changes.filter((change) => !taken.has(change)) };
}

function isPlainNew(change: ReportChange): boolean {
  if (change.change !== 'added' || (change.kind !== 'resource' && change.kind !== 'resourceTemplate'))
    return false;
  const definition = definitionOf(change);
  if (definition === undefined) return false;
  return Object.keys(definition).every((key) => {
    const value = definition[key];
    if (key === 'annotations') return isObject(value) && outline(value).length <= CELL;
    return (
      (typeof value === 'string' && value.length <= CELL && !value.includes('\n')) ||
      typeof value === 'number'
    );
  });
}

function newUnit(changes: ReportChange[]): Unit {
  const [first] = changes;
  const severity = first?.severity ?? 'medium';
  const head: Inline[] = [
    strong(text(kindCount(changes.map((change) => change.kind)))),
    text(` · ${severityWords(severity)} · new, never reviewed`),
  ];
  const table = (): Block => ({
    kind: 'table',
    columns: [
      { title: first?.kind === 'resource' ? 'resource' : 'resource template' },
      { title: 'text' },
      { title: 'other fields' },
    ],
    rows: changes.map((change) => rowOf(change, definitionOf(change) ?? {})),
  });
  return {
    severity,
    about: changes,
    folded: false,
    named: [],
    full: () =>
      changes.length > OPEN ? [details(head, [table()], [table()])] : [paragraph(...head), table()],
    brief: () => [paragraph(...head, text(': '), ...nameList(changes.map((change) => change.name)))],
  };
}

function rowOf(change: ReportChange, definition: JsonObject): Inline[][] {
  const others = Object.keys(definition)
    .filter((key) => !['description', 'uri', 'uriTemplate'].includes(key) && definition[key] !== undefined)
    .flatMap((key) => outline(definition[key] ?? null, key).split('\n'));
  const description = stringMember(definition, 'description') ?? '';
  return [
    [code(change.name)],
    description === '' ? [] : [name(description)],
    joined(
      others.map((one) => [code(one)]),
      ' ',
    ),
  ];
}
