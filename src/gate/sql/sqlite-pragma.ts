import type { SqlJudgement } from './types.ts';

/** Pragmas that take the name of a table or an index, and show it. Source: sqlite.org, "PRAGMA Statements". */
const ABOUT = new Set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check
  integrity_check quick_check`.split(/\s+/),
);

/** Pragmas that show a value when they get none. */
const VALUES = new Set(
  `application_id auto_vacuum busy_timeout cache_size cell_size_check checkpoint_fullfsync collation_list compile_options
  data_version database_list defer_foreign_keys encoding foreign_key_check foreign_keys freelist_count fullfsync
  function_list integrity_check journal_mode journal_size_limit locking_mode max_page_count mmap_size module_list
  page_count page_size pragma_list query_only quick_check read_uncommitted recursive_triggers schema_version
  secure_delete synchronous table_list temp_store threads user_version wal_autocheckpoint`.split(/\s+/),
);

const FORM =
  /^\s*pragma\s+(?:[a-z_]\w*\s*\.\s*)?([a-z_]+)\s*(\(\s*(?:'[\w .-]*'|"[\w .-]*"|`[\w .-]*`|\w+)\s*\))?[\s;]*$/i;

/** Judges a text that starts with PRAGMA, which the parser reads only in part; undefined for any other text. */
export function judgePragma(sql: string): SqlJudgement | undefined {
  if (!/^\s*pragma\b/i.test(sql)) return undefined;
  const [, name = '', argument] = FORM.exec(sql) ?? [];
  const known = (argument === undefined ? VALUES : ABOUT).has(name.toLowerCase());
  if (known) return { tier: 0, concerns: [] };
  return { tier: 0, concerns: [{ code: 'E_SQL_SHAPE', text: 'PRAGMA that is not known to only show' }] };
}
