import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, describe, expect, it } from 'vitest';
import { rollback } from '../../../src/gate/cli/rollback.ts';
import { Operator } from '../../../src/proxy/operator.ts';
import { filesystem, GateProject, jsonOf } from '../support/project.ts';

const POLICY = `gate:
  tiers:
    filesystem: { write_file: 1, edit_file: 1, create_directory: 1, move_file: 1 }
`;

let project: GateProject;
let client: Client;
afterEach(() => project.end());

/** The real server over two folders of the project, behind the proxy. */
async function start(release: '2025.12.18' | '2026.8.31', ...folders: string[]): Promise<void> {
  project = new GateProject({}, POLICY);
  project.write('notes/a.txt', 'notes a\n');
  project.write('docs/b.txt', 'docs b\n');
  project.write('a.txt', 'root a\n');
  project.declare({ filesystem: filesystem(release, ...folders) });
  await project.prepare();
  client = await project.connect();
}

/** Everything that is in the project, by path. */
function tree(folder = '.'): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(project.dir, folder)).sort()) {
    if (folder === '.' && /^\.(agentgate|git)$/.test(name)) continue;
    const path = join(folder, name);
    const stats = statSync(join(project.dir, path));
    if (stats.isDirectory()) Object.assign(found, { [`${path}/`]: '' }, tree(path));
    else found[path] = `${(stats.mode & 0o7777).toString(8)} ${project.read(path)}`;
  }
  return found;
}

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  return (result.content as { text: string }[])[0]?.text ?? '';
}

/** As `agentgate gate rollback`, without a process of its own. */
async function roll(id: string, options: { all?: boolean; dryRun?: boolean } = {}): Promise<string> {
  const { dir: cwd, env } = project;
  const operator = await Operator.open({ cwd, env, allClients: false, isolation: 'none', notice: () => {} });
  const lines: string[] = [];
  await rollback(operator, id, options, (line) => lines.push(line));
  return lines.join('\n');
}

/** Calls, sees that something changed, rolls back, and sees that all is as before. */
async function undone(name: string, args: Record<string, unknown>): Promise<Record<string, string>> {
  const before = tree();
  const said = await call(name, args);
  const after = tree();
  expect(after, said).not.toEqual(before);
  const { proposal_id: id } = project.entries().findLast(({ type }) => type === 'checkpoint') ?? {};
  expect(await roll(String(id))).toContain('Rolled back');
  expect(tree()).toEqual(before);
  return after;
}

const held = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const receipt = jsonOf(await client.callTool({ name, arguments: args }));
  expect(receipt.status).toBe('pending_approval');
  return String(receipt.message);
};

describe('a checkpoint of the real server-filesystem', () => {
  it('keeps what a relative path means to a server with two folders', async () => {
    await start('2026.8.31', 'notes', 'docs');
    chmodSync(join(project.dir, 'notes/a.txt'), 0o640);
    // The server takes its first folder, not the one that it was started in.
    const after = await undone('write_file', { path: 'a.txt', content: 'changed\n' });
    expect(after['notes/a.txt']).toContain('changed');
    expect(after['a.txt']).toContain('root a');
    await undone('edit_file', { path: 'a.txt', edits: [{ oldText: 'notes', newText: 'other' }] });
    const made = await undone('write_file', { path: 'new.txt', content: 'new\n' });
    expect(made['notes/new.txt']).toContain('new');
    await undone('create_directory', { path: 'deep/er/est' });
    await undone('write_file', { path: 'sub/../a.txt', content: 'dots\n' });
    await undone('write_file', { path: './a.txt', content: 'dot\n' });
    await undone('write_file', { path: join(project.dir, 'docs/b.txt'), content: 'absolute\n' });
    await undone('move_file', { source: 'a.txt', destination: 'moved.txt' });
  });

  it('keeps what a relative path means to a server that goes by its working directory', async () => {
    await start('2025.12.18', '.', 'notes');
    const after = await undone('write_file', { path: 'a.txt', content: 'changed\n' });
    expect(after['a.txt']).toContain('changed');
    await undone('write_file', { path: 'notes/a.txt', content: 'changed\n' });
  });

  it('follows links, and finds a name in another Unicode form', async () => {
    await start('2026.8.31', 'notes', 'docs');
    symlinkSync('../docs/b.txt', join(project.dir, 'notes/link.txt'));
    symlinkSync('../docs', join(project.dir, 'notes/linked'));
    project.write('notes/cafe\u0301.txt', 'decomposed\n');
    const linked = await undone('write_file', { path: 'link.txt', content: 'by a link\n' });
    expect(linked['docs/b.txt']).toContain('by a link');
    await undone('edit_file', { path: 'linked/b.txt', edits: [{ oldText: 'docs', newText: 'other' }] });
    const formed = await undone('write_file', { path: 'caf\u00e9.txt', content: 'composed\n' });
    expect(formed['notes/cafe\u0301.txt']).toContain('composed');
    await undone('write_file', { path: '\u65e5\u672c.txt', content: 'new\n' });
  });

  it('holds what it cannot keep for certain, and says why', async () => {
    await start('2026.8.31', 'notes', 'docs');
    mkdirSync(join(project.base, 'outside'));
    symlinkSync(join(project.base, 'outside'), join(project.dir, 'notes/out'));
    for (const [path, why] of [
      ['~/a.txt', 'begins with "~"'],
      ['../a.txt', 'lies outside of the server’s folder'],
      ['../../a.txt', 'lies outside of the server’s folder'],
      ['out/a.txt', 'lies outside of the server’s folder'],
      ['$HOME/a.txt', 'holds a variable'],
      ['*.txt', 'may be a pattern'],
      ['/etc/hostname', 'lies outside of the server’s folder'],
    ])
      expect(await held('write_file', { path, content: 'x' }), path).toContain(why);
    expect(existsSync(join(project.base, 'outside/a.txt'))).toBe(false);
  });

  it('leaves what others changed since, unless all is asked for', async () => {
    await start('2026.8.31', 'notes', 'docs');
    await call('write_file', { path: 'a.txt', content: 'changed\n' });
    // Kept as well, since the path could have meant it.
    project.write('a.txt', 'by hand\n');
    const { proposal_id: id } = project.entries().findLast(({ type }) => type === 'checkpoint') ?? {};
    const dry = await roll(String(id), { dryRun: true });
    expect(dry).toBe('left a.txt: it was not changed by this call\nwould have put back notes/a.txt');
    await roll(String(id));
    expect([project.read('notes/a.txt'), project.read('a.txt')]).toEqual(['notes a\n', 'by hand\n']);
    const listed = await project.run('gate', 'rollback');
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(new RegExp(`^${id}  \\S+Z  filesystem write_file  .*notes/a\\.txt`, 'm'));
    expect(listed.stdout).toContain(`rollback of ${id}`);
    const unknown = await project.run('gate', 'rollback', 'chk_unknown');
    expect(unknown.stderr).toContain('"agentgate gate rollback" without an id lists them');
    const all = await project.run('gate', 'rollback', String(id), '--all');
    expect(all.stdout).toContain('put back a.txt');
    expect(project.read('a.txt')).toBe('root a\n');
    await roll(/"agentgate gate rollback (\S+)"/.exec(all.stdout)?.[1] ?? '');
    expect(project.read('a.txt')).toBe('by hand\n');
  });
});
