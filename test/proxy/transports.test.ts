import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { jsonOf, refusal } from '../gate/support/project.ts';
import { SteeredProject, tool, until } from '../gate/support/steered.ts';

const POLICY = 'gate: { tiers: { steered: { look: 0, act: 2 } } }\n';

let project: SteeredProject;
afterEach(() => project.end());

/** Starts a command that serves HTTP, and gives its URL. */
async function serve(...args: string[]): Promise<string> {
  const child = project.spawn(args, 'pipe');
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => /http:\S+\/mcp/.test(said));
  return /http:\S+\/mcp/.exec(said)?.[0] ?? '';
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The status that a bare request gets. */
function status(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: options.method ?? 'POST', headers: options.headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(options.body);
  });
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the proxy by HTTP', () => {
  it('serves the same, to this machine alone, and only by POST', async () => {
    project = new SteeredProject({ pages: [[tool('look'), tool('act')]] }, POLICY);
    await project.prepare();
    const url = await serve('proxy', '--server', 'steered', '--listen', '127.0.0.1:0', '--isolation', 'none');
    const client = await connect(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'look',
      'act',
      'agentgate_status',
      'agentgate_result',
    ]);
    await client.callTool({ name: 'look', arguments: {} });
    expect(jsonOf(await client.callTool({ name: 'act', arguments: {} })).status).toBe('pending_approval');
    expect(project.calls()).toHaveLength(1);

    expect(await status(url, { headers: JSON_TYPE, body: PING })).toBe(200);
    expect(await status(url, { headers: { ...JSON_TYPE, host: 'evil.example' }, body: PING })).toBe(403);
    expect(await status(url, { headers: { ...JSON_TYPE, origin: 'https://evil.example' }, body: PING })).toBe(
      403,
    );
    expect(await status(url, { headers: { 'content-type': 'text/plain' }, body: PING })).toBe(415);
    expect(await status(url, { method: 'GET' })).toBe(405);
    expect(await status(url.replace('/mcp', '/approve'), { headers: JSON_TYPE, body: PING })).toBe(404);
    const batch = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: `[${PING}]` });
    expect(JSON.stringify(await batch.json())).toContain('E_BATCH');
  });

  it('listens nowhere else', async () => {
    project = new SteeredProject({ pages: [[]] }, POLICY);
    for (const address of ['0.0.0.0:1', '192.168.0.1:80', 'example.com:80', '8080']) {
      const ran = await project.run('proxy', '--server', 'steered', '--listen', address);
      expect(ran.stderr).toContain('E_USAGE');
      expect(ran.code).toBe(2);
    }
  });
});

describe('the operator’s server', () => {
  it('is for who bears its secret, and does all that the commands do', async () => {
    project = new SteeredProject({ pages: [[tool('look'), tool('act')]] }, POLICY);
    await project.prepare();
    const agent = await project.connect('steered');
    const id = String(jsonOf(await agent.callTool({ name: 'act', arguments: {} })).proposal_id);
    const other = String(
      jsonOf(await agent.callTool({ name: 'act', arguments: { text: 'no' } })).proposal_id,
    );

    const url = await serve('gate', 'serve', '--operator', '--isolation', 'none');
    const secret = readFileSync(join(project.home, '.config/agentgate/operator.key.secret'), 'utf8').trim();
    expect(await status(url, { headers: JSON_TYPE, body: PING })).toBe(401);
    expect(
      await status(url, { headers: { ...JSON_TYPE, authorization: `Bearer ${secret}x` }, body: PING }),
    ).toBe(401);
    expect(
      await status(url, {
        headers: { ...JSON_TYPE, authorization: `Bearer ${secret}`, origin: 'https://x.example' },
        body: PING,
      }),
    ).toBe(403);
    expect(await status(url, { method: 'GET', headers: { authorization: `Bearer ${secret}` } })).toBe(405);

    const operator = await connect(url, { authorization: `Bearer ${secret}` });
    const names = (await operator.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      ['list', 'show', 'approve', 'reject', 'execute', 'ledger_verify'].map((name) => `agentgate_${name}`),
    );
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      jsonOf(await operator.callTool({ name, arguments: args }));
    expect(JSON.stringify(await call('agentgate_list'))).toContain(id);
    const { token } = await call('agentgate_approve', { proposal_id: id });
    expect(await call('agentgate_execute', { proposal_id: id, token, dry_run: true })).toMatchObject({
      dry_run: true,
    });
    expect(await call('agentgate_execute', { proposal_id: id, token })).toMatchObject({ state: 'EXECUTED' });
    expect(await refusal(call('agentgate_execute', { proposal_id: id, token }))).toContain('E_TOKEN_USED');
    expect(await call('agentgate_reject', { proposal_id: other, reason: 'no' })).toMatchObject({
      state: 'REJECTED',
    });
    expect(await refusal(call('agentgate_approve', { proposal_id: id, extra: 1 }))).toContain(
      'E_ARGS_INVALID',
    );
    expect(await refusal(call('look'))).toContain('Unknown tool');
    expect(await call('agentgate_ledger_verify')).toMatchObject({ ok: true });
    expect(project.calls()).toHaveLength(1);
  });
});

