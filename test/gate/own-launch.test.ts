import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../src/check.ts';
import { writeLock } from '../../src/lock/write.ts';
import { planRelock } from '../../src/relock.ts';
import type { Report } from '../../src/report/model.ts';
import { CLI } from '../cli/support.ts';
import { NODE } from '../support/own-node.ts';
import { filesystem, GateProject, type Ran } from './support/project.ts';

/** The layout of docs/gate.md: the real declaration in a file that no client reads. */
const proxy = (...more: string[]): { command: string; args: string[] } => ({
  command: NODE,
  args: [CLI, 'proxy', '--server', 'filesystem', '--config', 'mcp-servers.json', ...more],
});

let project: GateProject;
beforeEach(async () => {
  project = new GateProject(
    { filesystem: proxy() },
    'gate: { tiers: { filesystem: { list_directory: 0 } } }\n',
  );
  project.write('notes/a.txt', 'alpha\n');
  project.write(
    'mcp-servers.json',
    JSON.stringify({ mcpServers: { filesystem: filesystem('2026.8.31', 'notes') } }),
  );
});
afterEach(() => project.end());

const cli = (...args: string[]): Promise<Ran> => project.run(...args, '--isolation', 'none');
const options = () => ({
  cwd: project.dir,
  lockfile: 'agentgate.lock',
  allClients: false,
  isolation: 'none' as const,
  starts: 1 as const,
  env: project.env,
});
const lock = async (): Promise<void> => {
  const plan = await planRelock(options());
  await writeLock(plan.path, plan.after);
};
const look = async (): Promise<Report> => (await check(options())).report;
/** What the check says of the server’s entries: pointer, before, after. */
const gateChanges = async (): Promise<[string, unknown, unknown][]> => {
  const report = await look();
  expect([report.verdict, report.exitCode]).toEqual(['drift', 1]);
  return report.changes.flatMap(({ fields }) =>
    fields.map(({ pointer, before, after }): [string, unknown, unknown] => [pointer, before, after]),
  );
};

describe('a repository whose clients start the proxy', () => {
  it('is locked and checked by what is behind it, without starting it', async () => {
    const locked = await cli('lock', '--yes');
    expect(locked.stderr + locked.stdout).not.toMatch(/\bE_/);
    expect(locked.code).toBe(0);
    const lock = JSON.parse(project.read('agentgate.lock')) as {
      servers: Record<
        string,
        {
          config: string;
          source: { package: string };
          gate: Record<string, Record<string, { args: string[] }>>;
        }
      >;
    };
    expect(Object.keys(lock.servers)).toEqual(['filesystem']);
    const { filesystem: entry } = lock.servers;
    expect(entry?.config).toBe('mcp-servers.json');
    expect(entry?.gate['.mcp.json']?.filesystem?.args.slice(1)).toEqual(proxy().args.slice(1));

    const report = await look();
    expect([report.verdict, report.exitCode]).toEqual(['clean', 0]);
    expect(report.info.find(({ code }) => code === 'GATE_ENTRY')?.message).toContain(
      '"filesystem" of mcp-servers.json, is checked in its place',
    );
    expect((await cli('ci')).code).toBe(0);
    expect((await cli('diff')).code).toBe(0);
    expect((await cli('ci', '--config', 'mcp-servers.json')).code).toBe(0);
    // A proxy would have begun its ledger.
    expect(existsSync(join(project.dir, '.agentgate'))).toBe(false);

    // The proxy itself reads the same files, named or not.
    for (const args of [
      proxy('--isolation', 'none').args,
      [CLI, 'proxy', '--server', 'filesystem', '--isolation', 'none'],
    ]) {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StdioClientTransport({
          command: NODE,
          args,
          cwd: project.dir,
          env: project.env as Record<string, string>,
          stderr: 'ignore',
        }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_file');
      const listed = await client.callTool({ name: 'list_directory', arguments: { path: 'notes/..' } });
      expect(JSON.stringify(listed)).not.toMatch(/\bE_/);
      await client.close();
    }
  }, 180_000);

  it('shows every way to go around the proxy, or to weaken it', async () => {
    await lock();
    const at = '/gate/.mcp.json/filesystem';
    for (const more of [
      ['--isolation', 'none'],
      ['--lockfile', 'other.lock'],
      ['--cwd', 'notes/..'],
    ]) {
      project.declare({ filesystem: proxy(...more) });
      const [[pointer, before, after] = []] = await gateChanges();
      expect(pointer).toBe(`${at}/args`);
      expect(JSON.stringify(before)).not.toContain(more[0]);
      expect(JSON.stringify(after)).toContain(`${more[0]}","${more[1]}`);
    }
    project.declare({ filesystem: { ...proxy(), env: { NODE_OPTIONS: '--import ./x.mjs' } } });
    expect(await gateChanges()).toEqual([[`${at}/env`, undefined, ['NODE_OPTIONS']]]);

    // The server itself again, as it was reviewed.
    project.declare({ filesystem: filesystem('2026.8.31', 'notes') });
    expect(await gateChanges()).toEqual([[at, expect.anything(), undefined]]);

    // A further client that starts it without the proxy.
    project.declare({ filesystem: proxy() });
    project.write(
      '.cursor/mcp.json',
      JSON.stringify({ mcpServers: { filesystem: filesystem('2026.8.31', 'notes') } }),
    );
    expect(await gateChanges()).toEqual([
      ['/gate/.cursor~1mcp.json/filesystem', undefined, { direct: true }],
    ]);

    // A further client that starts the proxy: how is told member by member.
    project.write('.cursor/mcp.json', JSON.stringify({ mcpServers: { filesystem: proxy() } }));
    const cursor = '/gate/.cursor~1mcp.json/filesystem';
    expect((await gateChanges()).map(([pointer]) => pointer)).toEqual([
      `${cursor}/args`,
      `${cursor}/command`,
    ]);
  });

  it('says of an entry that leads to nothing what is wrong, and checks the others', async () => {
    await lock();
    project.declare({
      filesystem: proxy(),
      itself: { command: NODE, args: [CLI, 'proxy', '--server', 'itself'] },
      unknown: { command: NODE, args: [CLI, 'proxy', '--server', 'unknown', '--config', 'mcp-servers.json'] },
    });
    const report = await look();
    expect([report.verdict, report.exitCode]).toEqual(['unchecked', 2]);
    expect(report.servers.map(({ key, status, error }) => [key, status, error?.code])).toEqual([
      ['filesystem', 'match', undefined],
      ['itself', 'unchecked', 'E_GATE_ENTRY'],
      ['unknown', 'unchecked', 'E_GATE_ENTRY'],
    ]);
    const ran = await project.run('proxy', '--server', 'itself');
    expect(ran.stderr).toContain('leads to itself');
    expect(ran.code).toBe(2);
  });

  it('takes a server that nobody has locked for a new one', async () => {
    await lock();
    project.write(
      'mcp-servers.json',
      JSON.stringify({
        mcpServers: {
          filesystem: filesystem('2026.8.31', 'notes'),
          other: filesystem('2025.12.18', 'notes'),
        },
      }),
    );
    project.declare({
      filesystem: proxy(),
      other: { command: NODE, args: [CLI, 'proxy', '--server', 'other', '--config', 'mcp-servers.json'] },
    });
    const report = await look();
    expect(report.servers.map(({ key, status }) => [key, status])).toEqual([
      ['filesystem', 'match'],
      ['other', 'new'],
    ]);
    expect(report.exitCode).toBe(1);
  });
});
