import { keyColumns } from './judge-postgres.ts';
import { type OtherTarget, otherBounded, otherTautology } from './other-bounded.ts';
import { identifier, type NamePart, nameParts, type OtherLists, OtherWalk } from './other-walk.ts';
import { checkTableName } from './table-names.ts';
import { isNode, listAt, member, nodeAt, type Tree, tagged } from './tree.ts';
import type { SqlConcern, SqlJudgement, SqlKeys } from './types.ts';

/** Statements that show the catalog or the server's state, and the members they may have. */
const SHOWS = new Map([
  ['ShowTables', 'terse history extended full external show_options'],
  ['ShowViews', 'terse materialized show_options'],
  ['ShowColumns', 'extended full show_options'],
  ['ShowCreate', 'obj_type obj_name'],
  ['ShowDatabases', 'terse history show_options'],
  ['ShowSchemas', 'terse history show_options'],
  ['ShowFunctions', 'filter'],
  ['ShowCollation', 'filter'],
  ['ShowStatus', 'filter session global'],
  ['ShowVariables', 'filter session global'],
  ['ShowVariable', 'variable'],
  ['ShowProcessList', 'full'],
  ['ShowObjects', 'terse show_options'],
  ['ShowCharset', 'is_shorthand filter'],
]);

const INDIRECT = new Set([
  'Call',
  'Execute',
  'Prepare',
  'StartTransaction',
  'Declare',
  'Fetch',
  'Open',
  'Return',
  'If',
  'While',
  'Case',
]);

const held = (code: SqlConcern['code'], text: string): SqlJudgement => ({
  tier: 0,
  concerns: [{ code, text }],
});

/** Judges what sqlparser gives for a whole text. Throws nothing for any tree. */
export function judgeOther(parsed: Tree, lists: OtherLists, keys: SqlKeys | undefined): SqlJudgement {
  const statements = Array.isArray(parsed) ? parsed : [];
  if (statements.length > 1) return held('E_SQL_MULTI', `the text holds ${statements.length} statements`);
  const [type, node] = tagged(statements[0]) ?? [];
  if (type === undefined || node === undefined) return held('E_SQL_UNPARSED', 'the text holds no statement');
  return judgeStatement(type, node, lists, keys);
}

function judgeStatement(
  type: string,
  node: Tree,
  lists: OtherLists,
  keys: SqlKeys | undefined,
): SqlJudgement {
  const shows = SHOWS.get(type);
  if (shows !== undefined) return onlyMembers(type, node, shows);
  switch (type) {
    case 'Query': {
      const walk = new OtherWalk(lists, false);
      walk.visit('Query', node);
      return { tier: walk.locks ? 1 : 0, concerns: walk.concerns };
    }
    case 'Explain':
      return judgeExplain(node, lists);
    case 'ExplainTable':
      return judgeDescribe(node, lists);
    case 'Insert':
      return judgeInsert(node, lists);
    case 'Update':
      return judgeUpdate(node, lists, keys);
    case 'Delete':
      return judgeDelete(node, lists, keys);
  }
  if (INDIRECT.has(type)) return held('E_SQL_INDIRECT', `${type} runs something that is not in the text`);
  return held('E_SQL_SHAPE', `${type} is neither a read nor bounded DML`);
}

const isEmpty = (value: Tree): boolean =>
  value === null || value === false || value === 'None' || (Array.isArray(value) && value.length === 0);

/** The members of a node that are there and not known. */
function unknownMembers(node: Tree, known: string): string[] {
  const names = new Set(known.split(' '));
  if (!isNode(node)) return [];
  return Object.entries(node)
    .filter(([key, value]) => !names.has(key) && !key.endsWith('_token') && key !== 'span' && !isEmpty(value))
    .map(([key]) => key);
}

function membersConcerns(type: string, node: Tree, known: string): SqlConcern[] {
  return unknownMembers(node, known).map((key) => ({ code: 'E_SQL_SHAPE', text: `${type} with ${key}` }));
}

const onlyMembers = (type: string, node: Tree, known: string): SqlJudgement => ({
  tier: 0,
  concerns: membersConcerns(type, node, known),
});

/** EXPLAIN of a read only; DML may run, in a dialect's own spelling of ANALYZE. */
function judgeExplain(node: Tree, lists: OtherLists): SqlJudgement {
  const [type, query] = tagged(member(node, 'statement')) ?? [];
  if (type !== 'Query' || query === undefined)
    return held('E_SQL_SHAPE', 'EXPLAIN of something that is no query');
  const judgement = judgeStatement(type, query, lists, undefined);
  const known = 'statement analyze describe_alias format query_plan verbose estimate';
  judgement.concerns.push(...membersConcerns('Explain', node, known));
  return judgement;
}

function judgeDescribe(node: Tree, lists: OtherLists): SqlJudgement {
  const concerns = membersConcerns('Describe', node, 'describe_alias has_table_keyword table_name');
  const parts = nameParts(member(node, 'table_name'));
  const problem = parts ? checkTableName(parts, lists.dialect) : 'a table whose name is computed';
  if (problem) concerns.push({ code: 'E_SQL_SHAPE', text: problem });
  return { tier: 0, concerns };
}

/** Schemas of the servers themselves: a bounded change there may be a grant. */
const SYSTEM_SCHEMAS = new Set(
  `mysql sys performance_schema information_schema pg_catalog system master msdb model tempdb snowflake account_usage
  xdb mdsys ctxsys`.split(/\s+/),
);

interface Changed {
  walk: OtherWalk;
  /** Empty when the target is not a plain table. */
  table: NamePart[];
}

