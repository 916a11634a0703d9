import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { initGate } from '../../../src/gate/cli/init.ts';
import type { LedgerEntry } from '../../../src/gate/ledger/entry.ts';
import { writeLock } from '../../../src/lock/write.ts';
import { planRelock } from '../../../src/relock.ts';
import { ROOT } from '../../cli/support.ts';
import { COMPILE_CACHE } from '../../support/compile-cache.ts';
import { NODE } from '../../support/own-node.ts';

export const ENTRY = join(import.meta.dirname, 'entry.ts');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A real server-filesystem from npm, over the project's folder. */
export function filesystem(release: '2025.12.18' | '2026.8.31', ...folders: string[]): object {
  return { command: NODE, args: [join(ROOT, `node_modules/fs-${release}/dist/index.js`), ...folders] };
}

/** A project with a gate: every command, proxy and client of it is a process of its own. */
export class GateProject {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'gate-test-')));
  readonly dir = join(this.base, 'repo');
  readonly home = join(this.base, 'home');
  readonly env: NodeJS.ProcessEnv;
  private readonly children = new Set<ChildProcess>();
  private readonly clients = new Set<Client>();

  constructor(servers: Record<string, object>, policy = '') {
    mkdirSync(join(this.dir, '.git'), { recursive: true });
    mkdirSync(this.home);
    this.env = { PATH: process.env.PATH, HOME: this.home, TMPDIR: tmpdir(), NO_COLOR: '1', ...COMPILE_CACHE };
    this.declare(servers);
    this.write('agentgate.yml', `version: 1\n${policy}`);
  }

  declare(servers: Record<string, object>): void {
    this.write('.mcp.json', JSON.stringify({ mcpServers: servers }, null, 2));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.dir, path)), { recursive: true });
    writeFileSync(join(this.dir, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  spawn(args: string[], stdin: 'pipe' | 'ignore' = 'ignore'): ChildProcess {
    const child = spawn(NODE, [ENTRY, ...args], {
      cwd: this.dir,
      env: this.env,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    this.children.add(child);
    child.on('close', () => this.children.delete(child));
    return child;
  }

  async run(...args: string[]): Promise<Ran> {
    const child = this.spawn(args);
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      ran.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      ran.stderr += text;
    });
    ran.code = await new Promise((done) => child.on('close', done));
    return ran;
  }

  /** Makes the lock and the operator's keys, as `lock` and `gate init` do, without their processes. */
  async prepare(): Promise<void> {
    const plan = await planRelock({
      cwd: this.dir,
      lockfile: 'agentgate.lock',
      allClients: false,
      isolation: 'none',
      starts: 1,
      env: this.env,
    });
    const failed = plan.surveyed.servers.find(({ result }) => result.state === 'failed');
    if (failed?.result.state === 'failed') throw new Error(failed.result.error.message);
    await writeLock(plan.path, plan.after);
    const quiet = new PassThrough().resume();
    await initGate({ stdin: quiet, stdout: quiet, stderr: quiet, env: this.env, cwd: this.dir }, {});
  }

  /** A real MCP client, with the proxy as its server. */
  async connect(server = 'filesystem', ...options: string[]): Promise<Client> {
    const client = new Client({ name: 'test-agent', version: '1.0.0' });
    this.clients.add(client);
    const transport = new StdioClientTransport({
      command: NODE,
      args: [ENTRY, 'proxy', '--server', server, '--isolation', 'none', ...options],
      cwd: this.dir,
      env: this.env as Record<string, string>,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (data: Buffer) => {
      this.stderr += data.toString();
    });
    await client.connect(transport);
    return client;
  }

  /** What proxies said. */
  stderr = '';

  entries(): LedgerEntry[] {
    return this.read('.agentgate/ledger.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LedgerEntry);
  }

  async end(): Promise<void> {
    await Promise.allSettled([...this.clients].map((client) => client.close()));
    const ended = [...this.children].map((child) => new Promise((done) => child.on('exit', done)));
    for (const child of this.children) child.kill('SIGKILL');
    await Promise.all(ended);
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The JSON object in a tool's answer. */
export function jsonOf(result: unknown): Record<string, unknown> {
  const { content } = result as { content: { type: string; text: string }[] };
  return JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
}

/** The message of what a call is refused with. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    const result = await call;
    return `not refused: ${JSON.stringify(result)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
