// A stdio server that answers by a script: `node script-server.mjs SCRIPT.json`.
// The script: {"start": [text…], "answers": {"<method>": [[text…], …]}, "exitAfter": "<method>"}. Texts are written as they
// are, `$ID` being the request's id. The n-th request of a method gets the n-th entry, later ones the last. Methods that
// the script does not name are answered as a plain server would.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const script = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const answers = new Map(Object.entries(script.answers ?? {}));
const counts = new Map();
const reply = (text) => `{"jsonrpc":"2.0","id":$ID,${text}}\n`;
const plain = new Map([
  [
    'initialize',
    reply(
      '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
    ),
  ],
  ['tools/list', reply('"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}')],
]);

for (const text of script.start ?? []) process.stdout.write(text);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (process.env.RECORD) appendFileSync(process.env.RECORD, `${line}\n`);
    if (method === undefined || id === undefined) return;
    const scripted = answers.get(method);
    const count = counts.get(method) ?? 0;
    counts.set(method, count + 1);
    const texts = scripted
      ? scripted[Math.min(count, scripted.length - 1)]
      : [plain.get(method) ?? reply('"error":{"code":-32601,"message":"Method not found"}')];
    for (const text of texts) process.stdout.write(text.replaceAll('$ID', JSON.stringify(id)));
    if (script.exitAfter === method) process.exit(0);
  })
  .on('close', () => process.exit(0));
