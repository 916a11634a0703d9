import { type PgTarget, pgBounded, pgTautology } from './pg-bounded.ts';
import { type PgLists, PgWalk, strings } from './pg-walk.ts';
import { isNode, listAt, member, nodeAt, type Tree, type TreeNode, tagged, textAt } from './tree.ts';
import type { SqlConcern, SqlJudgement, SqlKeys } from './types.ts';

/** Statements that run something which is not in the text. */
const INDIRECT = new Map([
  ['CallStmt', 'CALL runs a procedure'],
  ['DoStmt', 'DO runs a program'],
  ['PrepareStmt', 'PREPARE keeps a statement for later'],
  ['ExecuteStmt', 'EXECUTE runs a statement that is not in the text'],
  ['DeclareCursorStmt', 'DECLARE keeps a query for later'],
  ['FetchStmt', 'FETCH reads a query that is not in the text'],
]);

const EXPLAIN_OPTIONS = new Set(
  'analyze verbose costs settings generic_plan buffers serialize wal timing summary memory format'.split(' '),
);

/** Judges what libpg-query gives for a whole text. Throws nothing for any tree. */
export function judgePostgres(parsed: Tree, lists: PgLists, keys: SqlKeys | undefined): SqlJudgement {
  const statements = listAt(parsed, 'stmts').map((item) => nodeAt(item, 'stmt'));
  if (statements.length > 1) {
    return held({ code: 'E_SQL_MULTI', text: `the text holds ${statements.length} statements` });
  }
  const [type, node] = tagged(statements[0]) ?? [];
  if (type === undefined || !isNode(node)) {
    return held({ code: 'E_SQL_UNPARSED', text: 'the text holds no statement' });
  }
  return judgeStatement(type, node, lists, keys);
}

const held = (...concerns: SqlConcern[]): SqlJudgement => ({ tier: 0, concerns });

function judgeStatement(
  type: string,
  node: TreeNode,
  lists: PgLists,
  keys: SqlKeys | undefined,
): SqlJudgement {
  switch (type) {
    case 'SelectStmt': {
      const walk = new PgWalk(lists, false);
      walk.noteFunctions(node);
      walk.node(type, node);
      return { tier: walk.locks ? 1 : 0, concerns: walk.concerns };
    }
    case 'VariableShowStmt':
      return { tier: 0, concerns: [] };
    case 'ExplainStmt':
      return judgeExplain(node, lists, keys);
    case 'InsertStmt':
      return judgeInsert(node, lists);
    case 'UpdateStmt':
    case 'DeleteStmt':
      return judgeChange(type, node, lists, keys);
  }
  const indirect = INDIRECT.get(type);
  if (indirect) return held({ code: 'E_SQL_INDIRECT', text: indirect });
  return held({
    code: 'E_SQL_SHAPE',
    text: `${type.replace(/Stmt$/, '')} is neither a read nor bounded DML`,
  });
}

/** EXPLAIN is judged as though what it explains ran, with ANALYZE or without. */
function judgeExplain(node: TreeNode, lists: PgLists, keys: SqlKeys | undefined): SqlJudgement {
  const [type, query] = tagged(member(node, 'query')) ?? [];
  if (type === undefined || !isNode(query) || type === 'ExplainStmt') {
    return held({ code: 'E_SQL_SHAPE', text: 'EXPLAIN of something unknown' });
  }
  const judgement = judgeStatement(type, query, lists, keys);
  for (const option of listAt(node, 'options')) {
    const name = textAt(nodeAt(option, 'DefElem'), 'defname') ?? '';
    if (!EXPLAIN_OPTIONS.has(name)) {
      judgement.concerns.push({ code: 'E_SQL_SHAPE', text: `EXPLAIN has the unknown option ${name}` });
    }
  }
  return judgement;
}

/** Holds every member that is not in `known`, and a target that is the server's own. */
function dmlWalk(type: string, node: TreeNode, known: readonly string[], lists: PgLists): PgWalk {
  const walk = new PgWalk(lists, true);
  for (const field of Object.keys(node)) {
    if (!known.includes(field)) {
      walk.concerns.push({ code: 'E_SQL_SHAPE', text: `${type.replace(/Stmt$/, '')} with ${field}` });
    }
  }
  const relation = nodeAt(node, 'relation');
  const name = textAt(relation, 'relname') ?? '';
  const schema = textAt(relation, 'schemaname') ?? '';
  if (name.startsWith('pg_') || schema.startsWith('pg_') || schema === 'information_schema') {
    walk.concerns.push({ code: 'E_SQL_SHAPE', text: `${name} belongs to the server` });
  }
  const returning = member(node, 'returningClause');
  for (const item of listAt(returning, 'exprs')) {
    const value = member(nodeAt(item, 'ResTarget'), 'val');
    const fields = listAt(nodeAt(value, 'ColumnRef'), 'fields');
    if (fields.length === 0) {
      walk.concerns.push({ code: 'E_SQL_SHAPE', text: 'RETURNING holds more than columns' });
    }
    walk.visit(value);
  }
  return walk;
}

