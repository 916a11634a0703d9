import { readFile } from 'node:fs/promises';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import { inspectSql } from './inspect.ts';
import { SQL_DIALECTS, type SqlKeys, type SqlVerdict, sqlDialect } from './types.ts';

export interface SqlCommandOptions {
  dialect: string;
  format?: 'text' | 'json';
  keys?: SqlKeys;
}

export interface SqlCommandResult {
  verdict: SqlVerdict;
  /** What is printed, with its line end. */
  output: string;
}

/**
 * `agentgate sql FILE --dialect D --format json`: inspects the one statement in a file, path relative to the working
 * directory. JSON: `{"tier": 0|1|2, "codes": ["E_SQL_…"], "reason": "…"}` on one line.
 * Throws E_USAGE for a dialect that is not inspected and E_SQL_FILE for a file that cannot be read as UTF-8.
 */
export async function sqlCommand(file: string, options: SqlCommandOptions): Promise<SqlCommandResult> {
  if (!sqlDialect(options.dialect)) {
    const known = SQL_DIALECTS.join(', ');
    throw new AgentGateError(
      'E_USAGE',
      `The dialect ${JSON.stringify(options.dialect)} is not inspected; use one of ${known}.`,
    );
  }
  const verdict = await inspectSql(await readText(file), { dialect: options.dialect, keys: options.keys });
  return { verdict, output: options.format === 'json' ? `${JSON.stringify(verdict)}\n` : text(verdict) };
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    throw new AgentGateError(
      'E_SQL_FILE',
      `The statement in ${file} cannot be read (${messageOf(error)}); give a UTF-8 file with one statement.`,
      { file },
      { cause: error },
    );
  }
}

const TIERS = ['reads', 'bounded change', 'waits for approval'] as const;

function text({ tier, codes, reason }: SqlVerdict): string {
  const why = codes.length > 0 ? ` (${codes.join(', ')})` : '';
  return `tier ${tier}, ${TIERS[tier]}${why}\n${reason}\n`;
}
