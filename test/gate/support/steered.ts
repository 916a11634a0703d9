import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE } from '../../support/own-node.ts';
import { GateProject } from './project.ts';

export interface Steering {
  pages: object[][];
  prompts?: object[];
  resources?: object[];
  templates?: object[];
  instructions?: string;
  /** How `tools/call` ends. */
  onCall?: 'die' | 'hang' | 'error' | 'isError' | 'changed';
  /** Milliseconds before a list is answered. */
  slow?: number;
}

export function tool(name: string, more: object = {}): object {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    ...more,
  };
}

/** A project with one server, `steered`, that does what {@link steer} says. */
export class SteeredProject extends GateProject {
  private readonly steering: string;
  readonly record: string;

  constructor(steering: Steering, policy: string) {
    super({}, policy);
    this.steering = join(this.base, 'steering.json');
    this.record = join(this.base, 'record.jsonl');
    this.steer(steering);
    const script = join(import.meta.dirname, 'steered-server.mjs');
    this.declare({ steered: { command: NODE, args: [script, this.steering, this.record] } });
  }

  steer(steering: Steering): void {
    writeFileSync(this.steering, JSON.stringify(steering));
  }

  /** The `tools/call` lines that reached the server, as it got them. */
  calls(): string[] {
    if (!existsSync(this.record)) return [];
    return readFileSync(this.record, 'utf8').trimEnd().split('\n');
  }
}

/** Repeats until it holds, at most for so many milliseconds. */
export async function until(holds: () => boolean, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it never came true');
    await new Promise((done) => setTimeout(done, 20));
  }
}
