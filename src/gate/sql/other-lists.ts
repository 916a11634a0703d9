import {
  CLICKHOUSE_ENDINGS,
  type OtherDialect,
  type OtherFunctions,
  otherFunctions,
} from './other-functions.ts';
import { type OtherShapes, otherReadShapes, otherScalarShapes } from './other-shapes.ts';

/** What is known to only read, in one dialect. */
export interface OtherLists {
  dialect: OtherDialect;
  read: OtherShapes;
  scalar: OtherShapes;
  functions: OtherFunctions;
}

export function otherLists(dialect: OtherDialect): OtherLists {
  return {
    dialect,
    read: otherReadShapes(),
    scalar: otherScalarShapes(),
    functions: otherFunctions(dialect),
  };
}

/** True for a function that is known to only read, in its dialect's own spellings. */
export function isKnownFunction(lists: OtherLists, name: string, kind: 'scalar' | 'table'): boolean {
  const known = lists.functions[kind];
  if (known.has(name)) return true;
  if (kind === 'table') return false;
  if (lists.dialect === 'bigquery' && name.startsWith('safe.')) return known.has(name.slice(5));
  if (lists.dialect === 'clickhouse') {
    for (let base = name; CLICKHOUSE_ENDINGS.test(base); ) {
      base = base.replace(CLICKHOUSE_ENDINGS, '');
      if (known.has(base)) return true;
    }
  }
  return false;
}
