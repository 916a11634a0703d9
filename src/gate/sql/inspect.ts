/**
 * The SQL inspector of the runtime gate: says of one statement whether it only reads (tier 0), changes rows that
 * constants in the text name (tier 1), or has to wait for a human (tier 2).
 *
 * How it works. A lexical scan refuses what servers, settings and parsers read differently: control and invisible
 * characters, comments that are run, a backslash before a quote, nested comments. Then exactly one statement is
 * parsed: by PostgreSQL's own grammar, or by Apache's sqlparser for the other dialects. Then the tree is compared
 * with lists: shapes, functions, types, operators, table sources. Nothing is looked for as bad; what is not on a
 * list is held. DML is tier 1 only if it is proved bounded: one target, and every OR branch of WHERE has
 * `column = constant` or `column IN (constants)`.
 *
 * What it cannot see, plainly:
 * - Views, rules, triggers, generated columns, row policies, foreign tables and synonyms: a read of a view may call
 *   any function, and a bounded DELETE may cascade.
 * - User functions behind known names: an overload of `lower`, an operator or a cast that someone created, a
 *   changed `search_path`. In Oracle a function without arguments looks like a column.
 * - What a value means: `status = 'active'` is `column = constant` and may be half of the table (name the key
 *   columns in the policy to forbid it). A bounded change may still be a wrong one.
 * - How much a read costs, and what it shows: a read of a secret is a read.
 * - Dialects other than PostgreSQL are read by a parser that is not the server's. The lists and the scan are made
 *   so that a difference is held, which is a best effort and no proof.
 *
 * Therefore: connect the server with a role that can only read, or only change what the agent may change. The
 * inspector says which calls a human should see; the role says what can happen.
 *
 * Packages: `libpg-query` (MIT) and `@guanmingchiu/sqlparser-ts` (Apache-2.0), loaded on first use in a worker
 * thread (see sql-worker.ts for what a bundle must carry). Never imported by the action.
 */
import { visibleLine } from '../../util/hidden.ts';
import { scanSql } from './scan.ts';
import {
  SQL_TIMEOUT_MS,
  type SqlCode,
  type SqlConcern,
  type SqlJudgement,
  type SqlOptions,
  type SqlVerdict,
  sqlDialect,
} from './types.ts';
import { SqlWorkerHost } from './worker-client.ts';

/** First words of statements that run something else; said beside the parser's failure to read them. */
const INDIRECT = new Set([
  'EXEC',
  'EXECUTE',
  'CALL',
  'PREPARE',
  'DO',
  'DECLARE',
  'BEGIN',
  'HANDLER',
  'DEALLOCATE',
]);

let shared: SqlWorkerHost | undefined;

/**
 * Inspects one statement. Never throws for any text: what cannot be inspected is tier 2. The answer depends only on
 * the text and the options (and on the time limit). `host`: the worker thread; one is shared where none is given.
 */
export async function inspectSql(
  sql: string,
  options: SqlOptions,
  host?: SqlWorkerHost,
): Promise<SqlVerdict> {
  const dialect = sqlDialect(options.dialect);
  if (!dialect) {
    return verdictOf(held('E_SQL_UNPARSED', `the dialect ${options.dialect} is not inspected`));
  }
  const scan = scanSql(sql, dialect);
  if (scan.concerns.length > 0) return verdictOf({ tier: 0, concerns: scan.concerns });
  if (!host) shared ??= new SqlWorkerHost();
  const worker = host ?? shared;
  if (!worker) return verdictOf(held('E_SQL_LIMIT', 'there is no worker'));
  const question = { sql, dialect, keys: options.keys };
  const judgement = await worker.judge(question, options.timeoutMs ?? SQL_TIMEOUT_MS);
  const unread = judgement.concerns.some((concern) => concern.code === 'E_SQL_UNPARSED');
  // Whatever the parser made of it: a semicolon outside strings and comments has something behind it.
  if (scan.several && !judgement.concerns.some((concern) => concern.code === 'E_SQL_MULTI')) {
    judgement.concerns.push({ code: 'E_SQL_MULTI', text: 'there is text after a semicolon' });
  }
  if (unread && INDIRECT.has(scan.firstWord)) {
    judgement.concerns.push({ code: 'E_SQL_INDIRECT', text: `${scan.firstWord} runs something else` });
  }
  return verdictOf(judgement);
}

/** Ends the shared worker thread, where there is one. It starts again by itself. */
export async function closeSqlInspector(): Promise<void> {
  await shared?.close();
}

const held = (code: SqlCode, text: string): SqlJudgement => ({ tier: 0, concerns: [{ code, text }] });

/** Longest reason, in characters: parts of it are from the statement. */
const REASON = 300;

function verdictOf({ tier, concerns }: SqlJudgement): SqlVerdict {
  if (concerns.length === 0) {
    return {
      tier,
      codes: [],
      reason: tier === 0 ? 'Only reads.' : 'Bounded by constants, or only locks rows.',
    };
  }
  return {
    tier: 2,
    codes: [...new Set(concerns.map((concern) => concern.code))],
    reason: reasonOf(concerns),
  };
}

function reasonOf(concerns: readonly SqlConcern[]): string {
  const texts = [...new Set(concerns.map((concern) => visibleLine(concern.text)))];
  const more = texts.length > 3 ? `; and ${texts.length - 3} more` : '';
  const reason = `Held: ${texts.slice(0, 3).join('; ')}${more}`;
  return reason.length > REASON ? `${reason.slice(0, REASON - 1)}…` : `${reason}.`;
}
