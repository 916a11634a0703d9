import type { OtherDialect } from './other-functions.ts';
import type { NamePart } from './other-names.ts';

/** Names that DuckDB and ClickHouse take for a file. */
const FILE =
  /\.(csv|tsv|txt|parquet|json|ndjson|jsonl|xlsx?|gz|zst|bz2|arrow|feather|ipc|orc|avro|db|duckdb|sqlite3?|shp|geojson|gpkg|log|md|ya?ml|xml|conf|native)$/i;

/** SQLite's virtual tables that reach files or the pages of the database. */
const SQLITE_TABLES = new Set([
  'fsdir',
  'zipfile',
  'sqlite_dbpage',
  'sqlite_dbdata',
  'sqlite_dbptr',
  'csv',
  'lsdir',
]);

/** SQLite's tables made of pragmas that only show; the other names `pragma_…` may be commands. */
const SQLITE_PRAGMA =
  /^pragma_(table_list|database_list|function_list|collation_list|compile_options|module_list|pragma_list)$/i;

/** Catalogs that show passwords or keys. */
const SECRET = new Map<OtherDialect, RegExp>([
  ['mysql', /^mysql\.(user|global_priv|servers|slave_master_info)$/i],
  ['mssql', /(^|\.)(syslogins|sql_logins|sysxlgns|linked_logins|credentials|key_encryptions)$/i],
  ['oracle', /(^|\.)(user\$|link\$|dba_db_links)$/i],
]);

/**
 * Why a table is held, from the parts of its name; undefined for a name that can only be a table or a view.
 * A path, a stage, a URL, a linked server or a database link is none.
 */
export function checkTableName(parts: readonly NamePart[], dialect: OtherDialect): string | undefined {
  const whole = parts.map((part) => part.text).join('.');
  const limit =
    dialect === 'mssql' || dialect === 'bigquery' || dialect === 'snowflake' || dialect === 'duckdb' ? 3 : 2;
  // BigQuery's catalog adds a part or two: `project.region-eu.INFORMATION_SCHEMA.TABLES`.
  const most = dialect === 'bigquery' && /information_schema/i.test(whole) ? 4 : limit;
  if (parts.length > most) return `${whole} has more parts than a table of this server`;
  for (const { text, quote } of parts) {
    if (quote === "'") return `'${text}' in FROM may be a file`;
    if (text === '' && dialect === 'mssql') continue;
    if (!nameForm(dialect, quote !== '').test(text)) return `${text} is not the name of a table`;
  }
  if (['duckdb', 'clickhouse'].includes(dialect) && FILE.test(whole)) return `${whole} may be a file`;
  const own = parts.at(-1)?.text.toLowerCase() ?? '';
  if (dialect === 'sqlite') {
    const reaches = SQLITE_TABLES.has(own) || (own.startsWith('pragma_') && !SQLITE_PRAGMA.test(own));
    if (reaches) return `${whole} reaches beyond the tables`;
  }
  if (SECRET.get(dialect)?.test(whole)) return `${whole} shows what the server keeps secret`;
  return undefined;
}

function nameForm(dialect: OtherDialect, quoted: boolean): RegExp {
  if (dialect === 'bigquery') return /^[\p{L}_][\p{L}\p{N}_-]*\*?$/u;
  if (dialect === 'mssql') return quoted ? /^[#\p{L}\p{N}_ $-]+$/u : /^#{0,2}[\p{L}_][\p{L}\p{N}_$#]*$/u;
  return quoted ? /^[\p{L}\p{N}_ $-]+$/u : /^[\p{L}_][\p{L}\p{N}_$#]*$/u;
}