function judgeInsert(node: TreeNode, lists: PgLists): SqlJudgement {
  const walk = dmlWalk(
    'InsertStmt',
    node,
    ['relation', 'cols', 'selectStmt', 'returningClause', 'override'],
    lists,
  );
  for (const column of listAt(node, 'cols')) {
    const target = nodeAt(column, 'ResTarget');
    if (!target || Object.keys(target).some((key) => key !== 'name' && key !== 'location')) {
      walk.concerns.push({ code: 'E_SQL_SHAPE', text: 'INSERT writes a part of a column' });
    }
  }
  const source = nodeAt(member(node, 'selectStmt'), 'SelectStmt');
  if (source) {
    const rows = listAt(source, 'valuesLists');
    const known = ['valuesLists', 'limitOption', 'op'];
    if (rows.length === 0 || Object.keys(source).some((key) => !known.includes(key))) {
      walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: 'INSERT takes its rows from a query' });
    } else {
      walk.visit(rows);
    }
  } else if (member(node, 'selectStmt') !== undefined) {
    walk.concerns.push({ code: 'E_SQL_SHAPE', text: 'INSERT of something unknown' });
  }
  return { tier: 1, concerns: walk.concerns };
}

function judgeChange(type: string, node: TreeNode, lists: PgLists, keys: SqlKeys | undefined): SqlJudgement {
  const verb = type === 'UpdateStmt' ? 'UPDATE' : 'DELETE';
  const walk = dmlWalk(
    type,
    node,
    ['relation', 'whereClause', 'returningClause', ...(type === 'UpdateStmt' ? ['targetList'] : [])],
    lists,
  );
  const relation = nodeAt(node, 'relation');
  const table = textAt(relation, 'relname') ?? '';
  const schema = textAt(relation, 'schemaname');
  const alias = textAt(nodeAt(relation, 'alias'), 'aliasname');
  for (const item of listAt(node, 'targetList')) {
    const target = nodeAt(item, 'ResTarget');
    for (const key of Object.keys(target ?? {})) {
      if (!['name', 'val', 'location', 'indirection'].includes(key)) {
        walk.concerns.push({ code: 'E_SQL_SHAPE', text: `SET with ${key}` });
      }
    }
    // The parts of a column on the left of SET are fields and subscripts, never calls.
    const parts = listAt(target, 'indirection');
    walk.visit(parts.filter((part) => strings([part])[0] === undefined));
    walk.visit(member(target, 'val'));
  }
  if (member(node, 'usingClause') !== undefined || member(node, 'fromClause') !== undefined) {
    walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: `${verb} joins another table` });
  }
  const where = member(node, 'whereClause');
  if (where === undefined) {
    walk.concerns.push({ code: 'E_SQL_UNBOUNDED', text: `${verb} has no WHERE` });
    return { tier: 1, concerns: walk.concerns };
  }
  const target: PgTarget = {
    names: alias ? [alias] : [table],
    keys: keys && keyColumns(keys, table, schema),
  };
  if (!pgBounded(where, target)) {
    const tautology = pgTautology(where);
    if (tautology) walk.concerns.push({ code: 'E_SQL_TAUTOLOGY', text: tautology });
    walk.concerns.push({
      code: 'E_SQL_UNBOUNDED',
      text: `${verb}: not every branch of WHERE has ${keys ? 'a key column' : 'a column'} = constant`,
    });
  }
  walk.visit(where);
  return { tier: 1, concerns: walk.concerns };
}

/** The key columns of a table, by its name with the schema, then without. None when the policy names none. */
export function keyColumns(keys: SqlKeys, table: string, schema: string | undefined): readonly string[] {
  const name = table.toLowerCase();
  return (schema ? keys.get(`${schema.toLowerCase()}.${name}`) : undefined) ?? keys.get(name) ?? [];
}
