// A stdio server that answers with given bytes: `node bytes-server.mjs ANSWERS.json`, a list of pairs of a method and its
// answer in base64. Each counts for the first request of its method; it exits when nothing more is asked for.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const answers = new Map(JSON.parse(readFileSync(process.argv[2], 'utf8')));
let timer;
createInterface({ input: process.stdin })
  .on('line', (line) => {
    clearTimeout(timer);
    timer = setTimeout(() => process.exit(0), 400);
    const { id, method } = JSON.parse(line);
    if (id === undefined || method === undefined) return;
    const answer = answers.get(method);
    answers.delete(method);
    process.stdout.write(
      answer === undefined
        ? `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } })}\n`
        : Buffer.from(answer, 'base64'),
    );
  })
  .on('close', () => process.exit(0));
