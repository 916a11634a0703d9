import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { closeSqlInspector, inspectSql } from '../../../src/gate/sql/inspect.ts';
import { SQL_DIALECTS } from '../../../src/gate/sql/types.ts';
import { benign, hostile, type Statement } from './corpus.ts';

afterAll(closeSqlInspector);

const RUNS = Number(process.env.FC_RUNS ?? 400);
const dialects = fc.constantFrom(...SQL_DIALECTS);

/** Where a statement is certainly code: before the first quote, bracket, comment or other sign. */
function plainPrefix(sql: string): number {
  const found = sql.search(/['"`[$\\#@{]|--|\/\*|\/\//);
  return found < 0 ? sql.length : found;
}

/** The same statement: other case of letters, other white space, comments between words. */
const mutated = ({ sql }: Statement): fc.Arbitrary<string> => {
  const end = plainPrefix(sql);
  const gaps = [' ', '\n', '\t', '  ', ' /* note */ ', '\r\n', ' -- note\n', '/**/ '];
  return fc
    .tuple(
      fc.array(fc.boolean(), { minLength: end, maxLength: end }),
      fc.array(fc.constantFrom(...gaps), { minLength: end, maxLength: end }),
    )
    .map(([upper, gap]) => {
      const prefix = [...sql.slice(0, end)].map((character, index) => {
        if (character === ' ') return gap[index] ?? ' ';
        return upper[index] ? character.toUpperCase() : character.toLowerCase();
      });
      return prefix.join('') + sql.slice(end);
    });
};

describe('whatever the text', () => {
  it('case, white space and comments never lower the tier of a hostile statement', async () => {
    const cases = fc
      .constantFrom(...hostile())
      .chain((statement) => fc.tuple(fc.constant(statement), mutated(statement)));
    await fc.assert(
      fc.asyncProperty(cases, async ([statement, sql]) => {
        const verdict = await inspectSql(sql, { dialect: statement.dialect });
        expect(verdict.tier).toBe(2);
        if (statement.level === 3) expect(verdict.codes).toContain('E_SQL_MULTI');
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it('a hostile statement after a read is several statements', async () => {
    const pairs = fc.constantFrom(...hostile().filter(({ sql }) => /^[A-Za-z]/.test(sql)));
    await fc.assert(
      fc.asyncProperty(pairs, fc.nat(), async ({ dialect, sql }, pick) => {
        const reads = benign(dialect);
        const read = (reads[pick % reads.length] ?? '').replace(/;\s*$/, '');
        const verdict = await inspectSql(`${read}\n; ${sql}`, { dialect });
        expect(verdict.tier).toBe(2);
        expect(verdict.codes).toContain('E_SQL_MULTI');
      }),
      { numRuns: RUNS },
    );
  });

  it('a change whose WHERE gets an OR with no constant is held', async () => {
    const open = fc.constantFrom(
      '1 = 1',
      'id = id',
      'id > 0',
      'true',
      'id is not null',
      "label like '%'",
      'not (id = 3)',
    );
    const verb = fc.constantFrom('delete from parcel where', 'update parcel set sold = 1 where');
    const place = fc.constantFrom(
      (o: string) => `id = 3 or ${o}`,
      (o: string) => `${o} or id = 3`,
      (o: string) => `(id = 3 or (${o}))`,
      (o: string) => `id = 3 and sold = 1 or ${o}`,
      (o: string) => `(id = 3 or ${o}) and (sold = 0 or id > 0)`,
    );
    await fc.assert(
      fc.asyncProperty(dialects, verb, place, open, async (dialect, start, put, condition) => {
        expect((await inspectSql(`${start} ${put(condition)}`, { dialect })).tier).toBe(2);
      }),
      { numRuns: RUNS },
    );
  });

  const checked = async (sql: string, dialect: string): Promise<void> => {
    const verdict = await inspectSql(sql, { dialect });
    expect([0, 1, 2]).toContain(verdict.tier);
    expect(verdict.codes.length > 0).toBe(verdict.tier === 2);
    // A parser may trap and be replaced; nothing may end in any other way.
    if (verdict.codes.includes('E_SQL_LIMIT')) expect(verdict.reason).toContain('the parser failed');
  };

  it('random bytes and characters never crash it', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'));
    const text = fc.oneof(
      bytes,
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 300 }),
    );
    await fc.assert(fc.asyncProperty(text, dialects, checked), { numRuns: RUNS });
  });

  it('random words and signs of SQL never crash it', async () => {
    const words =
      `select from where ( ) , ; ' " \` [ ] -- /* */ /*! # $$ $a$ \\ = <> or and not in null true 1 0 'x' "y"
      parcel id union all with as values insert into update set delete case when then else end :: -> @ { } \n . * + -
      exec drop table join on using order by limit over partition cast interval q' E' N' r'`.split(/\s+/);
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((list) => list.join(' '));
    await fc.assert(fc.asyncProperty(soup, dialects, checked), { numRuns: RUNS * 2 });
  });

  it('parts of known statements never crash it, and a statement cut in its string is held', async () => {
    const cut = fc
      .tuple(fc.constantFrom(...hostile()), fc.nat(), fc.nat())
      .map(([{ sql, dialect }, from, to]) => ({ dialect, sql: sql.slice(from % 9, to % (sql.length + 1)) }));
    await fc.assert(
      fc.asyncProperty(cut, ({ sql, dialect }) => checked(sql, dialect)),
      { numRuns: RUNS },
    );
  });
});
