/** Dialects that are inspected. A dialect is always named by the policy of a server, never guessed from the text. */
export const SQL_DIALECTS = [
  'postgresql',
  'mysql',
  'sqlite',
  'mssql',
  'bigquery',
  'snowflake',
  'duckdb',
  'clickhouse',
  'oracle',
] as const;

export type SqlDialect = (typeof SQL_DIALECTS)[number];

const OTHER_NAMES = new Map<string, SqlDialect>([
  ['postgres', 'postgresql'],
  ['pg', 'postgresql'],
  ['mariadb', 'mysql'],
  ['sqlite3', 'sqlite'],
  ['tsql', 'mssql'],
  ['sqlserver', 'mssql'],
]);

/** The dialect that `name` means (case does not matter; `postgres`, `tsql`, `mariadb` … are understood), or undefined. */
export function sqlDialect(name: string): SqlDialect | undefined {
  const lower = name.toLowerCase();
  return SQL_DIALECTS.find((dialect) => dialect === lower) ?? OTHER_NAMES.get(lower);
}

/** Why a statement is held. Stable. */
export type SqlCode =
  /** More than one statement, or a text that may be more than one. */
  | 'E_SQL_MULTI'
  /** A comment that a server runs: `/*!` or `/*M!`. */
  | 'E_SQL_EXEC_COMMENT'
  /** A WHERE with a branch that is true for every row. */
  | 'E_SQL_TAUTOLOGY'
  /** DML that is not proved to touch only rows named by a constant. */
  | 'E_SQL_UNBOUNDED'
  /** Runs something else that is not in the text: CALL, EXECUTE, DO, PREPARE. */
  | 'E_SQL_INDIRECT'
  /** A function, table function, operator or type that is not known to only read. */
  | 'E_SQL_FUNCTION'
  /** A statement, clause or table source that is not on the list of reads. */
  | 'E_SQL_SHAPE'
  /** Not read with certainty: a syntax error, hidden characters, a quote that may or may not end a string. */
  | 'E_SQL_UNPARSED'
  /** Larger or deeper than is inspected, or the inspection took too long. */
  | 'E_SQL_LIMIT';

export type SqlTier = 0 | 1 | 2;

/** 0: reads. 1: changes rows that constants name. 2: wait for a human; `codes` say why. */
export interface SqlVerdict {
  tier: SqlTier;
  /** Empty unless `tier` is 2; each code once. */
  codes: SqlCode[];
  /** One sentence. Parts of the statement in it are from outside: print with control characters escaped. */
  reason: string;
}

/** Table name (lower case, with or without schema) to the columns that identify its rows (lower case). */
export type SqlKeys = ReadonlyMap<string, readonly string[]>;

export interface SqlOptions {
  /** One of {@link SQL_DIALECTS} or another usual name of one; anything else is held as E_SQL_UNPARSED. */
  dialect: string;
  /** Milliseconds for parsing and judging; the statement is held as E_SQL_LIMIT after it. */
  timeoutMs?: number;
  /** When given, DML is tier 1 only where the bounding column is a key of the target table. */
  keys?: SqlKeys;
}

/** One reason to hold. */
export interface SqlConcern {
  code: SqlCode;
  /** Follows "held: ". */
  text: string;
}

/** What a judge of one dialect says before it becomes a verdict. */
export interface SqlJudgement {
  /** The tier when there are no concerns. */
  tier: 0 | 1;
  concerns: SqlConcern[];
}

/** Most characters of a statement that are inspected. */
export const MAX_SQL_CHARACTERS = 20_000;
/** Most operators (and words that act as one: AND, UNION, JOIN …). */
export const MAX_SQL_OPERATORS = 500;
/** Deepest nesting of brackets. */
export const MAX_SQL_NESTING = 64;
/** Milliseconds, where the options give none. */
export const SQL_TIMEOUT_MS = 2_000;
