import { judgeDelete, judgeInsert, judgeUpdate } from './judge-other-dml.ts';
import type { OtherLists } from './other-lists.ts';
import { membersConcerns } from './other-members.ts';
import { nameParts } from './other-names.ts';
import { OtherWalk } from './other-walk.ts';
import { checkTableName } from './table-names.ts';
import { member, type Tree, tagged } from './tree.ts';
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
