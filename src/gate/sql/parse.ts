import { messageOf } from '../../util/errors.ts';
import type { Tree } from './tree.ts';
import type { SqlDialect } from './types.ts';

/** The text is not a statement of the dialect. Any other error of a parser means that the parser itself failed. */
export class UnreadableSql extends Error {}

/**
 * Text to the parser's tree, as it comes: to go through `plainTree`. Throws {@link UnreadableSql} for a syntax error.
 */
export type SqlParser = (sql: string) => Tree;

/**
 * PostgreSQL's own grammar, compiled to WebAssembly (`libpg-query`, MIT). About 30 ms to load.
 * A text with U+0000 is cut there by the parser, so the scan before it must have refused it.
 */
export async function loadPostgresParser(): Promise<SqlParser> {
  const pg = await import('libpg-query');
  await pg.loadModule();
  return (sql) => {
    try {
      return pg.parseSync(sql) as unknown as Tree;
    } catch (error) {
      if (error instanceof Error && error.name === 'SqlError') throw new UnreadableSql(error.message);
      throw error;
    }
  };
}

/**
 * Apache's sqlparser-rs, compiled to WebAssembly (`@guanmingchiu/sqlparser-ts`, Apache-2.0). About 100 ms to load.
 * After a trap its memory is not usable: the thread that called it has to end.
 */
export async function loadOtherParser(dialect: SqlDialect): Promise<SqlParser> {
  const { init, Parser } = await import('@guanmingchiu/sqlparser-ts');
  await init();
  return (sql) => {
    try {
      // Not the parser's JSON text: it is indented, and so grows with the square of the depth.
      return Parser.parse(sql, dialect) as unknown as Tree;
    } catch (error) {
      // The parser's own failures all start so; a trap is a WebAssembly.RuntimeError with other words.
      const text = messageOf(error);
      if (/^(sql parser error|parse error|parser error|recursion limit)/i.test(text))
        throw new UnreadableSql(text);
      throw error;
    }
  };
}
