// Serves a surface from a JSON file over stdio: `node surface-server.mjs SURFACE.json [--page N] [--reverse]`.
// The file: {instructions?, protocolVersion?, tools?, prompts?, resources?, resourceTemplates?}. `${NAME}` in its texts
// becomes the variable's value, `${#}` a number that grows with every start (kept in the file COUNTER), and `${a,b,c}`
// these words in an order that changes with every start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, ...flags] = process.argv.slice(2);
const counter = process.env.COUNTER;
let starts = 1;
if (counter) {
  if (existsSync(counter)) starts = Number(readFileSync(counter, 'utf8')) + 1;
  writeFileSync(counter, String(starts));
}
const text = readFileSync(file, 'utf8')
  .replaceAll('${#}', String(starts))
  .replace(/\$\{([^{}]+,[^{}]+)\}/g, (_, list) => {
    const separator = list.includes(', ') ? ', ' : ',';
    const words = list.split(separator);
    return words.map((_, index) => words[(index + starts) % words.length]).join(separator);
  })
  .replace(/\$\{([A-Z_]+)\}/g, (_, name) => process.env[name] ?? 'none');
const surface = JSON.parse(text);
const page = flags.includes('--page') ? Number(flags[flags.indexOf('--page') + 1]) : Number.POSITIVE_INFINITY;
const lists = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  if (method === 'initialize') {
    const protocolVersion = surface.protocolVersion ?? params.protocolVersion;
    const { instructions } = surface;
    const serverInfo = { name: 'surface', version: '1' };
    answer({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions } });
    return;
  }
  const list = surface[lists[method]];
  if (!list) return answer({ error: { code: -32601, message: 'Method not found' } });
  const all = flags.includes('--reverse') ? list.toReversed() : list;
  const from = Number(params?.cursor ?? 0);
  const next = from + page;
  const nextCursor = next < all.length ? String(next) : undefined;
  answer({ result: { [lists[method]]: all.slice(from, next), nextCursor } });
});
