import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import { filesystem, GateProject, jsonOf } from '../gate/support/project.ts';
import { RawAgent } from '../gate/support/raw-agent.ts';

const { mechanism } = await probeIsolation();

/** Everything that decides about the server, each in another place than by default. */
const POLICY = `gate:
  ledger: logs/gate/ledger.jsonl
  tiers: { filesystem: { write_file: TIER, move_file: TIER } }
`;
const OPTIONS = ['--lockfile', 'locks/my.lock', '--config', 'mcp-servers.json'];
const FILES = ['logs/gate/ledger.jsonl', 'locks/my.lock', 'mcp-servers.json', '.cursor/mcp.json'];

let project: GateProject;
afterEach(() => project.end());

async function made(tier: number): Promise<void> {
  project = new GateProject({}, POLICY.replaceAll('TIER', String(tier)));
  project.write('.cursor/mcp.json', '{"mcpServers":{}}');
  mkdirSync(join(project.dir, 'notes'));
  project.declare({ filesystem: filesystem('2026.8.31', project.dir) });
  await project.prepare();
  project.write('locks/my.lock', project.read('agentgate.lock'));
  project.write('mcp-servers.json', project.read('.mcp.json'));
}

describe('what decides about a server, wherever it is', () => {
  it.skipIf(mechanism === undefined)('is not for the isolated server to write or to move', async () => {
    await made(0);
    const client = await project.connect('filesystem', '--isolation', 'auto', ...OPTIONS);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    // The first refusal begins the ledger.
    await call('agentgate_approve', {}).catch(() => {});
    const at = (path: string): string => join(project.dir, path);
    for (const path of FILES) {
      const before = project.read(path);
      const answer = await call('write_file', { path: at(path), content: 'other\n' });
      expect(answer.isError, path).toBe(true);
      expect(project.read(path), path).toBe(before);
    }
    for (const path of ['logs', 'logs/gate', 'locks', '.cursor', 'logs/gate/ledger.jsonl']) {
      const answer = await call('move_file', { source: at(path), destination: at('notes/gone') });
      expect(answer.isError, path).toBe(true);
    }
    expect((await call('write_file', { path: at('notes/a.txt'), content: 'a' })).isError).not.toBe(true);
    expect((await call('write_file', { path: at('logs/a.txt'), content: 'a' })).isError).not.toBe(true);
    expect((await project.run('ledger', 'verify')).stdout).toContain('is consistent');
  });

  it.each([
    ['agentgate.yml', 'rules.yml'],
    ['agentgate.lock', 'other.lock'],
    ['logs', 'elsewhere'],
    ['logs/gate', 'elsewhere'],
  ])('is never %s by a link, which a server could replace', async (path, target) => {
    await made(0);
    mkdirSync(join(project.dir, 'logs/gate'), { recursive: true });
    renameSync(join(project.dir, path), join(project.dir, target));
    symlinkSync(join(project.dir, target), join(project.dir, path));
    const ran = await project.run('gate', 'list');
    expect(ran.stderr).toContain(`${path} is a link`);
    expect(ran.stderr).toContain('E_OWN_LINK');
    const agent = new RawAgent(project, 'filesystem');
    expect((await agent.begin()).error?.message).toContain('E_OWN_LINK');
  });

  it('is held when a call of tier 1 names it, there or not', async () => {
    await made(1);
    const client = await project.connect('filesystem', ...OPTIONS);
    const names = [...FILES, '.vscode/mcp.json', '.codex/config.toml', '.mcp.json', 'agentgate.yml'];
    for (const path of names) {
      const args = { path: join(project.dir, path), content: 'other\n' };
      const answer = await client.callTool({ name: 'write_file', arguments: args });
      expect(jsonOf(answer).message, path).toContain('belongs to the gate');
    }
    const link = join(project.dir, 'notes/link');
    symlinkSync('../locks', link);
    const answer = await client.callTool({
      name: 'write_file',
      arguments: { path: join(link, 'my.lock'), content: 'other\n' },
    });
    expect(jsonOf(answer).message).toContain('belongs to the gate');
  });
});
