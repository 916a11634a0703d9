import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Capture, Surface } from '../../src/capture/types.ts';
import { captureNode } from '../support/capture-it.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir() ?? '';
const peer = (name: string, ...args: string[]): string[] => [join(shared, 'peers', name), ...args];
const odd = (mode: string): string[] => peer('odd-stdio-server.mjs', ...mode.split(' '));

function surfaceOf(capture: Capture): Surface {
  if (!capture.ok) throw new Error(`${capture.error.code}: ${capture.error.message}`);
  return capture.surface;
}

function errorOf(capture: Capture): { code: string; message: string; stderr?: string } {
  if (capture.ok) throw new Error('captured');
  return capture.error;
}

const noShared = shared === '';

describe.skipIf(noShared)('odd-stdio-server.mjs (needs ../shared)', () => {
  // What a client need not mind.
  test.each([
    ...[
      'ok',
      'dup',
      'nodesc',
      'nulldesc',
      'nfc',
      'nums',
      'badout',
      'badref',
      'draft04',
      'remoteref',
      'nonobjout',
    ],
    ...[
      'booleanprop',
      'notype',
      'oneofroot',
      'noschema',
      'nullschema',
      'noname',
      'emptyname',
      'nameint',
      'nullann',
    ],
    ...[
      'strbool',
      'badicon',
      'badexec',
      'notobj',
      'ctrl',
      'garbage',
      'partial',
      'bom',
      'crlf',
      'strid',
      'notifmid',
    ],
    ...['nosigterm', 'grandchild', 'grandchild-detached', 'ignorestdin', 'rmcp', 'silentprobe', 'slow 300'],
    ...['cursornull', 'exit-later'],
  ])('%s: listed', async (mode) => {
    const surface = surfaceOf(await captureNode(odd(mode)));
    expect(surface).toMatchObject({ protocolVersion: '2025-11-25', transport: 'stdio', prompts: [] });
    expect(surface.instructions).toBe('Use a before b.');
    expect(surface.tools.length).toBe(['dup', 'nfc', 'badout'].includes(mode) ? 2 : 1);
    expect(surface.resources).toHaveLength(1);
    expect(surface.resourceTemplates).toHaveLength(1);
  });

  test.each([
    ['surr', 'E_UNPINNABLE', 'tool "a" cannot be pinned: "/description" holds a lone surrogate'],
    ['big', 'E_UNPINNABLE', 'tool "a" cannot be pinned: "/inputSchema/properties/n/maximum" is a number'],
    ['dupkeys', 'E_UNPINNABLE', 'tool "a" cannot be pinned: "/description" is there twice in one object'],
    ['deep', 'E_UNPINNABLE', 'is nested deeper than 200 levels'],
    ['toolsnull', 'E_LIST', 'server answered tools/list with "tools" that is no array'],
    ['toolsmissing', 'E_LIST', 'server answered tools/list with "tools" missing'],
    ['listerr', 'E_LIST', 'server answered tools/list with error -32603: internal boom'],
    ['cursorloop', 'E_CURSOR_LOOP', 'same nextCursor of tools/list twice'],
    ['cursorloopsame', 'E_CURSOR_LOOP', 'same nextCursor of tools/list twice'],
    ['cursorab', 'E_CURSOR_LOOP', 'same nextCursor of tools/list twice'],
    ['cursorempty', 'E_CURSOR_LOOP', 'same nextCursor of tools/list twice'],
    ['manytools 10001', 'E_TOO_MANY', 'more than 10000 capabilities'],
    ['huge 17000000', 'E_TOO_LARGE', 'sent a line of more than 16 MiB before answering tools/list'],
    ['ver 2099-01-01', 'E_PROTOCOL', 'server answered initialize with the protocol version "2099-01-01"'],
    ['ver 2026-07-28', 'E_PROTOCOL', 'protocol version "2026-07-28"'],
    [
      'exit',
      'E_SERVER_EXIT',
      'server exited with code 3 before answering initialize; its last words: fatal: API_KEY missing',
    ],
  ])('%s: %s', async (mode, code, message) => {
    const error = errorOf(await captureNode(odd(mode)));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  test.each([
    [
      'hang',
      'E_TIMEOUT',
      'server did not answer initialize within 4 s; raise its timeout in agentgate.yml if it is slow',
    ],
    [
      'hang-nosig',
      'E_TIMEOUT',
      'server did not answer initialize within 4 s; raise its timeout in agentgate.yml if it is slow',
    ],
    [
      'neverlist',
      'E_LIST',
      'server did not answer tools/list within 4 s; raise its timeout in agentgate.yml if it is slow',
    ],
  ])('%s: %s at the deadline', async (mode, code, message) => {
    expect(errorOf(await captureNode(odd(mode), { timeoutMs: 4_000 }))).toMatchObject({ code, message });
  });

  test('unknown fields, _meta and __proto__ are kept as they were sent', async () => {
    const unknown = surfaceOf(await captureNode(odd('unknown'))).tools[0];
    expect(unknown).toMatchObject({
      vendorTop: { x: 1 },
      annotations: { vendorHint: 'v' },
      execution: { vendorEx: 1 },
      icons: [{ vendorIcon: 1 }],
      _meta: { k: 1 },
    });
    const proto = JSON.stringify(surfaceOf(await captureNode(odd('proto'))).tools[0]);
    expect(proto.match(/"__proto__"/g)).toHaveLength(4);
  });

  test('a UI resource that cannot be read is a note', async () => {
    const capture = await captureNode(odd('unknown'));
    expect(capture).toMatchObject({
      notes: ['UI resource "ui://x" could not be read (error -32601: Method not found)'],
    });
  });

  test('pages are joined, whatever stands beside them', async () => {
    const { tools } = surfaceOf(await captureNode(odd('pages')));
    expect(tools.map((tool) => (tool as { name: string }).name)).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  test('tools without the capability are listed and noted', async () => {
    const capture = await captureNode(odd('notoolscap'));
    expect(surfaceOf(capture).tools).toHaveLength(1);
    expect(capture).toMatchObject({
      notes: expect.arrayContaining(['lists tools without advertising the capability']),
    });
  });

  test('what the server asks of us is recorded and refused', async () => {
    expect(surfaceOf(await captureNode(odd('ask'))).asked).toEqual([
      'roots/list',
      'sampling/createMessage',
      'elicitation/create',
    ]);
  });

  test.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'answers with %s',
    async (version) => {
      expect(surfaceOf(await captureNode(odd(`ver ${version}`))).protocolVersion).toBe(version);
    },
  );

  test('a flood of output does no harm, or is an error of its own', async () => {
    const capture = await captureNode(odd('flood'));
    if (!capture.ok) expect(capture.error.code).toBe('E_TOO_LARGE');
    else expect(capture.surface.tools).toHaveLength(1);
  });

  test('12 MB in one tool', async () => {
    const [tool] = surfaceOf(await captureNode(odd('huge 12000000'))).tools;
    expect((tool as { description: string }).description).toHaveLength(12_000_000);
  });
});

describe.skipIf(noShared)('odd-2026-server.mjs over stdio (needs ../shared)', () => {
  test.each(['ok', 'initver', 'badheader', 'nonobjout', 'notype', 'nottl', 'noresulttype', 'negttl'])(
    '%s: started again and asked the 2026 way',
    async (mode) => {
      const surface = surfaceOf(await captureNode(peer('odd-2026-server.mjs', mode)));
      expect(surface).toMatchObject({ protocolVersion: '2026-07-28', instructions: 'hello' });
      expect(surface.tools).toHaveLength(mode === 'badheader' ? 2 : 1);
      expect(surface.serverInfo).toEqual({ name: 'm', version: '9' });
    },
  );

  test('a server of the future', async () => {
    expect(errorOf(await captureNode(peer('odd-2026-server.mjs', 'future')))).toMatchObject({
      code: 'E_PROTOCOL',
      message: expect.stringContaining('server speaks the protocol versions ["2027-03-01"]'),
    });
  });
});

const surfaces = join(shared, 'surfaces');
describe.skipIf(noShared || !existsSync(surfaces))('replay-server.mjs (needs ../shared)', () => {
  const everything = join(surfaces, '@modelcontextprotocol__server-everything@2025.9.25.json');
  const replay = (...args: string[]): string[] => peer('replay-server.mjs', everything, ...args);

  test('pages, order and delay change nothing but the order', async () => {
    const whole = surfaceOf(await captureNode(replay()));
    expect(whole.tools.length).toBeGreaterThan(5);
    expect(surfaceOf(await captureNode(replay('--page', '3', '--delay', '50')))).toEqual(whole);
    const reversed = surfaceOf(await captureNode(replay('--reverse', '--page', '1')));
    expect(reversed.tools).toEqual([...whole.tools].reverse());
    expect(reversed.resources).toEqual([...whole.resources].reverse());
  });
});
