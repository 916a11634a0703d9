import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlCommand } from '../../../src/gate/sql/command.ts';
import { closeSqlInspector } from '../../../src/gate/sql/inspect.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sql-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await closeSqlInspector();
});

async function file(bytes: string | Buffer): Promise<string> {
  const path = join(folder, 'statement.sql');
  await writeFile(path, bytes);
  return path;
}

describe('the command for one file', () => {
  it('prints JSON', async () => {
    const { output, verdict } = await sqlCommand(await file('select 1;\nselect 2;\n'), {
      dialect: 'postgresql',
      format: 'json',
    });
    expect(JSON.parse(output)).toEqual(verdict);
    expect(Object.keys(verdict)).toEqual(['tier', 'codes', 'reason']);
    expect(verdict).toMatchObject({ tier: 2, codes: ['E_SQL_MULTI'] });
  });

  it('prints text', async () => {
    const read = await sqlCommand(await file('select 1\n'), { dialect: 'sqlite' });
    expect(read.output).toBe('tier 0, reads\nOnly reads.\n');
    const held = await sqlCommand(await file('drop table a'), { dialect: 'sqlite' });
    expect(held.output).toMatch(/^tier 2, waits for approval \(E_SQL_SHAPE\)\nHeld: .*\n$/);
  });

  it('says what is wrong with its arguments', async () => {
    await expect(sqlCommand(await file('select 1'), { dialect: 'cobol' })).rejects.toMatchObject({
      code: 'E_USAGE',
    });
    await expect(sqlCommand(join(folder, 'none.sql'), { dialect: 'sqlite' })).rejects.toMatchObject({
      code: 'E_SQL_FILE',
    });
    const bytes = await file(Buffer.from([0x73, 0xff, 0xfe]));
    await expect(sqlCommand(bytes, { dialect: 'sqlite' })).rejects.toMatchObject({ code: 'E_SQL_FILE' });
  });

  it('holds a byte order mark and a file over the limit', async () => {
    const marked = await sqlCommand(await file('\ufeffselect 1'), { dialect: 'sqlite' });
    expect(marked.verdict.codes).toContain('E_SQL_UNPARSED');
    const long = await sqlCommand(await file(`select 1 -- ${'x'.repeat(30_000)}`), { dialect: 'sqlite' });
    expect(long.verdict.codes).toEqual(['E_SQL_LIMIT']);
  });
});
