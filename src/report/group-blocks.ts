import type { ChangeGroup } from '../drift/group.ts';
import { severityRank } from './counts.ts';
import { type Block, code, details, type Inline, joined, paragraph, strong, text } from './document.ts';
import { type ChangeStyle, fieldBlocks, fieldWords, isText, requiredWords } from './field-blocks.ts';
import type { ReportChange, ReportField } from './model.ts';
import { nameList } from './name-lists.ts';
import { fieldInlines, fieldPhrase, kindCount, severityWords } from './words.ts';

type Group = ChangeGroup<ReportChange>;

/** Places of one and the same change that are listed. */
const PLACES = 12;
/** Changes that a group's title tells. */
const IN_TITLE = 3;

/** `14 tools · ⚪ low · the same change: annotations.openWorldHint — → false`; `of` follows the count: ` of 5 servers`. */
export function groupTitle(group: Group, of = ''): Inline[] {
  const kinds = group.names.map(() => group.kind);
  const distinct = distinctChanges(group.fields);
  const head: Inline[] = [
    strong(text(`${kindCount(kinds)}${of}`)),
    text(` · ${severityWords(group.severity)} · `),
  ];
  if (group.type === 'plumbing')
    return [
      ...head,
      text('only generated parts of the schemas changed: '),
      ...joined(distinct.slice(0, IN_TITLE).map(shortChange), ', '),
      ...more(distinct.length - IN_TITLE),
    ];
  const first = distinct[0];
  if (first === undefined) return [...head, text('the same change')];
  if (distinct.length === 1 && isText(first.field))
    return [
      ...head,
      text(`the same change: ${fieldPhrase(first.field)}, `),
      ...fieldInlines(first.field.pointer),
    ];
  return [
    ...head,
    text(distinct.length === 1 ? 'the same change: ' : `the same ${distinct.length} changes: `),
    ...joined(distinct.slice(0, IN_TITLE).map(shortChange), ', '),
    ...more(distinct.length - IN_TITLE),
  ];
}

function more(count: number): Inline[] {
  return count > 0 ? [text(` and ${count} more`)] : [];
}

/** A low group is folded, its title being all that most readers need; others stand open. */
export function groupBlocks(
  group: Group,
  style: ChangeStyle,
  title: Inline[] = groupTitle(group),
  names: Block = paragraph(...nameList(group.names, ' ')),
): Block[] {
  const distinct = distinctChanges(group.fields);
  const body: Block[] = [
    names,
    ...(isToldByTitle(distinct)
      ? []
      : fieldBlocks(
          distinct.map(({ field }) => field),
          style,
        )),
  ];
  const elsewhere = distinct.filter(({ places }) => places.length > 1);
  if (elsewhere.length > 0)
    body.push({
      kind: 'list',
      items: elsewhere
        .slice(0, PLACES)
        .map(({ field, places }) => [
          ...fieldInlines(field.pointer),
          text(`, the same at ${places.length} places: `),
          ...joined(places.slice(0, PLACES).map(fieldInlines), ', '),
          ...more(places.length - PLACES),
        ]),
    });
  if (severityRank(group.severity) >= severityRank('low')) return [details(title, body, [names])];
  return [paragraph(...title), ...body];
}

/** A title that names every change with its values needs no table below it. */
function isToldByTitle(distinct: Distinct[]): boolean {
  return (
    distinct.length <= IN_TITLE &&
    distinct.every(({ field, places }) => {
      if (places.length > 1 || isText(field) || field.beforeUnknown === true) return false;
      if (requiredWords(field) !== undefined) return true;
      const { before, after } = fieldWords(field);
      return before.complete && after.complete && (field.after !== undefined || field.before === undefined);
    })
  );
}

interface Distinct {
  field: ReportField;
  /** Every pointer at which this same change stands, the field's own first. */
  places: string[];
}

/** Fields with the same class, last token and values are one change at several places. */
function distinctChanges(fields: ReportField[]): Distinct[] {
  const found = new Map<string, { field: ReportField; places: Set<string> }>();
  for (const field of fields) {
    const keyword = field.pointer.slice(field.pointer.lastIndexOf('/'));
    const key = JSON.stringify([field.class, keyword, field.before, field.after, field.before === undefined]);
    const there = found.get(key);
    if (there === undefined) found.set(key, { field, places: new Set([field.pointer]) });
    else there.places.add(field.pointer);
  }
  const distinct = [...found.values()].map(({ field, places }): Distinct => ({ field, places: [...places] }));
  return distinct.sort(
    (a, b) =>
      severityRank(a.field.severity) - severityRank(b.field.severity) || b.places.length - a.places.length,
  );
}

/** `inputSchema.$schema` draft-07 → 2020-12, parameter `title` required → optional. */
function shortChange({ field, places }: Distinct): Inline[] {
  const required = requiredWords(field);
  if (required !== undefined) {
    const label = places.length === 1 ? required.label : [text('parameter '), code(`…${required.name}`)];
    return [...label, text(' '), ...required.before.inlines, text(' → '), ...required.after.inlines];
  }
  const label =
    places.length === 1
      ? fieldInlines(field.pointer)
      : [code(`…${field.pointer.slice(field.pointer.lastIndexOf('/') + 1)}`)];
  if (isText(field)) return label;
  const { before, after } = fieldWords(field);
  if (field.before === undefined && field.beforeUnknown !== true)
    return [...label, text(' added, '), ...after.inlines];
  if (field.after === undefined) return [...label, text(' removed')];
  return [...label, text(' '), ...before.inlines, text(' → '), ...after.inlines];
}
