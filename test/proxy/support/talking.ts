import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ENTRY, GateProject } from '../../gate/support/project.ts';
import { until } from '../../gate/support/steered.ts';
import { NODE } from '../../support/own-node.ts';

export const POLICY = `gate:
  tiers:
    talking: { look: 0, act: 2, steps: 0, wait: 0, big: 0, say: 0, ask: 0, change: 0, touch: 0, die: 0, input: 0, edit: 1 }
`;

type Declared = ConstructorParameters<typeof ModernClient>[1];

/** A project with one server, `talking`. */
export class TalkingProject extends GateProject {
  readonly record: string;
  private readonly modern = new Set<ModernClient>();

  constructor(era: 'legacy' | 'modern' = 'legacy', policy = POLICY) {
    super({}, policy);
    this.record = join(this.base, 'record.jsonl');
    const script = join(import.meta.dirname, 'talking-server.mjs');
    this.declare({ talking: { command: NODE, args: [script, this.record, era] } });
  }

  /** Every message that reached a server. */
  received(): { id?: number; method?: string; params?: Record<string, unknown> }[] {
    if (!existsSync(this.record)) return [];
    return readFileSync(this.record, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { method?: string });
  }

  /** Those of one method, but for the ones of the lock's capture. */
  of(method: string): { id?: number; params?: Record<string, unknown> }[] {
    return this.received().filter((message) => message.method === method);
  }

  /** A client that speaks 2026-07-28 and nothing else, with the proxy as its server. */
  async connectModern(more: Declared = {}): Promise<ModernClient> {
    const client = this.modernClient(more);
    await client.connect(
      new StdioClientTransport({
        command: NODE,
        args: [ENTRY, 'proxy', '--server', 'talking', '--isolation', 'none'],
        cwd: this.dir,
        env: this.env as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    return client;
  }

  async connectModernHttp(url: string, more: Declared = {}): Promise<ModernClient> {
    const client = this.modernClient(more);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
  }

  /** Starts the proxy as a listener and gives its URL. */
  async listen(stdin: 'pipe' | 'ignore' = 'ignore'): Promise<string> {
    const child = this.spawn(
      ['proxy', '--server', 'talking', '--listen', '127.0.0.1:0', '--isolation', 'none'],
      stdin,
    );
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await until(() => /http:\S+\/mcp/.test(said));
    return /http:\S+\/mcp/.exec(said)?.[0] ?? '';
  }

  override async end(): Promise<void> {
    await Promise.allSettled([...this.modern].map((client) => client.close()));
    await super.end();
  }

  private modernClient(more: Declared): ModernClient {
    const client = new ModernClient(
      { name: 'modern', version: '1' },
      { ...more, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    this.modern.add(client);
    return client;
  }
}

/** The first text of a tool's answer. */
export function textOf(result: unknown): string {
  const { content } = result as { content?: { text?: string }[] };
  return content?.[0]?.text ?? '';
}
