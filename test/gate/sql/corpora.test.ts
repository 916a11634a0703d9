import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closeSqlInspector, inspectSql } from '../../../src/gate/sql/inspect.ts';
import { SQL_DIALECTS } from '../../../src/gate/sql/types.ts';
import { sharedDir } from '../../support/shared.ts';
import { benign, hostile, type Statement, statements } from './corpus.ts';

afterAll(closeSqlInspector);

/** In words, when a statement gets a lower tier than it must. */
async function below({ id, dialect, sql, level }: Statement): Promise<string | undefined> {
  const verdict = await inspectSql(sql, { dialect });
  const several = level === 3 && !verdict.codes.includes('E_SQL_MULTI');
  if (verdict.tier >= Math.min(level, 2) && !several) return undefined;
  return `${id} ${dialect}: ${sql} → ${verdict.tier} ${verdict.codes.join()}`;
}

async function misses(list: readonly Statement[]): Promise<string[]> {
  const found: string[] = [];
  for (const statement of list) {
    const miss = await below(statement);
    if (miss) found.push(miss);
  }
  return found;
}

describe('hostile statements', () => {
  it('are never below their level', async () => {
    const list = hostile();
    expect(list.length).toBeGreaterThanOrEqual(150);
    expect(new Set(list.map(({ dialect }) => dialect))).toEqual(new Set(SQL_DIALECTS));
    expect(await misses(list)).toEqual([]);
  });

  it('always come with a code and a reason when held', async () => {
    for (const { dialect, sql } of hostile()) {
      const verdict = await inspectSql(sql, { dialect });
      expect(verdict.tier, sql).toBe(2);
      expect(verdict.codes.length, sql).toBeGreaterThan(0);
      expect(verdict.reason, sql).toMatch(/^Held: ./);
      expect(verdict.reason.length, sql).toBeLessThanOrEqual(300);
    }
  });
});

const shared = sharedDir();

describe.skipIf(!shared)('the statements beside the project (../shared/sql)', () => {
  const list = shared ? statements(join(shared, 'sql/statements.json')) : [];

  it('are never below their level', async () => {
    expect(list.length).toBeGreaterThan(0);
    expect(await misses(list)).toEqual([]);
  });

  it('are needlessly held only where a reading is not certain', async () => {
    const held: string[] = [];
    for (const { id, dialect, sql, level } of list) {
      const verdict = await inspectSql(sql, { dialect });
      if (verdict.tier > level) held.push(`${id}: ${verdict.reason}`);
    }
    console.log(`held needlessly: ${held.length} of ${list.length}\n${held.join('\n')}`);
    // A syntax error of PostgreSQL itself, and backslashes before a quote outside PostgreSQL.
    expect(held.map((line) => line.split(':')[0])).toEqual(['S2', 'L4', 'L5', 'L14']);
  });
});

describe('ordinary reads', () => {
  it.each(SQL_DIALECTS)('of %s are not held', async (dialect) => {
    const list = benign(dialect);
    const held: string[] = [];
    for (const sql of list) {
      const verdict = await inspectSql(sql, { dialect });
      if (verdict.tier === 2) held.push(`${sql} → ${verdict.reason}`);
    }
    const rate = 1 - held.length / list.length;
    console.log(
      `${dialect}: ${(rate * 100).toFixed(1)} % of ${list.length} reads not held\n${held.join('\n')}`,
    );
    expect(list.length).toBeGreaterThanOrEqual(dialect === 'postgresql' ? 250 : 60);
    expect(rate).toBeGreaterThanOrEqual(dialect === 'postgresql' ? 0.95 : 0.9);
  });
});
