import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `level`: 0 read, 1 bounded change, 2 held, 3 several statements (held, with E_SQL_MULTI). */
export interface Statement {
  id: string;
  dialect: string;
  sql: string;
  level: 0 | 1 | 2 | 3;
}

export function statements(file: string): Statement[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Statement[];
}

/** The reads of `benign-<dialect>.txt`: one a line, a line that starts with a blank goes on the one before. */
export function benign(dialect: string): string[] {
  const text = readFileSync(join(import.meta.dirname, `benign-${dialect}.txt`), 'utf8');
  return text.split(/\n(?! )/).filter((line) => line.trim() !== '');
}

export const hostile = (): Statement[] => statements(join(import.meta.dirname, 'hostile.json'));
