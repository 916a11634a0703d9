import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onlyServer, parse, ROOT, remote, stdio } from './support.ts';

const entry = { command: 'npx', args: ['-y', 'foo@1.0.0'] };

describe('JSON configs', () => {
  test('an entry has its place, its client and its workspace', () => {
    const server = onlyServer(
      'pkg/a/.mcp.json',
      '{\n  "mcpServers": {\n    "one": { "command": "x" }\n  }\n}\n',
    );
    expect(server).toMatchObject({
      name: 'one',
      client: 'claude-code',
      config: 'pkg/a/.mcp.json',
      line: 3,
      column: 5,
      root: join(ROOT, 'pkg', 'a'),
      launch: { transport: 'stdio', command: 'x', args: [] },
    });
  });

  test.each([
    ['.mcp.json', 'mcpServers', 'claude-code'],
    ['.cursor/mcp.json', 'mcpServers', 'cursor'],
    ['.vscode/mcp.json', 'servers', 'vscode'],
    ['.github/mcp.json', 'mcpServers', 'copilot'],
    ['.gemini/settings.json', 'mcpServers', 'gemini'],
    ['.agents/mcp_config.json', 'mcpServers', 'antigravity'],
    ['.kiro/settings/mcp.json', 'mcpServers', 'kiro'],
    ['.amazonq/mcp.json', 'mcpServers', 'amazon-q'],
    ['.amazonq/cli-agents/dev.json', 'mcpServers', 'amazon-q'],
    ['.zed/settings.json', 'context_servers', 'zed'],
    ['.roo/mcp.json', 'mcpServers', 'roo'],
    ['.continue/mcpServers/x.json', 'mcpServers', 'continue'],
    ['.junie/mcp/mcp.json', 'mcpServers', 'junie'],
    ['.qwen/settings.json', 'mcpServers', 'qwen'],
    ['.amp/settings.json', 'amp.mcpServers', 'amp'],
    ['.crush.json', 'mcp', 'crush'],
    ['.warp/.mcp.json', 'mcpServers', 'warp'],
    ['.claude-plugin/plugin.json', 'mcpServers', 'claude-plugin'],
    ['mcp.json', 'mcpServers', 'other'],
    ['claude_desktop_config.json', 'mcpServers', 'claude-desktop'],
    ['cline_mcp_settings.json', 'mcpServers', 'cline'],
    ['any/where.json', 'mcpServers', 'other'],
    ['any/where.json', 'servers', 'vscode'],
    ['any/where.json', 'context_servers', 'zed'],
  ])('%s with %s is of %s', (file, root, client) => {
    const server = onlyServer(file, { [root]: { one: entry } });
    expect(server.client).toBe(client);
    expect(stdio(server).args).toEqual(['-y', 'foo@1.0.0']);
  });

  test('the workspace is above the client folder', () => {
    expect(onlyServer('sub/.cursor/mcp.json', { mcpServers: { a: entry } }).root).toBe(join(ROOT, 'sub'));
    expect(onlyServer('.kiro/settings/mcp.json', { mcpServers: { a: entry } }).root).toBe(ROOT);
    expect(onlyServer('.continue/mcpServers/a.json', { mcpServers: { a: entry } }).root).toBe(ROOT);
  });

  test('comments, trailing commas and a BOM are read; a strict client is told', () => {
    const text = '\uFEFF{ // why\n "mcpServers": { "a": { "command": "x", }, }, }';
    const strict = parse('.mcp.json', text);
    expect(strict.servers).toHaveLength(1);
    expect(strict.errors).toEqual([]);
    expect(strict.notes.map(({ code }) => code)).toEqual(['W_NOT_STRICT_JSON']);
    expect(parse('.cursor/mcp.json', text).notes).toEqual([]);
    expect(parse('.gemini/settings.json', '{"mcpServers":{/* c */"a":{"command":"x"}}}').notes).toEqual([]);
    expect(parse('.gemini/settings.json', '{"mcpServers":{"a":{"command":"x"},}}').notes).toHaveLength(1);
    expect(parse('.mcp.json', '{"mcpServers":{"a":{"command":"// ,}"}}}').notes).toEqual([]);
  });

  test('a syntax error has line and column', () => {
    const { errors, servers } = parse('.mcp.json', '{\n  "mcpServers": {\n    "a" { }\n  }\n}');
    expect(servers).toEqual([]);
    expect(errors).toEqual([
      {
        code: 'E_CONFIG_SYNTAX',
        message: expect.stringContaining('a colon'),
        file: '.mcp.json',
        line: 3,
        column: 9,
      },
    ]);
    expect(parse('.mcp.json', '').errors[0]?.code).toBe('E_CONFIG_SYNTAX');
    expect(parse('.mcp.json', '[]').errors[0]?.code).toBe('E_CONFIG_INVALID');
    expect(parse('.mcp.json', '{"mcpServers": []}').errors[0]?.code).toBe('E_CONFIG_INVALID');
    expect(parse('.mcp.json', '{"mcpServers": {}} x').errors[0]?.code).toBe('E_CONFIG_SYNTAX');
  });

  test('nesting without end is an error, not a crash', () => {
    expect(parse('.mcp.json', '['.repeat(200_000)).errors[0]?.code).toBe('E_CONFIG_SYNTAX');
    expect(parse('.mcp.json', '{"a":'.repeat(200_000)).errors[0]?.code).toBe('E_CONFIG_SYNTAX');
  });

  test('a server declared twice is an error and is not taken', () => {
    const { servers, errors } = parse(
      '.mcp.json',
      '{"mcpServers":{\n"a":{"command":"safe"},\n"b":{"command":"x"},\n"a":{"command":"evil"}}}',
    );
    expect(servers.map(({ name }) => name)).toEqual(['b']);
    expect(errors).toMatchObject([{ code: 'E_CONFIG_INVALID', line: 4, column: 1, server: 'a' }]);
    expect(errors[0]?.message).toContain('line 2');
  });

  test('a key twice in an entry, in its env, or at the root is an error', () => {
    for (const text of [
      '{"mcpServers":{"a":{"command":"x","command":"y"}}}',
      '{"mcpServers":{"a":{"command":"x","env":{"A":"1","A":"2"}}}}',
      '{"mcpServers":{},"mcpServers":{"a":{"command":"x"}}}',
    ]) {
      const { servers, errors } = parse('.mcp.json', text);
      expect(servers).toEqual([]);
      expect(errors[0]?.message).toContain('twice');
    }
  });

  test('a name on the way to the servers, or of a switch, that is there twice is an error', () => {
    for (const [file, text] of [
      ['.vscode/settings.json', '{"mcp":{"servers":{}},"mcp":{"servers":{"a":{"command":"x"}}}}'],
      ['.vscode/settings.json', '{"mcp":{"servers":{},"servers":{"a":{"command":"x"}}}}'],
      ['.gemini/settings.json', '{"mcp":{"excluded":["a"]},"mcp":{},"mcpServers":{"a":{"command":"x"}}}'],
      ['server.json', '{"name":"n","remotes":[],"remotes":[{"url":"https://x.example"}]}'],
    ] as const) {
      const { servers, errors } = parse(file, text);
      expect([file, servers, errors[0]?.code]).toEqual([file, [], 'E_CONFIG_INVALID']);
    }
  });

  test('one bad entry does not stop the others', () => {
    const { servers, errors } = parse('.mcp.json', {
      mcpServers: {
        a: 'text',
        b: { command: 7 },
        c: { command: 'x', args: 'y' },
        d: { command: 'x', args: [{}] },
        e: { command: 'x', env: { A: [] } },
        f: {},
        g: { type: 'http' },
        h: { type: 'ws', url: 'wss://x' },
        i: { type: 'carrier-pigeon', url: 'https://x' },
        j: { command: 'x', url: 'https://x' },
        k: { command: ' ' },
        l: { command: 'x\u0000y' },
        m: { command: 'x', env: { 'A=B': '1' } },
        ok: entry,
      },
    });
    expect(servers.map(({ name }) => name)).toEqual(['ok']);
    expect(errors.map(({ server }) => server)).toEqual('abcdefghijklm'.split(''));
    for (const error of errors) {
      expect(error).toMatchObject({
        code: 'E_CONFIG_INVALID',
        line: expect.any(Number),
        column: expect.any(Number),
      });
    }
  });

  test('names that nobody could read are refused', () => {
    for (const name of ['', '  ', 'a\u202Eb', 'a\nb', 'a\u200Bb', 'x'.repeat(201)]) {
      const { servers, errors } = parse('.mcp.json', { mcpServers: { [name]: entry } });
      expect(servers).toEqual([]);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.message).not.toMatch(/[\u202E\u200B\n]/);
    }
  });

  test('names that objects have by themselves are names', () => {
    const { servers, errors } = parse(
      '.mcp.json',
      '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b","env":{"__proto__":"1"}}}}',
    );
    expect(errors).toEqual([]);
    expect(servers.map(({ name, launch }) => [name, 'command' in launch && launch.command])).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    expect([...(servers[1] ? stdio(servers[1]).env : [])]).toEqual([['__proto__', '1']]);
  });

  test('numbers and truth values in args and env are their text', () => {
    const server = onlyServer('.mcp.json', {
      mcpServers: { a: { command: 'x', args: ['--port', 80], env: { A: 1, B: true, C: null } } },
    });
    expect(stdio(server).args).toEqual(['--port', '80']);
    expect([...stdio(server).env]).toEqual([
      ['A', '1'],
      ['B', 'true'],
    ]);
  });

  test('an unknown text never throws', () => {
    const files = [
      '.mcp.json',
      '.codex/config.toml',
      '.continue/mcpServers/a.yaml',
      'server.json',
      '.github/agents/a.md',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.oneof(fc.string(), fc.json()), (file, text) => {
        const { servers, errors } = parse(file, text);
        for (const server of servers) expect(server.name).not.toBe('');
        for (const error of errors)
          expect(error).toMatchObject({ code: expect.stringMatching(/^E_CONFIG_/), file });
      }),
      { numRuns: 500 },
    );
  });
});