function changed(lists: OtherLists, name: Tree | undefined): Changed {
  const walk = new OtherWalk(lists, true);
  const table = nameParts(name) ?? [];
  const problem =
    table.length === 0 ? 'the target of the change is no plain table' : checkTableName(table, lists.dialect);
  if (problem) walk.concerns.push({ code: 'E_SQL_SHAPE', text: problem });
  const schemas = table.slice(0, -1).map((part) => part.text.toLowerCase());
  const own = table.at(-1)?.text.toLowerCase() ?? '';
  if (schemas.some((schema) => SYSTEM_SCHEMAS.has(schema)) || /^(sqlite_|pg_|sys\.|dba_|v\$)/.test(own)) {
    walk.concerns.push({ code: 'E_SQL_SHAPE', text: `${own} belongs to the server` });
  }
  return { walk, table };
}

function judgeInsert(node: Tree, lists: OtherLists): SqlJudgement {
  const { walk, table } = changed(lists, member(nodeAt(node, 'table'), 'TableName'));
  walk.concerns.push(...membersConcerns('Insert', node, 'into table columns source'));
  const columns = listAt(node, 'columns').map((column) => nameParts(column)?.at(-1)?.text.toLowerCase());
  if (lists.dialect === 'sqlite' && columns.includes(table.at(-1)?.text.toLowerCase())) {
    walk.concerns.push({ code: 'E_SQL_SHAPE', text: 'a command to a full-text table' });
  }
  const source = nodeAt(node, 'source');
  const values = nodeAt(member(source, 'body'), 'Values');
  if (!source || !values || unknownMembers(source, 'body').length > 0) {
    walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: 'INSERT takes its rows from a query' });
    return { tier: 1, concerns: walk.concerns };
  }
  walk.concerns.push(...membersConcerns('Values', values, 'rows'));
  for (const row of listAt(values, 'rows')) {
    walk.concerns.push(...membersConcerns('Row', row, 'content'));
    for (const value of listAt(row, 'content')) walk.visit('expr', value);
  }
  return { tier: 1, concerns: walk.concerns };
}

/** The one table of `FROM table AS alias`, and whether it stands alone. */
function target(lists: OtherLists, from: Tree | undefined): Changed & { alias: string; alone: boolean } {
  const relation = nodeAt(from, 'relation');
  const table = nodeAt(relation, 'Table');
  const found = changed(lists, member(table, 'name'));
  if (table) found.walk.concerns.push(...membersConcerns('Table', table, 'name alias'));
  const alias = nodeAt(table, 'alias');
  if (alias) found.walk.concerns.push(...membersConcerns('Alias', alias, 'name explicit'));
  return {
    ...found,
    alias: identifier(member(alias, 'name'))?.text ?? '',
    alone: unknownMembers(from ?? null, 'relation').length === 0,
  };
}

function judgeDelete(node: Tree, lists: OtherLists, keys: SqlKeys | undefined): SqlJudgement {
  const [, from] = tagged(member(node, 'from')) ?? [];
  const tables = Array.isArray(from) ? from : [];
  const found = target(lists, tables[0]);
  found.walk.concerns.push(...membersConcerns('Delete', node, 'from selection limit'));
  if (tables.length !== 1 || !found.alone || listAt(node, 'tables').length > 0) {
    found.walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: 'DELETE names more than one table' });
  }
  return bounded('DELETE', node, found, lists, keys);
}

function judgeUpdate(node: Tree, lists: OtherLists, keys: SqlKeys | undefined): SqlJudgement {
  const found = target(lists, member(node, 'table'));
  found.walk.concerns.push(...membersConcerns('Update', node, 'table assignments selection limit'));
  if (!found.alone || member(node, 'from')) {
    found.walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: 'UPDATE joins another table' });
  }
  for (const assignment of listAt(node, 'assignments')) {
    found.walk.concerns.push(...membersConcerns('Set', assignment, 'target value'));
    if (!nameParts(member(nodeAt(assignment, 'target'), 'ColumnName'))) {
      found.walk.concerns.push({ code: 'E_SQL_SHAPE', text: 'SET of something that is no column' });
    }
    found.walk.visit('expr', member(assignment, 'value'));
  }
  return bounded('UPDATE', node, found, lists, keys);
}

function bounded(
  verb: string,
  node: Tree,
  found: Changed & { alias: string },
  lists: OtherLists,
  keys: SqlKeys | undefined,
): SqlJudgement {
  const { walk } = found;
  const where = member(node, 'selection');
  if (!isNode(where)) {
    walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: `${verb} has no WHERE` });
    return { tier: 1, concerns: walk.concerns };
  }
  const table = found.table.at(-1)?.text ?? '';
  const schema = found.table.at(-2)?.text;
  const goal: OtherTarget = {
    dialect: lists.dialect,
    name: (found.alias || table).toLowerCase(),
    keys: keys && keyColumns(keys, table, schema),
  };
  if (!otherBounded(where, goal)) {
    const tautology = otherTautology(where);
    if (tautology) walk.concerns.push({ code: 'E_SQL_TAUTOLOGY', text: tautology });
    walk.concerns.push({
      code: 'E_SQL_UNBOUNDED',
      text: `${verb}: not every branch of WHERE has ${keys ? 'a key column' : 'a column'} = constant`,
    });
  }
  walk.visit('expr', where);
  // MySQL reads || as OR, weaker than AND, and the parser does not.
  if (lists.dialect === 'mysql' && JSON.stringify(node).includes('"StringConcat"')) {
    walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: '|| is OR in MySQL, or not, by a setting' });
  }
  const limit = member(node, 'limit');
  if (limit) walk.visit('expr', limit);
  return { tier: 1, concerns: walk.concerns };
}
