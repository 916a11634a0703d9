import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Postgres, postgresFolder } from '../gate/support/postgres.ts';
import { GateProject, jsonOf } from '../gate/support/project.ts';
import { NODE } from '../support/own-node.ts';

const bin = postgresFolder();
const POLICY = 'gate: { tiers: { db: { query: { sql: sql, dialect: postgresql } } } }\n';

describe.skipIf(bin === undefined)('SQL by a real PostgreSQL (skipped where it is not installed)', () => {
  let postgres: Postgres;
  let project: GateProject;
  let client: Client;

  beforeAll(async () => {
    postgres = new Postgres(bin ?? '');
    postgres.run(
      "CREATE TABLE users (id int PRIMARY KEY, name text); INSERT INTO users VALUES (1, 'a'), (2, 'b'), (3, 'c')",
    );
    project = new GateProject({}, POLICY);
    const script = join(import.meta.dirname, '../gate/support/psql-server.mjs');
    project.declare({ db: { command: NODE, args: [script, postgres.psql, ...postgres.connection] } });
    await project.prepare();
    client = await project.connect('db');
  });
  afterAll(async () => {
    await project.end();
    postgres.end();
  });

  const query = (sql: string) => client.callTool({ name: 'query', arguments: { sql } });
  const text = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

  it('a SELECT passes', async () => {
    expect(text(await query('SELECT name FROM users WHERE id = 2'))).toContain('b');
    expect(project.entries).toThrow();
  });

  it('a bounded UPDATE is tier 1: recorded, then forwarded', async () => {
    await query("UPDATE users SET name = 'x' WHERE id = 2");
    expect(postgres.run('SELECT name FROM users WHERE id = 2')).toBe('x');
    expect(project.entries().map(({ type }) => type)).toEqual([
      'checkpoint',
      'execution_started',
      'mutation_executed',
    ]);
    expect(project.entries()[0]?.payload).toMatchObject({ kind: 'statement', tool: 'query' });
  });

  it('an unbounded DELETE waits, and after approval runs exactly once', async () => {
    const sql = 'DELETE FROM users WHERE id=id';
    const receipt = jsonOf(await query(sql));
    expect(receipt.status).toBe('pending_approval');
    expect(postgres.run('SELECT count(*) FROM users')).toBe('3');
    const id = String(receipt.proposal_id);
    const shown = await project.run('gate', 'show', id);
    expect(shown.stdout).toContain(sql);
    expect(shown.stdout).toContain('E_SQL_TAUTOLOGY');
    const token = (await project.run('gate', 'approve', id)).stdout.trim();
    const ran = await project.run('gate', 'execute', id, '--token', token, '--isolation', 'none');
    expect(ran.code).toBe(0);
    expect(postgres.run('SELECT count(*) FROM users')).toBe('0');
    postgres.run("INSERT INTO users VALUES (9, 'z')");
    const again = await project.run('gate', 'execute', id, '--token', token, '--isolation', 'none');
    expect(again.stderr).toContain('E_TOKEN_USED');
    expect(postgres.run('SELECT count(*) FROM users')).toBe('1');
  });

  it.each([
    ['SELECT 1; DROP TABLE users', 'E_SQL_MULTI'],
    ['DROP TABLE users', 'E_SQL_SHAPE'],
    ["DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$", 'E_SQL_INDIRECT'],
    ["SELECT pg_read_file('/etc/passwd')", 'E_SQL_FUNCTION'],
  ])('%s waits', async (sql, code) => {
    const receipt = jsonOf(await query(sql));
    expect(receipt.status).toBe('pending_approval');
    expect((await project.run('gate', 'show', String(receipt.proposal_id))).stdout).toContain(code);
    expect(postgres.run('SELECT count(*) FROM users')).toBe('1');
  });
});
