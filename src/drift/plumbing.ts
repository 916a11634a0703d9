import { type Json, pointerTokens } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { stableText } from './equal.ts';
import type { ChangeGroup, GroupField } from './group.ts';

/** One kind of schema plumbing over many capabilities. */
export interface PlumbingItem {
  /** The keyword: `$schema`, `execution`, `additionalProperties` …; it may come from the server. */
  keyword: string;
  change: 'added' | 'removed' | 'changed';
  /** Set when the value is the same everywhere. `$schema` gives the dialect's short name. */
  before?: Json;
  after?: Json;
  /** The capabilities' names, in code-unit order. */
  names: string[];
  /** Places over all capabilities. */
  places: number;
}

/** What a `plumbing` group comes to, the most frequent first: enough for one line. */
export function plumbingItems(group: ChangeGroup): PlumbingItem[] {
  const found = new Map<string, { keyword: string; fields: GroupField[]; names: Set<string> }>();
  for (const { change, field } of group.members) {
    const keyword = pointerTokens(field.pointer).at(-1) ?? '';
    const key = JSON.stringify([keyword, how(field)]);
    const item = found.get(key) ?? { keyword, fields: [], names: new Set() };
    item.fields.push(field);
    item.names.add(change.name);
    found.set(key, item);
  }
  return [...found.values()]
    .map(({ keyword, fields, names }) => toItem(keyword, fields, names))
    .sort((a, b) => b.names.length - a.names.length || byCodeUnit(a.keyword, b.keyword));
}

function how(field: GroupField): PlumbingItem['change'] {
  if (field.before === undefined) return 'added';
  return field.after === undefined ? 'removed' : 'changed';
}

function toItem(keyword: string, fields: readonly GroupField[], names: ReadonlySet<string>): PlumbingItem {
  const [first] = fields;
  const common = (side: 'before' | 'after'): Json | undefined => {
    const text = stableText(first?.[side]);
    if (!fields.every((field) => stableText(field[side]) === text)) return undefined;
    return keyword === '$schema' ? dialectName(first?.[side]) : first?.[side];
  };
  const [before, after] = [common('before'), common('after')];
  return {
    keyword,
    change: first ? how(first) : 'changed',
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    names: [...names].sort(byCodeUnit),
    places: fields.length,
  };
}

/** `draft-07` of `http://json-schema.org/draft-07/schema#`, `2020-12` of its successor's; any other value as it is. */
export function dialectName(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  const name = /^https?:\/\/json-schema\.org\/(?:draft\/)?([\w-]{1,20})\/schema#?$/.exec(value)?.[1];
  return name ?? value;
}
