import type { SqlDialect } from './types.ts';

/** Why a text cannot be cut into strings, comments and code with certainty. */
export type Doubt =
  | 'exec-comment'
  | 'nested-comment'
  | 'dashes'
  | 'backslash'
  | 'quote'
  | 'open'
  | 'open-comment'
  | 'sign'
  | 'comment-mark';

export interface Lexed {
  /** The text with each string as `'s'`, each quoted name as `"i"` and each comment as a blank. */
  code: string;
  doubts: Set<Doubt>;
}

interface Traits {
  backtickNames: boolean;
  bracketNames: boolean;
  dollarQuotes: boolean;
  nestedComments: boolean;
  hashComments: boolean;
  /** `E'…'` is a string with backslash escapes whatever the settings are. */
  escapeStrings: boolean;
}

function traitsOf(dialect: SqlDialect): Traits {
  return {
    backtickNames: ['mysql', 'sqlite', 'bigquery', 'clickhouse'].includes(dialect),
    bracketNames: ['mssql', 'sqlite'].includes(dialect),
    dollarQuotes: dialect === 'postgresql',
    nestedComments: dialect === 'postgresql',
    hashComments: ['mysql', 'bigquery'].includes(dialect),
    escapeStrings: dialect === 'postgresql',
  };
}

const WORD = /[\p{L}\p{N}_$]/u;

/** Dialects whose parser takes a backslash in any string for an escape. */
const ESCAPING: readonly SqlDialect[] = ['mysql', 'bigquery', 'snowflake', 'clickhouse'];

/**
 * Cuts a statement into code, strings, quoted names and comments, and notes every place where servers, settings
 * and parsers differ on where one of them ends. It decides nothing by itself: the parser reads the whole text.
 *
 * A backslash before a quote is no doubt where one reading leaves a string open and has no semicolon before it: a
 * server that reads so refuses the whole text, and any other server reads as the parser does.
 */
export function lex(sql: string, dialect: SqlDialect): Lexed {
  const plain = lexAs(sql, dialect, false);
  if (!plain.doubts.has('backslash')) return plain;
  const escaped = lexAs(sql, dialect, true);
  const [parsers, other] = ESCAPING.includes(dialect) ? [escaped, plain] : [plain, escaped];
  const certain = other.doubts.has('open') && !other.code.includes(';');
  const doubts = new Set(parsers.doubts);
  if (other.doubts.has('quote')) doubts.add('quote');
  if (certain) doubts.delete('backslash');
  else doubts.add('backslash');
  return { code: parsers.code, doubts };
}

/** One reading: with a backslash as an escape in every string, or only where the text says so. */
function lexAs(sql: string, dialect: SqlDialect, escapesEverywhere: boolean): Lexed {
  const traits = traitsOf(dialect);
  const doubts = new Set<Doubt>();
  let code = '';
  let at = 0;

  /** From the opening quote to after the closing one; a doubled quote is part of the content. */
  const quoted = (quote: string, escapes: boolean, unsure = false): void => {
    let run = 0;
    at += 1;
    while (at < sql.length) {
      const here = sql[at];
      if (here === '\\') {
        run += 1;
        at += 1;
        continue;
      }
      if (here === quote) {
        const odd = run % 2 === 1;
        run = 0;
        if (odd && escapes && !unsure) {
          at += 1;
          continue;
        }
        if (odd) doubts.add(unsure ? 'quote' : 'backslash');
        if (sql[at + 1] === quote) {
          at += 2;
          continue;
        }
        at += 1;
        return;
      }
      run = 0;
      at += 1;
    }
    doubts.add('open');
  };

  const blockComment = (): void => {
    let depth = 0;
    if (/^\/\*M?!/i.test(sql.slice(at, at + 4))) doubts.add('exec-comment');
    while (at < sql.length) {
      if (sql.startsWith('/*', at)) {
        if (depth > 0 && !traits.nestedComments) doubts.add('nested-comment');
        depth = traits.nestedComments ? depth + 1 : 1;
        at += 2;
      } else if (sql.startsWith('*/', at)) {
        depth -= 1;
        at += 2;
        if (depth === 0) return;
      } else {
        at += 1;
      }
    }
    doubts.add('open-comment');
  };

  const lineComment = (): void => {
    const end = sql.indexOf('\n', at);
    at = end < 0 ? sql.length : end;
  };

  while (at < sql.length) {
    const here = sql[at] ?? '';
    const next = sql[at + 1] ?? '';
    if (here === '-' && next === '-') {
      if (dialect === 'mysql' && !/^\s?$/.test(sql[at + 2] ?? '')) doubts.add('dashes');
      lineComment();
      code += ' ';
    } else if (here === '/' && next === '*') {
      blockComment();
      code += ' ';
    } else if (here === '#' && traits.hashComments) {
      lineComment();
      code += ' ';
    } else if (here === "'" || here === '"') {
      const before = code.at(-1) ?? '';
      const prefix = /(?<![\p{L}\p{N}_$])[\p{L}]+$/u.exec(code.slice(-8))?.[0].toLowerCase() ?? '';
      if (dialect === 'bigquery' && sql.startsWith(here.repeat(3), at)) doubts.add('quote');
      if (dialect === 'oracle' && /^n?q$/.test(prefix)) doubts.add('quote');
      // Two readings are too few: MySQL may take "…" for a name, and a raw string of BigQuery has rules of its own.
      const unsure =
        (dialect === 'mysql' && here === '"') || (dialect === 'bigquery' && /^(r|rb|br)$/.test(prefix));
      const escapeString = traits.escapeStrings && here === "'" && prefix === 'e' && WORD.test(before);
      quoted(here, escapesEverywhere || escapeString, unsure);
      code += here === "'" ? "'s'" : '"i"';
    } else if ((here === '`' && traits.backtickNames) || (here === '[' && traits.bracketNames)) {
      quoted(here === '[' ? ']' : here, false);
      code += '"i"';
    } else if (
      here === '$' &&
      !WORD.test(code.at(-1) ?? '') &&
      /^\$[\p{L}_]?[\p{L}\p{N}_]*\$/u.test(sql.slice(at, at + 70))
    ) {
      const tag = /^\$[^$]*\$/.exec(sql.slice(at))?.[0] ?? '$$';
      if (!traits.dollarQuotes) doubts.add('quote');
      const end = sql.indexOf(tag, at + tag.length);
      if (end < 0) doubts.add('open');
      at = end < 0 ? sql.length : end + tag.length;
      code += "'s'";
    } else {
      const character = String.fromCodePoint(sql.codePointAt(at) ?? 0);
      if (character > '\u007f' && !/[\p{L}\p{M}\p{N}]/u.test(character)) doubts.add('sign');
      if (here === '#' && dialect !== 'postgresql') {
        // #temporary in T-SQL, and serial# in Oracle, are names.
        const named =
          dialect === 'mssql' ? /[\w#]/.test(next) : dialect === 'oracle' && WORD.test(code.at(-1) ?? '');
        if (!named) doubts.add('comment-mark');
      }
      if (here === '`' && dialect !== 'postgresql') doubts.add('quote');
      if (here === '/' && next === '/' && dialect === 'snowflake') doubts.add('comment-mark');
      code += character;
      at += character.length;
    }
  }
  return { code, doubts };
}
