import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../util/errors.ts';
import type { SqlDialect, SqlJudgement, SqlKeys } from './types.ts';

/** What the worker is asked. `load` only readies the parser, so that its start does not count as inspection time. */
export interface SqlRequest {
  id: number;
  kind: 'load' | 'judge';
  sql: string;
  dialect: SqlDialect;
  keys?: SqlKeys;
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

let running: Worker | undefined;
let lastId = 0;
/** Requests run one after the other: the time limit of one never counts for another. */
let queue: Promise<unknown> = Promise.resolve();

function startWorker(): Worker {
  const worker = new Worker(workerFile(), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  });
  // A worker that failed may report it again after its last question; nobody must be hit by that.
  worker.on('error', () => stopWorker(worker));
  worker.on('exit', () => stopWorker(worker));
  worker.unref();
  return worker;
}

function stopWorker(worker: Worker): void {
  if (running === worker) running = undefined;
  void worker.terminate();
}

/** One question to one worker. A late answer, a crash and an exit all end the worker. */
function ask(worker: Worker, request: SqlRequest, ms: number): Promise<SqlReply | string> {
  return new Promise((resolve) => {
    const end = (answer: SqlReply | string): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      worker.unref();
      if (typeof answer === 'string' || answer.broken) stopWorker(worker);
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

async function judgeNow(question: Omit<SqlRequest, 'id' | 'kind'>, ms: number): Promise<SqlJudgement> {
  try {
    running ??= startWorker();
    const worker = running;
    lastId += 1;
    const loaded = await ask(
      worker,
      { id: lastId, kind: 'load', sql: '', dialect: question.dialect },
      START_MS,
    );
    if (typeof loaded === 'string') return limit(loaded);
    if (loaded.judgement) return loaded.judgement;
    lastId += 1;
    const reply = await ask(worker, { id: lastId, kind: 'judge', ...question }, ms);
    if (typeof reply === 'string') return limit(reply);
    return reply.judgement ?? limit('the inspection gave no answer');
  } catch (error) {
    return limit(`the inspection failed: ${messageOf(error)}`);
  }
}

/**
 * Parses and judges in the worker thread. Never throws: a trap, a crash, or more than `ms` milliseconds is an
 * E_SQL_LIMIT, after which a new worker is started for the next question.
 */
export function judgeInWorker(question: Omit<SqlRequest, 'id' | 'kind'>, ms: number): Promise<SqlJudgement> {
  const answer = queue.then(() => judgeNow(question, ms));
  queue = answer;
  return answer;
}

/** Ends the worker thread. It starts again with the next question; a process does not need this to exit. */
export async function closeSqlInspector(): Promise<void> {
  const worker = running;
  running = undefined;
  await worker?.terminate();
}
