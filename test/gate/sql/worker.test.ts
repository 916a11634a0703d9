import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectSql } from '../../../src/gate/sql/inspect.ts';
import { SqlWorkerHost } from '../../../src/gate/sql/worker-client.ts';

const host = (name: string): SqlWorkerHost =>
  new SqlWorkerHost(new URL(`./workers/${name}`, import.meta.url));
const read = { dialect: 'postgresql', sql: 'select 1' } as const;

describe('the worker thread', () => {
  let real: SqlWorkerHost;
  beforeAll(() => {
    real = new SqlWorkerHost();
  });
  afterAll(() => real.close());

  it.each(['silent-worker.ts', 'looping-worker.ts'])(
    'is ended when it does not answer (%s)',
    async (name) => {
      const slow = host(name);
      for (let round = 0; round < 2; round += 1) {
        const verdict = await inspectSql('select 1', { dialect: 'postgresql', timeoutMs: 50 }, slow);
        expect(verdict).toMatchObject({ tier: 2, codes: ['E_SQL_LIMIT'] });
        expect(verdict.reason).toContain('50 ms');
      }
      await slow.close();
    },
  );

  it('is replaced when it dies', async () => {
    const dying = host('dying-worker.ts');
    for (const sql of ['exit', 'throw', 'exit']) {
      expect(await dying.judge({ ...read, sql }, 5_000)).toMatchObject({
        concerns: [{ code: 'E_SQL_LIMIT' }],
      });
      expect(await dying.judge(read, 5_000)).toEqual({ tier: 0, concerns: [] });
    }
    await dying.close();
  });

  it('that does not exist holds', async () => {
    const none = host('no-such-worker.ts');
    expect((await none.judge(read, 5_000)).concerns[0]?.code).toBe('E_SQL_LIMIT');
  });

  it('recovers from a trap of the parser', async () => {
    // Past the limits of the scan, which the host does not know.
    for (const [dialect, count] of [
      ['mysql', 5_000],
      ['postgresql', 20_000],
      ['sqlite', 5_000],
    ] as const) {
      const sql = `select ${'1+'.repeat(count)}1`;
      const trapped = await real.judge({ dialect, sql }, 60_000);
      expect(trapped.concerns.map(({ code }) => code)).toEqual(['E_SQL_LIMIT']);
      expect(await real.judge({ ...read, dialect }, 60_000)).toEqual({ tier: 0, concerns: [] });
    }
  });

  it('answers questions asked at once, each with its own verdict', async () => {
    const asked = Array.from({ length: 40 }, (_, index) =>
      inspectSql(
        index % 2 ? 'drop table a' : 'select 1',
        { dialect: index % 3 ? 'mysql' : 'postgresql' },
        real,
      ),
    );
    const tiers = (await Promise.all(asked)).map(({ tier }) => tier);
    expect(tiers).toEqual(asked.map((_, index) => (index % 2 ? 2 : 0)));
  });

  it('does not keep a process alive', () => {
    const file = new URL('../../../src/gate/sql/inspect.ts', import.meta.url);
    const script = `const { inspectSql } = await import(${JSON.stringify(file.href)});
      console.log((await inspectSql('select 1', { dialect: 'mysql' })).tier);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
    expect(String(output)).toBe('0\n');
  });

  it('starts again after it was closed', async () => {
    await real.close();
    expect((await inspectSql('select 1', { dialect: 'postgresql' }, real)).tier).toBe(0);
  });
});
