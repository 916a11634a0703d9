import { describe, expect, test } from 'vitest';
import type { Capture, Surface } from '../../src/capture/types.ts';
import type { ResolvedStdio } from '../../src/config/types.ts';
import { AgentGateError } from '../../src/util/errors.ts';
import { captureNode, captureOptions } from '../support/capture-it.ts';
import { captureScript, result } from '../support/script-it.ts';

function surfaceOf(capture: Capture): Surface {
  if (!capture.ok) throw new Error(`${capture.error.code}: ${capture.error.message}`);
  return capture.surface;
}

const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';
const tools = (...names: string[]): string =>
  result(`{"tools":[${names.map((name) => `{"name":"${name}"}`).join(',')}]}`);
const names = (capture: Capture): unknown[] =>
  surfaceOf(capture).tools.map((tool) => (tool as { name: string }).name);
const methods = (sent: { method?: string }[]): (string | undefined)[] => sent.map(({ method }) => method);

describe('how a session goes', () => {
  test('what is asked, in which order, with one fixed profile', async () => {
    const { capture, sent } = await captureScript({});
    expect(names(capture)).toEqual(['a']);
    expect(methods(sent)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
    expect(sent[0]).toMatchObject({
      jsonrpc: '2.0',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agentgate' } },
    });
    expect(sent[2]).toEqual({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
  });

  test('the first of several answers counts, and answers to nothing are ignored', async () => {
    const { capture } = await captureScript({
      start: ['{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"early"}]}}\n'],
      answers: {
        'tools/list': [
          ['{"jsonrpc":"2.0","id":99,"result":{"tools":[]}}\n', tools('first') + tools('second')],
        ],
      },
    });
    expect(names(capture)).toEqual(['first']);
  });

  test('an answer behind a banner counts, unless a clean answer says otherwise', async () => {
    const banner = { answers: { 'tools/list': [[`progress 100%${tools('shown')}`]] } };
    expect(names((await captureScript(banner)).capture)).toEqual(['shown']);
    const two = { answers: { 'tools/list': [[`progress 100%${tools('shown')}${tools('real')}`]] } };
    expect((await captureScript(two)).capture).toMatchObject({
      error: { code: 'E_PROTOCOL', message: expect.stringContaining('two different answers to one request') },
    });
  });

  test('an answer with further members, which clients drop, must not differ from the regular one', async () => {
    const odd = '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"shown"}]},"extra":1}\n';
    expect(names((await captureScript({ answers: { 'tools/list': [[odd]] } })).capture)).toEqual(['shown']);
    const two = { answers: { 'tools/list': [[odd + tools('real')]] } };
    expect((await captureScript(two)).capture).toMatchObject({ error: { code: 'E_PROTOCOL' } });
  });

  test('ping is answered, other requests are refused and recorded once', async () => {
    const ask = (id: string, method: string): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}\n`;
    const { capture, sent } = await captureScript({
      start: [ask('"p"', 'ping'), ask('7', 'roots/list'), ask('8', 'roots/list')],
    });
    expect(surfaceOf(capture).asked).toEqual(['ping', 'roots/list']);
    expect(sent.filter((message) => message.method === undefined)).toEqual([
      { jsonrpc: '2.0', id: 'p', result: {} },
      { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: 8, error: { code: -32601, message: 'Method not found' } },
    ]);
  });

  test('a server without end of questions', async () => {
    const question = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'.repeat(1_001);
    const { capture } = await captureScript({ answers: { initialize: [[question]] } });
    expect(capture).toMatchObject({
      error: { code: 'E_PROTOCOL', message: expect.stringContaining('1000 requests') },
    });
  });

  test('a server without end of messages', async () => {
    const { capture } = await captureScript({ answers: { initialize: [[changed.repeat(100_001)]] } });
    expect(capture).toMatchObject({
      error: { code: 'E_PROTOCOL', message: expect.stringContaining('100000 messages') },
    });
  });

  test('a server that refuses both ways to begin', async () => {
    const refuse = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"licence\\u0007 missing"}}\n';
    const { capture, sent } = await captureScript({ answers: { initialize: [[refuse]] } });
    expect(capture).toMatchObject({
      error: {
        code: 'E_PROTOCOL',
        message:
          'server refused both ways to begin: initialize (-32000: licence⟨U+0007⟩ missing) and server/discover (-32601: Method not found)',
      },
    });
    expect(methods(sent)).toEqual(['initialize', 'server/discover']);
  });

  test('the 2026 way carries its metadata in every request', async () => {
    const refuse = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32022,"message":"no"}}\n';
    const { capture, sent } = await captureScript({
      answers: {
        initialize: [[refuse]],
        'server/discover': [
          [result('{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"x"}')],
        ],
      },
    });
    expect(surfaceOf(capture)).toMatchObject({ protocolVersion: '2026-07-28', instructions: 'x' });
    const modern = sent.slice(1);
    expect(methods(modern)).not.toContain('notifications/initialized');
    for (const message of modern)
      expect(message.params).toMatchObject({
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'agentgate' },
        },
      });
  });

  test.each([
    ['no object', result('[]'), 'E_PROTOCOL'],
    ['no result', '{"jsonrpc":"2.0","id":$ID}\n', 'E_PROTOCOL'],
    ['a version of another type', result('{"protocolVersion":20251125}'), 'E_PROTOCOL'],
    [
      'instructions there twice',
      result('{"protocolVersion":"2025-11-25","instructions":"a","instructions":"b"}'),
      'E_UNPINNABLE',
    ],
    [
      'instructions with half a character',
      result('{"protocolVersion":"2025-11-25","instructions":"\\ud83d"}'),
      'E_UNPINNABLE',
    ],
  ])('an answer to initialize with %s', async (_, text, code) => {
    expect((await captureScript({ answers: { initialize: [[text]] } })).capture).toMatchObject({
      error: { code },
    });
  });
});

describe('lists', () => {
  test('a list that changed meanwhile is read until it is the same twice', async () => {
    const { capture, sent } = await captureScript({
      answers: {
        'tools/list': [[tools('a')], [tools('a', 'b')], [tools('b', 'a')]],
        'prompts/list': [[changed, result('{"prompts":[]}')]],
      },
    });
    expect(names(capture)).toEqual(['b', 'a']);
    expect(methods(sent).filter((method) => method === 'tools/list')).toHaveLength(3);
    expect(methods(sent).filter((method) => method === 'prompts/list')).toHaveLength(1);
  });

  test('a list that never stays the same', async () => {
    const answers = Array.from({ length: 10 }, (_, index) => [changed, tools(`t${index}`)]);
    expect((await captureScript({ answers: { 'tools/list': answers } })).capture).toMatchObject({
      error: { code: 'E_UNSTABLE', message: expect.stringContaining('keeps changing its tools') },
    });
  });

  test.each([
    [
      'an error on the second page',
      [
        [result('{"tools":[],"nextCursor":"x"}')],
        ['{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"gone"}}\n'],
      ],
      'error -32601: gone',
    ],
    ['an object for a list', [[result('{"tools":{"0":{"name":"a"}}}')]], 'that is no array'],
    ['an array for a result', [[result('[]')]], 'with no object'],
    [
      'a result that needs input',
      [[result('{"resultType":"input_required","tools":[]}')]],
      'no complete result',
    ],
    ['a cursor that is a number', [[result('{"tools":[],"nextCursor":1}')]], 'nextCursor that is no string'],
  ])('%s is never a shorter list', async (_, answers, message) => {
    expect((await captureScript({ answers: { 'tools/list': answers } })).capture).toMatchObject({
      error: { code: 'E_LIST', message: expect.stringContaining(message) },
    });
  });

  test('the lists that are not tools count as well', async () => {
    const broken = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"fetch failed"}}\n';
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
      expect((await captureScript({ answers: { [method]: [[broken]] } })).capture).toMatchObject({
        error: { code: 'E_LIST', message: `server answered ${method} with error -32603: fetch failed` },
      });
  });

  test('resources that the policy ignores may fail', async () => {
    const broken = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"fetch failed"}}\n';
    const policy = { ...captureOptions().policy, resources: 'ignore' as const };
    const of = async (method: string): Promise<Capture> =>
      (await captureScript({ answers: { [method]: [[broken]] } }, { policy })).capture;
    expect(await of('resources/list')).toMatchObject({
      ok: true,
      notes: [
        'resources are ignored and could not be listed: server answered resources/list with error -32603: fetch failed',
      ],
    });
    expect(await of('tools/list')).toMatchObject({ error: { code: 'E_LIST' } });
  });

  test('a page that names its tool only by number', async () => {
    const text = result('{"tools":[{"name":"a"},{"inputSchema":{"a":1,"a":2}}]}');
    expect((await captureScript({ answers: { 'tools/list': [[text]] } })).capture).toMatchObject({
      error: { message: 'tool number 2 cannot be pinned: "/inputSchema/a" is there twice in one object' },
    });
  });

  test('a definition of 200 levels is listed, one of 201 is not', async () => {
    const nested = (levels: number): string => {
      const inner = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;
      return result(`{"tools":[{"x":${inner}}]}`);
    };
    const at = async (levels: number): Promise<Capture> =>
      (await captureScript({ answers: { 'tools/list': [[nested(levels)]] } })).capture;
    expect((await at(200)).ok).toBe(true);
    expect(await at(201)).toMatchObject({
      error: { code: 'E_UNPINNABLE', message: expect.stringContaining('deeper than 200 levels') },
    });
  });

  const endless = (page: string): string[] => [
    '-e',
    `require('readline').createInterface({input: process.stdin}).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const next = Number(params.cursor ?? 0) + 1;
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {} } : { tools: ${page}, nextCursor: String(next) };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    });`,
  ];

  test('more than 1,000 pages', async () => {
    expect(await captureNode(endless('[]'))).toMatchObject({
      error: { code: 'E_TOO_MANY', message: 'server gave more than 1000 pages of tools/list' },
    });
  });

  test('more than 64 MiB', async () => {
    expect(await captureNode(endless(`[{ name: 'x'.repeat(15e6) }]`))).toMatchObject({
      error: { code: 'E_TOO_LARGE', message: `server's lists take more than 64 MiB` },
    });
  });
});

