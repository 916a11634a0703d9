import { readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { ENTRY, jsonOf, refusal } from '../gate/support/project.ts';
import { SteeredProject, tool, until } from '../gate/support/steered.ts';
import { NODE } from '../support/own-node.ts';

const POLICY = 'gate: { tiers: { steered: { look: 0, act: 2 } } }\n';

let project: SteeredProject;
afterEach(() => project.end());

async function start(policy = POLICY): Promise<void> {
  project = new SteeredProject({ pages: [[tool('look'), tool('act')]] }, policy);
  await project.prepare();
}

describe('a client of the newer SDK', () => {
  it.each(['legacy', 'auto'] as const)('over standard streams, negotiating %s', async (mode) => {
    await start();
    const client = new ModernClient({ name: 'modern', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StdioClientTransport({
        command: NODE,
        args: [ENTRY, 'proxy', '--server', 'steered', '--isolation', 'none'],
        cwd: project.dir,
        env: project.env as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('look');
      await client.callTool({ name: 'look', arguments: {} });
      expect(jsonOf(await client.callTool({ name: 'act', arguments: {} })).status).toBe('pending_approval');
      expect(await refusal(client.callTool({ name: 'agentgate_approve', arguments: {} }))).toContain(
        'E_PERM',
      );
    } finally {
      await client.close();
    }
  });

  it('over HTTP', async () => {
    await start();
    const child = project.spawn(
      ['proxy', '--server', 'steered', '--listen', '127.0.0.1:0', '--isolation', 'none'],
      'pipe',
    );
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => /http:\S+\/mcp/.test(said));
    const client = new ModernClient(
      { name: 'modern', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(/http:\S+\/mcp/.exec(said)?.[0] ?? '')));
    await client.callTool({ name: 'look', arguments: {} });
    expect(project.calls()).toHaveLength(1);
    await client.close();
  });
});

describe('Ed25519', () => {
  it('a proxy with the public key alone can check an approval, and cannot make one', async () => {
    await start(`${POLICY.trim().slice(0, -1)}, approvals: { algorithm: ed25519 } }\n`);
    const key = join(project.home, '.config/agentgate/operator.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const client = await project.connect('steered');
    const id = String(jsonOf(await client.callTool({ name: 'act', arguments: {} })).proposal_id);
    const approved = await project.run('gate', 'approve', id);
    expect(approved.stdout).toMatch(/^agt2\./);
    renameSync(key, `${key}.away`);
    await client.callTool({ name: 'act', arguments: {} });
    expect(project.calls()).toHaveLength(1);
    const other = String(
      jsonOf(await client.callTool({ name: 'act', arguments: { text: 'x' } })).proposal_id,
    );
    expect((await project.run('gate', 'approve', other)).stderr).toContain('E_KEY_MISSING');
  });
});

describe('many calls', () => {
  it('at once: each has one answer, and no more than a hundred wait', async () => {
    await start();
    const client = await project.connect('steered');
    const calls = Array.from({ length: 130 }, (_, index) =>
      refusal(client.callTool({ name: 'act', arguments: { text: `${index % 110}` } })),
    );
    const answers = await Promise.all(calls);
    const ids = new Set(answers.flatMap((text) => /prop_[0-9a-f]{32}/.exec(text) ?? []));
    expect(ids.size).toBe(100);
    expect(answers.filter((text) => text.includes('E_TOO_MANY_PENDING')).length).toBeGreaterThan(9);
    expect((await project.run('ledger', 'verify')).code).toBe(0);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        client.callTool({ name: 'look', arguments: { text: `${index}` } }),
      ),
    );
    expect(new Set(project.calls()).size).toBe(50);
  });

  it('go on while somebody else writes the ledger, and stop when it was cut', async () => {
    await start();
    const client = await project.connect('steered');
    const other = await project.connect('steered');
    await Promise.all(
      [client, other].map((one, n) => one.callTool({ name: 'act', arguments: { text: `${n}` } })),
    );
    await client.callTool({ name: 'look', arguments: {} });
    const first = readFileSync(join(project.dir, '.agentgate/ledger.jsonl'), 'utf8').split('\n')[0];
    project.write('.agentgate/ledger.jsonl', `${first}\n`);
    expect(await refusal(client.callTool({ name: 'look', arguments: {} }))).toContain('E_LEDGER_TRUNCATED');
    expect(project.calls()).toHaveLength(1);
  });
});
