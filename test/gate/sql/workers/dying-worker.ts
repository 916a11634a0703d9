// Ends without an answer to the first question that says so; answers the others as a read.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (request: { id: number; kind: string; sql: string }) => {
  if (request.sql === 'exit') process.exit(7);
  if (request.sql === 'throw') throw new Error('trapped');
  parentPort?.postMessage(
    request.kind === 'load' ? { id: request.id } : { id: request.id, judgement: { tier: 0, concerns: [] } },
  );
});