describe('UI resources', () => {
  const withUi = (...metas: unknown[]): string =>
    result(JSON.stringify({ tools: metas.map((meta, index) => ({ name: `t${index}`, _meta: meta })) }));

  test('each is read once, and no other resource', async () => {
    const page =
      '{"uri":"ui://page","mimeType":"text/html;profile=mcp-app","text":"<p>","_meta":{"ui":{"csp":{}}}}';
    const { capture, sent } = await captureScript({
      answers: {
        'tools/list': [
          [
            withUi(
              { ui: { resourceUri: 'ui://page' } },
              { 'ui/resourceUri': 'ui://page' },
              { 'openai/outputTemplate': 'ui://other', ui: null },
              { ui: { resourceUri: 5 } },
              null,
            ),
          ],
        ],
        'resources/list': [[result('{"resources":[{"uri":"file:///secret"}]}')]],
        'resources/read': [[result(`{"contents":[${page}]}`)], [result('{"contents":[]}')]],
      },
    });
    expect([...(surfaceOf(capture).uiResources ?? [])]).toEqual([
      ['ui://page', JSON.parse(page)],
      ['ui://other', { contents: [] }],
    ]);
    expect(sent.filter(({ method }) => method === 'resources/read').map(({ params }) => params)).toEqual([
      { uri: 'ui://page' },
      { uri: 'ui://other' },
    ]);
  });

  test.each([
    ['{"contents":[{"text":"a","text":"b"}]}', 'E_UNPINNABLE'],
    [`{"contents":[{"text":"${'x'.repeat(9e6)}"}]}`, 'E_TOO_LARGE'],
  ])('what cannot be pinned is a failure: %.30s', async (text, code) => {
    const { capture } = await captureScript({
      answers: {
        'tools/list': [[withUi({ 'ui/resourceUri': 'ui://a' }, { 'ui/resourceUri': 'ui://b' })]],
        'resources/read': [[result(text)]],
      },
    });
    expect(capture).toMatchObject({ error: { code } });
  });

  test('more than 64 of them', async () => {
    const metas = Array.from({ length: 65 }, (_, index) => ({ ui: { resourceUri: `ui://${index}` } }));
    expect((await captureScript({ answers: { 'tools/list': [[withUi(...metas)]] } })).capture).toMatchObject({
      error: { code: 'E_TOO_MANY' },
    });
  });
});

