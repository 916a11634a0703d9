import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { captureUrl } from '../support/capture-it.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir() ?? '';
// Below the project, so that the server finds the SDK.
const folder = join(import.meta.dirname, `../../node_modules/.cache/peers-${process.pid}`);
const children: ChildProcess[] = [];

/** Starts a peer with a free port as its last argument; gives its origin once it says `up`. */
async function startPeer(file: string, ...args: string[]): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const child = spawn(process.execPath, [file, ...args, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => said, { timeout: 20_000 }).toContain('up');
  return `http://127.0.0.1:${port}`;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

describe.skipIf(shared === '')('peers over HTTP (needs ../shared)', () => {
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    await copyFile(join(shared, 'peers/odd-http-servers.mjs'), join(folder, 'odd-http-servers.mjs'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(['ok', 'initver', 'badheader', 'nonobjout', 'notype', 'nottl', 'noresulttype', 'negttl'])(
    'odd-2026-server.mjs %s',
    async (mode) => {
      const origin = await startPeer(join(shared, 'peers/odd-2026-server.mjs'), mode);
      const capture = await captureUrl(`${origin}/mcp`);
      expect(capture).toMatchObject({
        ok: true,
        surface: { protocolVersion: '2026-07-28', transport: 'http' },
      });
      if (capture.ok) expect(capture.surface.tools).toHaveLength(mode === 'badheader' ? 2 : 1);
    },
  );

  test('odd-2026-server.mjs future', async () => {
    const origin = await startPeer(join(shared, 'peers/odd-2026-server.mjs'), 'future');
    expect(await captureUrl(`${origin}/mcp`)).toMatchObject({
      error: { code: 'E_PROTOCOL', message: expect.stringContaining('2027-03-01') },
    });
  });

  test.each([
    ['v1http', '/mcp', 'http', '2025-11-25'],
    ['v1httpjson', '/mcp', 'http', '2025-11-25'],
    ['v1sse', '/sse', 'sse', '2025-11-25'],
    ['v2handler', '/mcp', 'http', '2026-07-28'],
  ])('odd-http-servers.mjs %s', async (kind, path, transport, protocolVersion) => {
    const origin = await startPeer(join(folder, 'odd-http-servers.mjs'), kind);
    const capture = await captureUrl(origin + path);
    expect(capture).toMatchObject({ ok: true, surface: { transport, protocolVersion } });
    if (capture.ok) expect(capture.surface.tools).toHaveLength(1);
  });

  test('odd-http-servers.mjs v1http-bearer, without and with its token', async () => {
    const origin = await startPeer(join(folder, 'odd-http-servers.mjs'), 'v1http-bearer');
    expect(await captureUrl(`${origin}/mcp`)).toMatchObject({ error: { code: 'E_AUTH' } });
    const headers = new Map([['Authorization', 'Bearer tok-123']]);
    expect(await captureUrl(`${origin}/mcp`, { headers })).toMatchObject({ ok: true });
  });

  test('odd-http-servers.mjs oauth', async () => {
    const origin = await startPeer(join(folder, 'odd-http-servers.mjs'), 'oauth');
    const oauth = { clientId: 'ci', clientSecret: 'x' };
    expect(await captureUrl(`${origin}/mcp`)).toMatchObject({ error: { code: 'E_AUTH' } });
    expect(await captureUrl(`${origin}/mcp`, { oauth })).toMatchObject({
      ok: true,
      surface: { tools: [{ name: 'secret' }] },
    });
  });
});
