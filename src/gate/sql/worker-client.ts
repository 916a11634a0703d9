import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../util/errors.ts';
import type { SqlDialect, SqlJudgement, SqlKeys } from './types.ts';

export interface SqlQuestion {
  sql: string;
  dialect: SqlDialect;
  keys?: SqlKeys;
}

/** What the worker is asked. `load` only readies the parser, so that its start does not count as inspection time. */
export interface SqlRequest extends SqlQuestion {
  id: number;
  kind: 'load' | 'judge';
}

/** What it answers. `broken`: its parser trapped and must not be used again. */
export interface SqlReply {
  id: number;
  judgement?: SqlJudgement;
  broken?: boolean;
}

/** Milliseconds for starting the worker and its parser. */
const START_MS = 20_000;

/** The worker beside this file: `sql-worker.ts` in the source, `sql-worker.js` compiled or in a bundle. */
function workerFile(): URL {
  const name = import.meta.url.endsWith('.ts') ? 'sql-worker.ts' : 'sql-worker.js';
  // Not written as one literal: a bundler would take the file for an asset of its own making.
  const beside = new URL(`./${name}`, import.meta.url);
  return existsSync(beside) ? beside : new URL(`./sql/${name}`, import.meta.url);
}

const limit = (text: string): SqlJudgement => ({ tier: 0, concerns: [{ code: 'E_SQL_LIMIT', text }] });

/** The worker thread: one question at a time, a new thread after each failure. */
export class SqlWorkerHost {
  readonly #file: URL;
  #running: Worker | undefined;
  #lastId = 0;
  /** Questions run one after the other: the time limit of one never counts for another. */
  #queue: Promise<unknown> = Promise.resolve();

  /** `file`: the worker's entry, which answers every {@link SqlRequest} with a {@link SqlReply}. */
  constructor(file: URL = workerFile()) {
    this.#file = file;
  }

  /**
   * Parses and judges in the worker thread. Never throws: a trap, a crash, or more than `ms` milliseconds is an
   * E_SQL_LIMIT, after which a new worker is started for the next question.
   */
  judge(question: SqlQuestion, ms: number): Promise<SqlJudgement> {
    const answer = this.#queue.then(() => this.#judgeNow(question, ms));
    this.#queue = answer;
    return answer;
  }

  /** Ends the thread. It starts again with the next question; a process does not need this to exit. */
  async close(): Promise<void> {
    const worker = this.#running;
    this.#running = undefined;
    await worker?.terminate();
  }

  async #judgeNow(question: SqlQuestion, ms: number): Promise<SqlJudgement> {
    try {
      this.#running ??= this.#start();
      const worker = this.#running;
      const loaded = await this.#ask(worker, { ...question, sql: '', kind: 'load' }, START_MS);
      if (typeof loaded === 'string') return limit(loaded);
      if (loaded.judgement) return loaded.judgement;
      const reply = await this.#ask(worker, { ...question, kind: 'judge' }, ms);
      if (typeof reply === 'string') return limit(reply);
      return reply.judgement ?? limit('the inspection gave no answer');
    } catch (error) {
      return limit(`the inspection failed: ${messageOf(error)}`);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      // A parser that traps writes about it; a gate speaks a protocol on these. Not read: reading keeps a process alive.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    // A worker that failed may report it again after its last question; nobody must be hit by that.
    worker.on('error', () => this.#stop(worker));
    worker.on('exit', () => this.#stop(worker));
    worker.unref();
    return worker;
  }

  #stop(worker: Worker): void {
    if (this.#running === worker) this.#running = undefined;
    void worker.terminate();
  }

  /** The worker's answer, or in words why there is none. */
  #ask(worker: Worker, question: Omit<SqlRequest, 'id'>, ms: number): Promise<SqlReply | string> {
    this.#lastId += 1;
    const request: SqlRequest = { ...question, id: this.#lastId };
    return new Promise((resolve) => {
      const end = (answer: SqlReply | string): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        worker.off('exit', onExit);
        worker.unref();
        if (typeof answer === 'string' || answer.broken) this.#stop(worker);
        resolve(answer);
      };
      const onMessage = (reply: SqlReply): void => {
        if (reply.id === request.id) end(reply);
      };
      const onError = (error: unknown): void => end(`the inspection failed: ${messageOf(error)}`);
      const onExit = (): void => end('the inspection ended early');
      const timer = setTimeout(() => end(`the inspection took longer than ${ms} ms`), ms);
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.on('exit', onExit);
      worker.ref();
      worker.postMessage(request);
    });
  }
}
