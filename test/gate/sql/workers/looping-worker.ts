// Readies itself and then never gives the thread back.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (request: { id: number; kind: string }) => {
  if (request.kind === 'load') parentPort?.postMessage({ id: request.id });
  for (; request.kind === 'judge'; );
});
