import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { survey } from '../../src/survey.ts';

/** A config sends what it references to an address of its own choice: never the job's own tokens. */

const TOKEN = 'ghs_tokenOfTheJob/0123456789+abcdef';
const RUNTIME = 'runtime-token-0123456789';
const env = {
  PATH: process.env.PATH,
  'INPUT_GITHUB-TOKEN': TOKEN,
  GITHUB_TOKEN: TOKEN,
  GH_TOKEN: TOKEN,
  OWN_TOKEN: 'a-token-of-this-server-alone-1',
  ACTIONS_RUNTIME_TOKEN: RUNTIME,
};

let server: Server;
let address: string;
let sent: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    sent.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(500).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function codeOf(entry: object): Promise<string> {
  sent = [];
  const cwd = mkdtempSync(join(tmpdir(), 'job-token-'));
  writeFileSync(
    join(cwd, '.mcp.json'),
    JSON.stringify({ mcpServers: { remote: { type: 'http', ...entry } } }),
  );
  const { servers } = await survey({ cwd, allClients: false, isolation: 'auto', starts: 1, env });
  const result = servers[0]?.result;
  return result?.state === 'failed' ? result.error.code : String(result?.state);
}

it.each<[string, { query?: string; user?: string; [member: string]: unknown }]>([
  ['a header', { headers: { Authorization: 'Bearer ${GITHUB_TOKEN}' } }],
  ['a header, by another name', { headers: { 'X-Key': 'a${GH_TOKEN}b' } }],
  ['a header, of the runner', { headers: { X: '${ACTIONS_RUNTIME_TOKEN}' } }],
  ['the query', { query: '?t=${GITHUB_TOKEN}' }],
  ['the user-info, which is sent in base64', { user: 'x:${ACTIONS_RUNTIME_TOKEN}@' }],
  ['client credentials', { oauth: { clientId: 'x', clientSecret: '${GITHUB_TOKEN}' } }],
])('is not sent by %s', async (_, { query = '', user = '', ...entry }) => {
  expect(await codeOf({ url: `http://${user}${address}/mcp${query}`, ...entry })).toBe(
    'E_FORBIDDEN_VARIABLE',
  );
  expect(sent).toEqual([]);
});

it("leaves a server's own token alone", async () => {
  const headers = { Authorization: 'Bearer ${OWN_TOKEN}' };
  expect(await codeOf({ url: `http://${address}/mcp`, headers })).toBe('E_HTTP');
  expect(sent.join()).toContain(env.OWN_TOKEN);
});
