/** The worker that checks arguments: a schema's pattern can run for hours, and a worker can be ended. */
import { parentPort } from 'node:worker_threads';
import { type ArgumentsQuestion, checkArguments } from './args-check.ts';

parentPort?.on('message', (question: ArgumentsQuestion & { id: number }) => {
  parentPort?.postMessage({ id: question.id, ...checkArguments(question) });
});
// Loading Ajv is no part of a check's time.
parentPort?.postMessage({ ready: true });
