import { afterAll, describe, expect, it } from 'vitest';
import { closeSqlInspector, inspectSql } from '../../../src/gate/sql/inspect.ts';
import type { SqlCode, SqlTier } from '../../../src/gate/sql/types.ts';

afterAll(closeSqlInspector);

async function verdict(sql: string, dialect = 'postgresql'): Promise<[SqlTier, string]> {
  const { tier, codes } = await inspectSql(sql, { dialect });
  return [tier, codes.join(' ')];
}

describe('codes', () => {
  const rows: [SqlCode, string, string][] = [
    ['E_SQL_MULTI', 'postgresql', 'select 1; select 2'],
    ['E_SQL_MULTI', 'mssql', 'select 1 shutdown'],
    ['E_SQL_EXEC_COMMENT', 'mysql', 'select 1 /*!50000 , sleep(1) */'],
    ['E_SQL_EXEC_COMMENT', 'mysql', 'select 1 /*M! , sleep(1) */'],
    ['E_SQL_TAUTOLOGY', 'postgresql', "delete from parcel where 'a' = 'a'"],
    ['E_SQL_TAUTOLOGY', 'sqlite', 'delete from parcel where id = 3 or 1 = 1'],
    ['E_SQL_UNBOUNDED', 'postgresql', 'update parcel set sold = true'],
    ['E_SQL_UNBOUNDED', 'mysql', 'delete from parcel where label = 0'],
    ['E_SQL_INDIRECT', 'postgresql', 'call wipe()'],
    ['E_SQL_INDIRECT', 'postgresql', "do $$ begin execute 'drop table a'; end $$"],
    ['E_SQL_INDIRECT', 'mssql', "exec('drop table a')"],
    ['E_SQL_INDIRECT', 'snowflake', "execute immediate 'drop table a'"],
    ['E_SQL_FUNCTION', 'postgresql', "select pg_read_file('x')"],
    ['E_SQL_FUNCTION', 'postgresql', "select ('x'::text).pg_read_file"],
    ['E_SQL_FUNCTION', 'clickhouse', "select * from url('http://x')"],
    ['E_SQL_SHAPE', 'postgresql', 'drop table parcel'],
    ['E_SQL_SHAPE', 'duckdb', "select * from 'x.csv'"],
    ['E_SQL_UNPARSED', 'postgresql', 'selekt 1'],
    ['E_SQL_UNPARSED', 'postgresql', 'select 1\u200b'],
    ['E_SQL_UNPARSED', 'postgresql', ''],
    ['E_SQL_LIMIT', 'postgresql', `select '${'x'.repeat(20_000)}'`],
    ['E_SQL_LIMIT', 'mysql', `select ${'('.repeat(65)}1${')'.repeat(65)}`],
    ['E_SQL_LIMIT', 'postgresql', `select 1${' + 1'.repeat(501)}`],
  ];
  it.each(rows)('%s in %s: %s', async (code, dialect, sql) => {
    const found = await inspectSql(sql, { dialect });
    expect(found.tier).toBe(2);
    expect(found.codes).toContain(code);
  });

  it('holds a dialect that is not inspected', async () => {
    expect(await verdict('select 1', 'cobol')).toEqual([2, 'E_SQL_UNPARSED']);
    expect(await verdict('select 1', '__proto__')).toEqual([2, 'E_SQL_UNPARSED']);
  });

  it('takes other usual names of a dialect', async () => {
    for (const name of ['Postgres', 'pg', 'mariadb', 'tsql', 'SQLServer', 'sqlite3']) {
      expect(await verdict('select 1', name)).toEqual([0, '']);
    }
  });

  it('escapes what is invisible in the reason', async () => {
    const { reason } = await inspectSql('select "a\tb"()', { dialect: 'postgresql' });
    expect(reason).toContain('⟨U+0009⟩');
  });
});

