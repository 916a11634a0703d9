import { Worker } from 'node:worker_threads';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import type { Json, JsonObject } from '../util/json.ts';
import type { ArgumentsAnswer } from './args-check.ts';

/** Milliseconds for one check. A reviewed schema takes less than one, but on a busy machine the worker waits for its turn. */
const TIMEOUT_MS = 10_000;
/** For the worker to start and load Ajv. */
const START_MS = 20_000;

interface Pending {
  resolve(answer: ArgumentsAnswer): void;
  reject(error: AgentGateError): void;
  timer: NodeJS.Timeout;
}

/**
 * Checks arguments in a worker with a time limit. A worker that took too long, or ended, is replaced; what it was asked
 * is refused.
 */
export class ArgumentsChecker {
  private readonly timeoutMs: number;
  private worker: Worker | undefined;
  private ready: Promise<void> | undefined;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private asking = 0;

  constructor(timeoutMs = TIMEOUT_MS) {
    this.timeoutMs = timeoutMs;
  }

  /**
   * Throws `E_ARGS_INVALID` with the JSON pointer, and `E_ARGS_TIMEOUT`.
   *
   * @param key - names the schema and whether it is closed
   */
  async check(key: string, schema: Json, args: JsonObject, closed: boolean): Promise<void> {
    const answer = await this.ask({ key, schema, arguments: args, closed });
    const { problem } = answer;
    if (problem === undefined) return;
    throw new AgentGateError(
      'E_ARGS_INVALID',
      `The arguments do not fit the reviewed schema: ${JSON.stringify(problem.pointer)}${problem.pointer === '' ? ' (all of them)' : ''} ${visibleLine(problem.text.slice(0, 500))}`,
    );
  }

  /** Starts the worker, so that the first call need not wait for it. */
  warm(): void {
    this.start();
  }

  async end(): Promise<void> {
    await this.stop('the proxy was stopped');
  }

  private async ask(question: object): Promise<ArgumentsAnswer> {
    const worker = this.start();
    // A process that waits for an answer only must not end before it.
    this.asking++;
    worker.ref();
    try {
      await this.ready;
      return await new Promise((resolve, reject) => {
        const id = this.nextId++;
        const timer = setTimeout(
          () => void this.stop(`checking the arguments took longer than ${this.timeoutMs / 1000} s`),
          this.timeoutMs,
        );
        this.pending.set(id, { resolve, reject, timer });
        worker.postMessage({ id, ...question });
      });
    } finally {
      if (--this.asking === 0) worker.unref();
    }
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const name = import.meta.url.endsWith('.ts') ? 'args-worker.ts' : 'args-worker.js';
    const worker = new Worker(new URL(name, import.meta.url), {
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    this.worker = worker;
    this.ready = new Promise((resolve, reject) => {
      const fail = (): void => reject(timeout('the checker did not start'));
      const timer = setTimeout(fail, START_MS).unref();
      // Its first message says that it is ready.
      worker.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      worker.once('exit', fail);
    });
    // Who asks is told; a worker that was only readied has nobody to tell.
    this.ready.catch(() => {
      if (this.worker === worker) void this.stop('the checker did not start');
    });
    worker.on('message', (answer: ArgumentsAnswer & { id: number }) => {
      const entry = this.pending.get(answer.id);
      if (entry === undefined) return;
      clearTimeout(entry.timer);
      this.pending.delete(answer.id);
      entry.resolve(answer);
    });
    const gone = (): void => {
      if (this.worker === worker) void this.stop('the checker ended');
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    worker.unref();
    return worker;
  }

  private async stop(why: string): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    for (const entry of this.pending.values()) {
      clearTimeout(entry.timer);
      entry.reject(timeout(why));
    }
    this.pending.clear();
    await worker?.terminate();
  }
}

function timeout(why: string): AgentGateError {
  return new AgentGateError(
    'E_ARGS_TIMEOUT',
    `The arguments could not be checked, so the call is refused: ${why}.`,
  );
}
