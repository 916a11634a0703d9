// Repeats its variable SECRET and its last argument in many forms: `node echo-server.mjs WHERE [ARGUMENT]`. WHERE is
// `surface`, `stderr` (and exits), `noise` (and exits) or `error` (an error answer to a list).
import { createInterface } from 'node:readline';

const where = process.argv[2];
const forms = [process.env.SECRET ?? '', process.argv[3] ?? ''].filter(Boolean).flatMap((secret) => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('base64'),
    Buffer.from(`x:${secret}`).toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    secret.match(/.{1,5}/gs).join('\n'),
    bytes
      .toString('base64')
      .match(/.{1,7}/gs)
      .join('\n  '),
    JSON.stringify({ Authorization: `Bearer ${secret}` }),
    `https://user:${encodeURIComponent(secret)}@host.example/`,
  ];
});
const text = forms.map((form, index) => `form ${index} is ${form} so far`).join('\n');
if (where === 'stderr' || where === 'noise') {
  (where === 'stderr' ? process.stderr : process.stdout).write(
    `${text}\n${text.replaceAll('\n', ' ')}\n`,
    () => process.exit(9),
  );
} else
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
    const serverInfo = { name: text, version: '1' };
    if (method === 'initialize')
      answer({
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo,
          instructions: text,
        },
      });
    else if (method !== 'tools/list') answer({ error: { code: -32601, message: 'Method not found' } });
    else if (where === 'error') answer({ error: { code: -32603, message: text } });
    else
      answer({
        result: {
          tools: [{ name: 'a', description: text, inputSchema: { type: 'object', [forms[0] ?? 'x']: text } }],
        },
      });
  });
