/**
 * The worker thread of the SQL inspector: parses and judges, one request at a time. Only this thread loads the
 * parsers, so a trap in one of them (sqlparser's memory is unusable after it) ends nothing but this thread.
 *
 * For a bundle: this file is an entry of its own, `sql-worker.js` beside the bundle that starts it. The parsers find
 * their WebAssembly at run time:
 * - `libpg-query` reads `libpg-query.wasm` (1.7 MB) from the folder of the file it is bundled into;
 * - `@guanmingchiu/sqlparser-ts` reads `../wasm/sqlparser_rs_wasm_bg.wasm` (3.5 MB) relative to that file.
 * With the parsers left in `node_modules` nothing has to be copied.
 */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../util/errors.ts';
import { judgePostgres } from './judge-postgres.ts';
import { loadPostgresParser, type SqlParser, UnreadableSql } from './parse.ts';
import { type PgLists, pgLists } from './pg-walk.ts';
import { withoutPlaces } from './tree.ts';
import type { SqlCode, SqlJudgement } from './types.ts';
import type { SqlReply, SqlRequest } from './worker-client.ts';

let postgres: { parse: SqlParser; lists: PgLists } | undefined;

async function load(dialect: SqlRequest['dialect']): Promise<void> {
  if (dialect === 'postgresql') postgres ??= { parse: await loadPostgresParser(), lists: pgLists() };
}

function judge(request: SqlRequest): SqlJudgement {
  if (!postgres) throw new Error('the parser is not loaded');
  return judgePostgres(withoutPlaces(postgres.parse(request.sql)), postgres.lists, request.keys);
}

const held = (code: SqlCode, text: string): SqlJudgement => ({ tier: 0, concerns: [{ code, text }] });

async function answer(request: SqlRequest): Promise<Omit<SqlReply, 'id'>> {
  try {
    await load(request.dialect);
    return request.kind === 'judge' ? { judgement: judge(request) } : {};
  } catch (error) {
    if (error instanceof UnreadableSql) {
      return { judgement: held('E_SQL_UNPARSED', `not read as ${request.dialect}: ${error.message}`) };
    }
    return { judgement: held('E_SQL_LIMIT', `the parser failed: ${messageOf(error)}`), broken: true };
  }
}

parentPort?.on('message', async (request: SqlRequest) => {
  parentPort?.postMessage({ id: request.id, ...(await answer(request)) } satisfies SqlReply);
});