describe('how a server ends', () => {
  test('exit in the middle of listing', async () => {
    const { capture } = await captureScript({ answers: { 'tools/list': [[]] }, exitAfter: 'tools/list' });
    expect(capture).toMatchObject({
      error: {
        code: 'E_SERVER_EXIT',
        message: 'server exited with code 0 before answering tools/list; it printed nothing that says why',
      },
    });
  });

  test('the answer right before the exit counts', async () => {
    const { capture } = await captureScript({
      answers: { 'resources/templates/list': [[result('{"resourceTemplates":[]}')]] },
      exitAfter: 'resources/templates/list',
    });
    expect(capture.ok).toBe(true);
  });

  test('of a crash of Node.js, the line of the error', async () => {
    const code = `throw Object.assign(new TypeError('no key\\nat all'), { code: 'E_KEY' });`;
    expect(await captureNode(['-e', code])).toMatchObject({
      error: {
        code: 'E_SERVER_EXIT',
        message: 'server exited with code 1 before answering initialize; its last words: TypeError: no key',
      },
    });
  });

  test('of a failure of npm, the line before that of its log', async () => {
    const code = `console.error('npm error no such package\\nnpm error A complete log of this run can be found in: /x'); process.exit(1)`;
    expect(await captureNode(['-e', code])).toMatchObject({
      error: {
        message:
          'server exited with code 1 before answering initialize; its last words: npm error no such package',
      },
    });
  });

  test('a signal, and last words on stdout when stderr is empty', async () => {
    const code = `console.log('needs \\x1b[31ma key\\x1b[0m'); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e3);`;
    // Windows has no signals.
    const how = process.platform === 'win32' ? 'exited with code 1' : 'was ended by SIGKILL';
    expect(await captureNode(['-e', code])).toMatchObject({
      error: {
        code: 'E_SERVER_EXIT',
        message: `server ${how} before answering initialize; its last words: needs ⟨U+001B⟩[31ma key⟨U+001B⟩[0m`,
      },
    });
  });

  test('closed standard output', async () => {
    const code = `require('fs').closeSync(1); setInterval(() => {}, 1e3);`;
    expect(await captureNode(['-e', code])).toMatchObject({
      error: {
        code: 'E_SERVER_EXIT',
        message:
          'server closed its standard output before answering initialize; it printed nothing that says why',
      },
    });
  });

  test('secrets are taken out of stderr before it is cut or shown', async () => {
    const code = `process.stderr.write('bad key ' + 'x'.repeat(280) + ' s3cr3t-value\\n'); process.exitCode = 1;`;
    const capture = await captureNode(['-e', code], {
      redact: (text) => text.replaceAll('s3cr3t-value', '***'),
    });
    expect(JSON.stringify(capture)).not.toContain('s3cr3t');
    expect(capture).toMatchObject({
      error: { code: 'E_SERVER_EXIT', stderr: expect.stringContaining('x ***') },
    });
  });

  test('a command that is not there', async () => {
    const capture = await captureNode([], {
      startProcess: async () => {
        const { startServer } = await import('../../src/capture/process.ts');
        const { createPrivateFolders } = await import('../../src/capture/private-folders.ts');
        const folders = await createPrivateFolders();
        try {
          const launch: ResolvedStdio = {
            transport: 'stdio',
            command: 'no-such-command-here',
            args: [],
            env: new Map<string, string>(),
            cwd: process.cwd(),
          };
          return await startServer(launch, { server: 'odd', folders, isolation: 'none' });
        } finally {
          await folders.remove();
        }
      },
    });
    expect(capture).toMatchObject({ ok: false, error: { code: 'E_COMMAND_NOT_FOUND' } });
  });

  test('a second start in the same private HOME sees what the first left there', async () => {
    const code = `
      const fs = require('fs'), marker = process.env.HOME + '/armed';
      const armed = fs.existsSync(marker); fs.writeFileSync(marker, '');
      require('readline').createInterface({input: process.stdin}).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} } } : { tools: [{ name: armed ? 'evil' : 'good' }] };
        const error = { code: -32601, message: 'no' };
        if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(/^(init|tools)/.test(method) ? { result } : { error }) }) + '\\n');
      });`;
    const capture = await captureNode(['-e', code], { starts: 2 });
    expect(capture).toMatchObject({
      ok: true,
      surface: { tools: [{ name: 'good' }] },
      second: { tools: [{ name: 'evil' }] },
      paths: { cwd: process.cwd() },
    });
    expect((await captureNode(['-e', code])).ok && names(await captureNode(['-e', code]))).toEqual(['good']);
  });

  test("the policy's time limit goes before the option's", async () => {
    const capture = await captureNode(['-e', 'process.stdin.resume()'], {
      policy: { ...captureOptions().policy, timeout: 2.5 },
    });
    expect(capture).toMatchObject({
      error: {
        code: 'E_TIMEOUT',
        message:
          'server did not answer initialize within 2.5 s; raise its timeout in agentgate.yml if it is slow',
      },
    });
  });

  test('fetching has a limit of its own, and its last words are kept', async () => {
    const { signal: never } = new AbortController();
    const slow = await captureNode([], {
      installTimeoutMs: 50,
      install: (_, { signal = never }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    });
    expect(slow).toMatchObject({
      error: { code: 'E_INSTALL', message: expect.stringContaining('could not be fetched') },
    });
    const broken = await captureNode([], {
      redact: (text) => text.replaceAll('tok', '***'),
      install: async () => {
        throw new AgentGateError('E_INSTALL', 'npm failed', {}, { cause: { stderr: 'npm error 404 tok' } });
      },
    });
    expect(broken).toMatchObject({
      error: { code: 'E_INSTALL', message: 'npm failed', stderr: 'npm error 404 ***' },
    });
  });

  test('a run that is stopped', async () => {
    const controller = new AbortController();
    const capture = captureNode(['-e', 'process.stdin.resume()'], {
      signal: controller.signal,
      onProgress: (state) => {
        if (state === 'starting') setImmediate(() => controller.abort());
      },
    });
    expect(await capture).toMatchObject({ error: { code: 'E_ABORTED' } });
  });
});