describe('a backslash before a quote', () => {
  const rows: [string, string, SqlTier][] = [
    ['mysql', "select id from customer where name = 'O\\'Brien'", 0],
    ['mysql', "select 'a\\'b' , 'c\\'d'", 2],
    ['mysql', "select 'a\\'; drop table parcel", 2],
    ['mysql', "select 1; select 'O\\'Brien'", 2],
    ['mysql', "select '\\' , sleep(9) -- '", 2],
    ['mysql', "select '\\' /* ' , sleep(9)", 2],
    ['mysql', 'select "O\\"Brien"', 2],
    ['bigquery', "select r'a\\'", 2],
    ['bigquery', "select 'it\\'s'", 0],
    ['snowflake', "select 'it\\'s'", 0],
    ['postgresql', "select id from parcel where path like '%\\_%' escape '\\'", 0],
    ['postgresql', "select '\\' || ' , pg_sleep(9) --'", 2],
    ['postgresql', "select e'it\\'s'", 0],
    ['postgresql', "select e'a\\'' || '\\'", 0],
    ['mssql', "SELECT Id FROM Parcel WHERE Path = 'C:\\'", 0],
    ['mssql', "SELECT 'C:\\' + ' EXEC xp --'", 2],
  ];
  it.each(rows)('%s: %s', async (dialect, sql, tier) => {
    expect((await verdict(sql, dialect))[0]).toBe(tier);
  });
});

describe('changes', () => {
  const bounded: [string, string][] = [
    ['postgresql', "update parcel set label = 'x', seen_at = now() where id = 3"],
    ['postgresql', 'update parcel set n = n + 1 where id in (1, 2, 3) returning id, n'],
    ['postgresql', 'update only shop.parcel as p set tags[1] = $1 where p.id = $2'],
    ['postgresql', "delete from parcel where id = 3 and sent_at < now() - interval '1 day'"],
    ['postgresql', 'delete from parcel where (id = 3 and sold) or (id = 4 and not sold)'],
    ['postgresql', 'delete from parcel where 3 = id'],
    ['postgresql', "delete from parcel where id = '8c0c5c0e-5c3e-4a64-9c5e-0d1f6d0b2f11'::uuid"],
    ['postgresql', 'delete from parcel where id = any (array[1, 2])'],
    ['postgresql', "insert into parcel (id, doc) values (1, '{}'), (2, jsonb_build_object('a', 1))"],
    ['postgresql', 'insert into parcel default values'],
    ['postgresql', 'explain analyze delete from parcel where id = 3'],
    ['postgresql', 'select id from parcel where id = 3 for update'],
    ['mysql', "update parcel set label = 'x' where id = 3 limit 1"],
    ['mysql', "delete from parcel where label = 'x'"],
    ['sqlite', 'insert into parcel (id, label) values (1, upper(?))'],
    ['mssql', "UPDATE dbo.Parcel SET Label = N'x' WHERE Id = 3"],
    ['mssql', 'DELETE FROM [dbo].[Parcel] WHERE [Id] IN (1, 2)'],
    ['bigquery', 'delete from sales.parcel where id = "a"'],
    ['snowflake', "update shop.public.parcel set label = 'x' where id = 3"],
    ['duckdb', 'delete from parcel where id = -3'],
    ['clickhouse', "INSERT INTO parcel (id, label) VALUES (1, 'x')"],
    ['oracle', "UPDATE shop.parcel p SET p.label = 'x' WHERE p.id = 3"],
  ];
  it.each(bounded)('%s: %s', async (dialect, sql) => {
    expect(await verdict(sql, dialect)).toEqual([1, '']);
  });

  it('need a key column where the policy names keys', async () => {
    const keys = new Map([
      ['parcel', ['id']],
      ['shop.depot', ['code']],
    ]);
    const tier = async (sql: string, dialect: string): Promise<SqlTier> =>
      (await inspectSql(sql, { dialect, keys })).tier;
    for (const dialect of ['postgresql', 'sqlite', 'mssql']) {
      expect(await tier('delete from parcel where id = 3', dialect)).toBe(1);
      expect(await tier('delete from Parcel where ID = 3', dialect)).toBe(1);
      expect(await tier("delete from parcel where state = 'sold'", dialect)).toBe(2);
      expect(await tier("delete from parcel where id = 3 or state = 'sold'", dialect)).toBe(2);
      expect(await tier("delete from shop.depot where code = 'n'", dialect)).toBe(1);
      expect(await tier("delete from depot where code = 'n'", dialect)).toBe(2);
      expect(await tier('delete from other where id = 3', dialect)).toBe(2);
    }
  });
});
