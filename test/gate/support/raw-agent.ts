import type { ChildProcess } from 'node:child_process';
import type { GateProject } from './project.ts';

interface Message {
  id?: string | number | null;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: { code?: string } };
}

/** An agent that writes to the proxy what it likes, byte for byte. */
export class RawAgent {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  private waiting: (() => void)[] = [];
  private nextId = 100;

  constructor(project: GateProject, server: string) {
    this.child = project.spawn(['proxy', '--server', server, '--isolation', 'none'], 'pipe');
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as Message);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** The first message for which `is` holds. */
  async message(is: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((wake) => this.waiting.push(wake));
    }
  }

  async ask(method: string, params: object = {}): Promise<Message> {
    const id = this.nextId++;
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return await this.message((message) => message.id === id);
  }

  async begin(): Promise<Message> {
    const answer = await this.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }
}
