import { keyColumns } from './judge-postgres.ts';
import { type OtherTarget, otherBounded, otherTautology } from './other-bounded.ts';
import type { OtherLists } from './other-lists.ts';
import { membersConcerns, unknownMembers } from './other-members.ts';
import { identifier, type NamePart, nameParts } from './other-names.ts';
import { OtherWalk } from './other-walk.ts';
import { checkTableName } from './table-names.ts';
import { isNode, listAt, member, nodeAt, type Tree, tagged } from './tree.ts';
import type { SqlJudgement, SqlKeys } from './types.ts';

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

export function judgeInsert(node: Tree, lists: OtherLists): SqlJudgement {
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

export function judgeDelete(node: Tree, lists: OtherLists, keys: SqlKeys | undefined): SqlJudgement {
  const [, from] = tagged(member(node, 'from')) ?? [];
  const tables = Array.isArray(from) ? from : [];
  const found = target(lists, tables[0]);
  found.walk.concerns.push(...membersConcerns('Delete', node, 'from selection limit'));
  if (tables.length !== 1 || !found.alone || listAt(node, 'tables').length > 0) {
    found.walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: 'DELETE names more than one table' });
  }
  return bounded('DELETE', node, found, lists, keys);
}

export function judgeUpdate(node: Tree, lists: OtherLists, keys: SqlKeys | undefined): SqlJudgement {
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
