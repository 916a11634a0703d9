/**
 * The worker thread of the SQL inspector: parses and judges, one request at a time. Only this thread loads the
 * parsers, so a trap in one of them (sqlparser's memory is unusable after it) ends nothing but this thread.
 *
 * For a bundle: this file is an entry of its own, `sql-worker.js` beside the bundle that starts it, or in a folder
 * `sql/` there (`ncc build build/gate/sql/sql-worker.js -o dist/cli/sql -e libpg-query -e @guanmingchiu/sqlparser-ts`,
 * its `index.js` renamed). Leave the two parsers outside, as above: they are dependencies of the package and find
 * their own WebAssembly in `node_modules`. Bundled, `libpg-query` needs `__dirname`, which an ES module lacks.
 */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../util/errors.ts';
import { judgeOther } from './judge-other.ts';
import { judgePostgres } from './judge-postgres.ts';
import { otherLists } from './other-lists.ts';
import { loadOtherParser, loadPostgresParser, UnreadableSql } from './parse.ts';
import { pgLists } from './pg-walk.ts';
import { judgePragma } from './sqlite-pragma.ts';
import { plainTree } from './tree.ts';
import type { SqlCode, SqlDialect, SqlJudgement, SqlKeys } from './types.ts';
import type { SqlReply, SqlRequest } from './worker-client.ts';

type Judge = (sql: string, keys: SqlKeys | undefined) => SqlJudgement;

const judges = new Map<SqlDialect, Judge>();

async function load(dialect: SqlDialect): Promise<Judge> {
  const ready = judges.get(dialect);
  if (ready) return ready;
  const judge = dialect === 'postgresql' ? await loadPostgres() : await loadOther(dialect);
  judges.set(dialect, judge);
  return judge;
}

async function loadPostgres(): Promise<Judge> {
  const parse = await loadPostgresParser();
  const lists = pgLists();
  return (sql, keys) => judgePostgres(plainTree(parse(sql)), lists, keys);
}

async function loadOther(dialect: Exclude<SqlDialect, 'postgresql'>): Promise<Judge> {
  const parse = await loadOtherParser(dialect);
  const lists = otherLists(dialect);
  return (sql, keys) => {
    const pragma = dialect === 'sqlite' ? judgePragma(sql) : undefined;
    return pragma ?? judgeOther(plainTree(parse(sql)), lists, keys);
  };
}

const held = (code: SqlCode, text: string): SqlJudgement => ({ tier: 0, concerns: [{ code, text }] });

async function answer(request: SqlRequest): Promise<Omit<SqlReply, 'id'>> {
  try {
    const judge = await load(request.dialect);
    return request.kind === 'judge' ? { judgement: judge(request.sql, request.keys) } : {};
  } catch (error) {
    if (error instanceof UnreadableSql) {
      const code = /recursion limit/.test(error.message) ? 'E_SQL_LIMIT' : 'E_SQL_UNPARSED';
      return { judgement: held(code, `not read as ${request.dialect}: ${error.message}`) };
    }
    return { judgement: held('E_SQL_LIMIT', `the parser failed: ${messageOf(error)}`), broken: true };
  }
}

parentPort?.on('message', async (request: SqlRequest) => {
  parentPort?.postMessage({ id: request.id, ...(await answer(request)) } satisfies SqlReply);
});