describe('the commands', () => {
  it('take a beginning of an id, and list as JSON', async () => {
    project = new SteeredProject({ pages: [[tool('look'), tool('act')]] }, POLICY);
    await project.prepare();
    const agent = await project.connect('steered');
    const id = String(jsonOf(await agent.callTool({ name: 'act', arguments: {} })).proposal_id);
    const listed = JSON.parse((await project.run('gate', 'list', '--json')).stdout);
    expect(listed).toMatchObject([{ proposal_id: id, state: 'PENDING_APPROVAL', tool: 'act', tier: 2 }]);
    expect((await project.run('gate', 'show', id.slice(0, 13))).stdout).toContain(id);
    expect((await project.run('gate', 'show', 'prop_ffffffff')).stderr).toContain('E_PROPOSAL_UNKNOWN');
    const watched = await project.run('gate', 'watch', '--once');
    expect(watched.stdout).toContain(id);
  });

  it('record who approved which lock', async () => {
    project = new SteeredProject({ pages: [[tool('look')]] }, POLICY);
    await project.prepare();
    const args = [
      '--pr',
      '7',
      '--head-sha',
      'a'.repeat(40),
      '--merge-sha',
      'b'.repeat(40),
      '--reviewers',
      'octavia',
    ];
    expect((await project.run('ledger', 'record-pr', ...args)).code).toBe(0);
    const lock_sha256 = createHash('sha256').update(project.read('agentgate.lock')).digest('hex');
    expect(project.entries()).toMatchObject([
      { type: 'lock_drift_approved', payload: { pr: 7, lock_sha256, reviewers: ['octavia'] } },
    ]);
    expect((await project.run('ledger', 'record-pr', ...args.with(1, 'x'))).stderr).toContain('E_USAGE');
  });

  it('write a signed checkpoint, against which a ledger that was cut does not verify', async () => {
    project = new SteeredProject({ pages: [[tool('look'), tool('act')]] }, POLICY);
    await project.prepare();
    const agent = await project.connect('steered');
    await agent.callTool({ name: 'act', arguments: {} });
    await agent.callTool({ name: 'act', arguments: { text: 'x' } });
    const made = await project.run('ledger', 'checkpoint', '--output', 'agentgate.checkpoint');
    expect(made.code).toBe(0);
    expect(project.read('agentgate.checkpoint')).toMatch(
      /^agentgate\/repo\n2\n\S{44}\n\n— agentgate\/repo \S+\n$/,
    );
    const whole = await project.run('ledger', 'verify', '--checkpoint', 'agentgate.checkpoint');
    expect(whole.stdout).toContain('The ledger is complete');
    const first = project.read('.agentgate/ledger.jsonl').split('\n')[0];
    project.write('.agentgate/ledger.jsonl', `${first}\n`);
    expect((await project.run('ledger', 'verify')).stdout).toContain('Completeness is not known');
    const cut = await project.run('ledger', 'verify', '--checkpoint', 'agentgate.checkpoint');
    expect(cut.stdout).toContain('E_LEDGER_TRUNCATED');
    expect(cut.code).toBe(1);
    project.write('forged', project.read('agentgate.checkpoint').replace('\n2\n', '\n1\n'));
    expect((await project.run('ledger', 'verify', '--checkpoint', 'forged')).stderr).toContain(
      'E_CHECKPOINT',
    );
  });
});
