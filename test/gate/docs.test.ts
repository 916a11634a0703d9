import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGatePolicy } from '../../src/gate/policy.ts';
import { CLI, ROOT } from '../cli/support.ts';
import { NODE } from '../support/own-node.ts';
import { filesystem, GateProject, jsonOf } from './support/project.ts';

const page = readFileSync(join(ROOT, 'docs/gate.md'), 'utf8');
const example = (path: string): string => readFileSync(join(ROOT, 'examples/gate', path), 'utf8');
/** Fenced blocks, also in lists, without their indentation. */
const fences = [...page.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].map(
  ([, indent = '', info, text = '']) => ({
    info,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }),
);
const blocks = (info: string): string[] => fences.filter((one) => one.info === info).map(({ text }) => text);
const commands = blocks('sh').flatMap((text) => text.trimEnd().split('\n'));

/** Arguments of the documented command that begins so, with the id and token put in. */
function documented(start: string, id = '', token = ''): string[] {
  const line = commands.find((one) => one.startsWith(`npx @agentgate/agentgate ${start}`));
  if (line === undefined) throw new Error(`docs/gate.md has no command "${start}"`);
  return line.replace('prop_…', id).replace('agt1.…', token).split(' ').slice(2);
}

describe('docs/gate.md', () => {
  it('shows what the examples hold', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const [before, after] = blocks('json').map((text) => JSON.parse(text) as unknown);
    expect(before).toEqual(JSON.parse(example('before/.mcp.json')));
    expect(before).toEqual(JSON.parse(example('after/mcp-servers.json')));
    expect(after).toEqual(JSON.parse(example('after/.mcp.json')));
    expect(blocks('yaml')[0]).toBe(example('agentgate.yml'));
    expect(example('after/.mcp.json')).toContain(`"@agentgate/agentgate@${version}"`);
  });

  it('has policies that are read', async () => {
    const project = new GateProject({});
    try {
      for (const text of blocks('yaml')) {
        project.write('agentgate.yml', text.startsWith('version') ? text : `version: 1\n${text}`);
        const { gate } = await loadGatePolicy(project.dir, project.home);
        expect(gate.tiers.size + gate.inputRequests.size).toBeGreaterThan(0);
      }
    } finally {
      await project.end();
    }
  });
});

describe('the path of docs/gate.md', () => {
  let project: GateProject;
  let client: Client;
  const notes = (name: string): string => join(project.dir, 'notes', name);
  const { args = [] } = (
    JSON.parse(example('after/.mcp.json')) as { mcpServers: { filesystem: { args: string[] } } }
  ).mcpServers.filesystem;
  const proxy = args.slice(args.indexOf('proxy'));

  beforeAll(async () => {
    project = new GateProject({});
    project.write('agentgate.yml', example('agentgate.yml'));
    project.write('notes/a.txt', 'alpha\n');
    // The release that npx would fetch is installed.
    project.declare({ filesystem: filesystem('2026.8.31', 'notes') });
    await project.prepare();
    renameSync(join(project.dir, '.mcp.json'), join(project.dir, 'mcp-servers.json'));
    project.declare({ filesystem: { command: NODE, args: [CLI, ...proxy] } });
    client = new Client({ name: 'test-agent', version: '1.0.0' });
  });
  afterAll(async () => {
    await client?.close();
    await project?.end();
  });

  const connect = async (): Promise<void> => {
    await client.connect(
      new StdioClientTransport({
        command: NODE,
        args: [CLI, ...proxy],
        cwd: project.dir,
        env: project.env as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    await client.listTools();
  };

  it('checks what is behind the proxy, and pins how the proxy is started', async () => {
    const before = await project.run('ci', '--isolation', 'none');
    expect(before.stdout).toContain('gate[".mcp.json"].filesystem');
    expect(before.code).toBe(1);
    const locked = await project.run(...documented('lock'), '--yes', '--isolation', 'none');
    expect(locked.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The server is as reviewed, but clients no longer start AgentGate’s proxy for it as they did',
    );
    expect(locked.code).toBe(0);
    const ran = await project.run('ci', '--isolation', 'none');
    expect(ran.stdout).toContain('1 server matches the lock');
    expect(ran.code).toBe(0);
  });

  it('reads, holds, approves and carries out, with the commands as they stand there', async () => {
    await connect();
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: notes('a.txt') } });
    expect(JSON.stringify(read.content)).toContain('alpha');
    const receipt = jsonOf(
      await client.callTool({
        name: 'move_file',
        arguments: { source: notes('a.txt'), destination: notes('b.txt') },
      }),
    );
    expect(receipt.status).toBe('pending_approval');
    expect(existsSync(notes('a.txt'))).toBe(true);
    const id = String(receipt.proposal_id);
    expect((await project.run(...documented('gate list'))).stdout).toContain(id);
    expect((await project.run(...documented('gate show', id))).stdout).toContain('b.txt');
    const token = (await project.run(...documented('gate approve', id))).stdout.trim();
    const executed = await project.run(...documented('gate execute', id, token));
    expect(executed.stdout).toContain(`${id} EXECUTED`);
    expect(readFileSync(notes('b.txt'), 'utf8')).toBe('alpha\n');
    expect(existsSync(notes('a.txt'))).toBe(false);
    expect((await project.run(...documented('ledger verify'))).code).toBe(0);
    const trail = await project.run(...documented('ledger trail', id));
    for (const type of ['proposal_created', 'operator_approved', 'execution_started', 'mutation_executed'])
      expect(trail.stdout).toContain(type);
  });

  it('has a small client that does the same', async () => {
    const child = spawn(
      NODE,
      [
        join(ROOT, 'examples/gate/call.mjs'),
        'filesystem',
        'list_directory',
        `path=${join(project.dir, 'notes')}`,
      ],
      {
        cwd: project.dir,
        env: { ...project.env, PATH: `${dirname(NODE)}${delimiter}${process.env.PATH ?? ''}` },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
    expect(out).toContain('[FILE] b.txt');
  });

  it('begins a ledger anew when the operator forgets the one that is gone', async () => {
    rmSync(join(project.dir, '.agentgate'), { recursive: true });
    const refused = await project.run('gate', 'list');
    expect(refused.stderr).toContain('E_LEDGER_TRUNCATED');
    expect(refused.stderr).toContain('begin anew as docs/gate.md says ("The ledger")');
    const heads = join(project.home, '.config/agentgate/ledger-heads');
    const [head = ''] = readdirSync(heads);
    expect(readFileSync(join(heads, head), 'utf8')).toContain(join(project.dir, '.agentgate/ledger.jsonl'));
    rmSync(join(heads, head));
    expect((await project.run('gate', 'list')).stdout).toBe('Nothing waits.\n');
    const verified = await project.run('ledger', 'verify');
    expect(verified.stderr).toContain('the first call that the gate records begins it');
  });
});
