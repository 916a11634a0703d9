import { hasHidden } from '../../util/hidden.ts';
import { type Doubt, lex } from './lexical.ts';
import { tsqlSeveral } from './tsql-words.ts';
import {
  MAX_SQL_CHARACTERS,
  MAX_SQL_NESTING,
  MAX_SQL_OPERATORS,
  type SqlConcern,
  type SqlDialect,
} from './types.ts';

const DOUBTS: ReadonlyMap<Doubt, SqlConcern> = new Map<Doubt, SqlConcern>([
  ['exec-comment', { code: 'E_SQL_EXEC_COMMENT', text: 'a comment that the server runs (/*! or /*M!)' }],
  [
    'nested-comment',
    { code: 'E_SQL_UNPARSED', text: 'a comment inside a comment, which servers end differently' },
  ],
  ['dashes', { code: 'E_SQL_UNPARSED', text: '-- without a blank after it, which is no comment in MySQL' }],
  [
    'backslash',
    { code: 'E_SQL_UNPARSED', text: 'a backslash before a quote, which ends a string or not by a setting' },
  ],
  ['quote', { code: 'E_SQL_UNPARSED', text: 'a kind of quote whose end is not certain' }],
  ['open', { code: 'E_SQL_UNPARSED', text: 'a string or name that does not end' }],
  ['open-comment', { code: 'E_SQL_UNPARSED', text: 'a comment that does not end' }],
  ['sign', { code: 'E_SQL_UNPARSED', text: 'a sign outside ASCII in the code of the statement' }],
  ['comment-mark', { code: 'E_SQL_UNPARSED', text: 'a mark that only some servers take for a comment' }],
]);

const OPERATORS =
  /[-+*/%<>=!~^&|#@?:]+|\b(?:and|or|xor|not|union|except|intersect|minus|join|case|when|in|is|like|ilike|between|cast|collate|div|mod|interval|exists|any|all|some|select)\b/gi;

/** `first` statement word in capitals, and what is found in the text without a parser. */
export interface SqlScan {
  concerns: SqlConcern[];
  /** The first word, upper case, or ''. */
  firstWord: string;
  /** The text, taken in the reading that has most, holds something after a semicolon. */
  several: boolean;
}

/**
 * What can be said before a parser reads the text: sizes, hidden characters, places whose reading is not certain.
 * Linear in the length; a text over the limit is not looked at.
 */
export function scanSql(sql: string, dialect: SqlDialect): SqlScan {
  if (sql.length > MAX_SQL_CHARACTERS) {
    const text = `more than ${MAX_SQL_CHARACTERS} characters`;
    return { concerns: [{ code: 'E_SQL_LIMIT', text }], firstWord: '', several: false };
  }
  const { code, doubts } = lex(sql, dialect);
  const concerns: SqlConcern[] = [];
  const hidden = hasHidden(sql);
  if (hidden) concerns.push({ code: 'E_SQL_UNPARSED', text: 'control or invisible characters' });
  for (const doubt of doubts) {
    const concern = DOUBTS.get(doubt);
    if (concern) concerns.push(concern);
  }
  const several = /;\s*[^\s;]/.test(hidden || doubts.size > 0 ? sql : code);
  if (several && concerns.length > 0) {
    concerns.push({ code: 'E_SQL_MULTI', text: 'there is text after a semicolon' });
  }
  if (/^[\s;]*$/.test(code) && concerns.length === 0) {
    concerns.push({ code: 'E_SQL_UNPARSED', text: 'the text holds no statement' });
  }
  if ((code.match(OPERATORS)?.length ?? 0) > MAX_SQL_OPERATORS) {
    concerns.push({ code: 'E_SQL_LIMIT', text: `more than ${MAX_SQL_OPERATORS} operators` });
  }
  if (nesting(code) > MAX_SQL_NESTING) {
    concerns.push({ code: 'E_SQL_LIMIT', text: `brackets nested deeper than ${MAX_SQL_NESTING}` });
  }
  if (dialect === 'mssql' && concerns.length === 0) {
    const word = tsqlSeveral(code);
    if (word) concerns.push({ code: 'E_SQL_MULTI', text: `${word} starts another statement` });
  }
  const firstWord = /^[\s(;]*([a-z_]+)/i.exec(code)?.[1]?.toUpperCase() ?? '';
  return { concerns, firstWord, several };
}

function nesting(code: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of code) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
