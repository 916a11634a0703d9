import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { GateProject } from '../../gate/support/project.ts';

/** An agent that counts what it is answered and keeps nothing of it. */
export class CountingAgent {
  readonly child: ChildProcess;
  answers = 0;
  bytes = 0;
  errors = 0;
  private wanted = 0;
  private wake = (): void => {};

  constructor(project: GateProject) {
    this.child = project.spawn(['proxy', '--server', 'talking', '--isolation', 'none'], 'pipe');
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.answers++;
      // The results hold nothing but x.
      if (chunk.includes('"error"')) this.errors++;
      if (this.answers >= this.wanted) this.wake();
    });
  }

  async begin(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    this.send({ id: 0, method: 'initialize', params });
    await this.answered(1);
  }

  /** Calls of the tool that answers with so many bytes. */
  call(from: number, count: number, bytes: number): void {
    for (let id = from; id < from + count; id++)
      this.send({ id, method: 'tools/call', params: { name: 'big', arguments: { bytes } } });
  }

  /** Resolves at so many answers in all. */
  async answered(count: number): Promise<void> {
    this.wanted = count;
    if (this.answers >= count) return;
    await new Promise<void>((done) => {
      this.wake = done;
    });
  }

  /** Bytes of memory that the proxy holds (Linux). */
  memory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Bytes that the proxy has read, from anywhere (Linux). */
  bytesRead(): number {
    return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${this.child.pid}/io`, 'utf8'))?.[1]);
  }

  private send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