describe('transports', () => {
  const of = (file: string, value: object): string =>
    remote(onlyServer(file, { mcpServers: { a: value } })).transport;

  test.each([
    ['.mcp.json', { type: 'http' }, 'http'],
    ['.mcp.json', { type: 'streamable-http' }, 'http'],
    ['.mcp.json', { type: 'sse' }, 'sse'],
    ['.mcp.json', {}, 'auto'],
    ['.cursor/mcp.json', {}, 'auto'],
    ['cline_mcp_settings.json', {}, 'sse'],
    ['cline_mcp_settings.json', { type: 'streamableHttp' }, 'http'],
    ['.gemini/settings.json', {}, 'http'],
    ['.gemini/settings.json', { type: 'sse' }, 'sse'],
    ['.roo/mcp.json', {}, 'auto'],
  ])('%s with %j is %s', (file, more, expected) => {
    expect(of(file, { url: 'https://x.example/mcp', ...more })).toBe(expected);
  });

  test('a url without a type is worth a note where the client refuses it', () => {
    const config = { mcpServers: { a: { url: 'https://x.example/mcp' } } };
    expect(parse('.mcp.json', config).notes).toMatchObject([
      { code: 'W_TYPE_MISSING', server: 'a', line: 3 },
    ]);
    expect(parse('.roo/mcp.json', config).notes).toHaveLength(1);
    expect(parse('.cursor/mcp.json', config).notes).toEqual([]);
  });

  test("Gemini's httpUrl comes before url and command", () => {
    const server = onlyServer('.gemini/settings.json', {
      mcpServers: { a: { httpUrl: 'https://x.example/h', url: 'https://x.example/s', command: 'x' } },
    });
    expect(remote(server)).toMatchObject({ url: 'https://x.example/h', transport: 'http' });
  });

  test('VS Code tries HTTP, then SSE; Windsurf says serverUrl; Cline nests', () => {
    const vscode = onlyServer('.vscode/mcp.json', {
      servers: { a: { type: 'http', url: 'https://x.example' } },
    });
    expect(remote(vscode).transport).toBe('auto');
    const windsurf = onlyServer('home/mcp_config.json', {
      mcpServers: { a: { serverUrl: 'https://x.example' } },
    });
    expect(windsurf.client).toBe('windsurf');
    expect(remote(windsurf).url).toBe('https://x.example');
    const cline = onlyServer('cline_mcp_settings.json', {
      mcpServers: { a: { transport: { type: 'sse', url: 'https://x.example' } } },
    });
    expect(remote(cline)).toMatchObject({ transport: 'sse', url: 'https://x.example' });
  });

  test('headersHelper is not run, and that is said', () => {
    const { notes } = parse('.mcp.json', {
      mcpServers: { a: { type: 'http', url: 'https://x.example', headersHelper: 'touch /tmp/x' } },
    });
    expect(notes.map(({ code }) => code)).toEqual(['W_HEADERS_HELPER']);
  });

  test('client credentials are read, a half of them is not', () => {
    const of2 = (oauth: object) =>
      remote(
        onlyServer('.mcp.json', { mcpServers: { a: { type: 'http', url: 'https://x.example', oauth } } }),
      ).oauth;
    expect(of2({ clientId: 'i', clientSecret: 's', scopes: ['a', 'b'] })).toEqual({
      clientId: 'i',
      clientSecret: 's',
      scope: 'a b',
    });
    expect(of2({ clientId: 'i' })).toBeUndefined();
  });
});

describe('switched off', () => {
  test('disabled: true and enabled: false are listed with the reason', () => {
    expect(onlyServer('.roo/mcp.json', { mcpServers: { a: { ...entry, disabled: true } } }).disabled).toBe(
      '"disabled: true" in .roo/mcp.json',
    );
    expect(
      onlyServer('opencode.json', { mcp: { a: { type: 'local', command: ['x'], enabled: false } } }).disabled,
    ).toBe('"enabled: false" in opencode.json');
    expect(
      onlyServer('.roo/mcp.json', { mcpServers: { a: { ...entry, disabled: false } } }).disabled,
    ).toBeUndefined();
  });

  test('a switch that the client does not heed is worth a note', () => {
    const { servers, notes } = parse('.mcp.json', { mcpServers: { a: { ...entry, disabled: true } } });
    expect(servers[0]?.disabled).toBeDefined();
    expect(notes.map(({ code }) => code)).toEqual(['W_SWITCH_UNKNOWN']);
  });

  test("Gemini's allowed and excluded names", () => {
    const { servers } = parse('.gemini/settings.json', {
      mcp: { allowed: ['a', 'b'], excluded: ['b'] },
      mcpServers: { a: entry, b: entry, c: entry },
    });
    expect(servers.map(({ disabled }) => disabled === undefined)).toEqual([true, false, false]);
  });
});
