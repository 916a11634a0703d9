import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onlyServer, parse, ROOT, remote, stdio } from './support.ts';

describe('Codex (TOML)', () => {
  const text = `
model = "x"

[mcp_servers.docs]
command = "npx"
args = ["-y", "foo@1.0.0"]
env_vars = ["TOKEN", { name = "OTHER", source = "local" }]
cwd = "srv"
[mcp_servers.docs.env]
A = "1"

[mcp_servers."far.away"]
url = "https://x.example/mcp"
bearer_token_env_var = "BEARER"
http_headers = { X = "y" }
env_http_headers = { "X-Key" = "KEY" }
enabled = false
`;

  test('is read with its own ways of passing variables', () => {
    const { servers, errors, notes } = parse('.codex/config.toml', text);
    expect(errors).toEqual([]);
    expect(notes).toEqual([]);
    expect(servers).toMatchObject([
      {
        name: 'docs',
        client: 'codex',
        line: 4,
        column: 1,
        launch: {
          command: 'npx',
          passEnv: ['TOKEN', 'OTHER'],
          cwd: join(ROOT, 'srv'),
          env: new Map([['A', '1']]),
        },
      },
      {
        name: 'far.away',
        line: 12,
        disabled: '"enabled: false" in .codex/config.toml',
        launch: {
          transport: 'http',
          bearerTokenVariable: 'BEARER',
          headers: new Map([['X', 'y']]),
          variableHeaders: new Map([['X-Key', 'KEY']]),
        },
      },
    ]);
  });

  test('errors have line and column', () => {
    expect(parse('.codex/config.toml', '[mcp_servers.a]\ncommand = \n').errors).toMatchObject([
      { code: 'E_CONFIG_SYNTAX', line: 2 },
    ]);
    expect(parse('.codex/config.toml', '[mcp_servers.a]\n[mcp_servers.a]\n').errors[0]?.code).toBe(
      'E_CONFIG_SYNTAX',
    );
    expect(
      parse('.codex/config.toml', '[mcp_servers.a]\nurl = "https://x"\nbearer_token = "s3cret"\n').errors,
    ).toMatchObject([
      { code: 'E_CONFIG_INVALID', server: 'a', line: 1, message: expect.not.stringContaining('s3cret') },
    ]);
  });

  test('a key of endless parts is an error, whatever is around it', () => {
    const long = 'a.'.repeat(200_000);
    for (const attack of [`${long}b = 1`, `[${long}b]`, `x = { ${long}b = 1 }`, `"q" . ${long}b = 1`])
      expect(parse('.codex/config.toml', `[mcp_servers.s]\ncommand = "x"\n${attack}\n`).errors).toMatchObject(
        [{ code: 'E_CONFIG_SYNTAX', line: 3, message: expect.stringContaining('parts') }],
      );
    const header = `[mcp_servers.${Array.from({ length: 90 }, () => 'k'.repeat(5_000)).join('.')}]`;
    const { errors } = parse('.codex/config.toml', `${header}\n${'a1 = 1\n'.repeat(1)}`);
    expect(errors.some(({ message }) => message.includes('parts'))).toBe(false);
  });
});

describe('Continue (YAML)', () => {
  test('a list of named entries', () => {
    const { servers, errors } = parse(
      '.continue/mcpServers/x.yaml',
      'name: x\nmcpServers:\n  - name: a\n    command: uvx\n    args: [foo]\n    env: { A: 1 }\n  - name: b\n    type: streamable-http\n    url: https://x.example\n  - command: y\n  - name: a\n    command: z\n',
    );
    expect(servers.map(({ name }) => name)).toEqual(['b']);
    expect(errors).toMatchObject([
      { line: 10, server: '#3' },
      { line: 11, server: 'a' },
    ]);
  });

  test('aliases, duplicate keys, unknown tags and several documents are refused', () => {
    for (const text of [
      'a: &x [1]\nb: *x\n',
      'mcpServers: []\nmcpServers: []\n',
      'mcpServers: !!js/function "x"\n',
      'a: 1\n---\nb: 2\n',
      'a: [\n',
    ]) {
      expect(parse('.continue/mcpServers/x.yaml', text).errors).toMatchObject([
        { code: 'E_CONFIG_SYNTAX', line: expect.any(Number), column: expect.any(Number) },
      ]);
    }
    expect(parse('.continue/mcpServers/x.yaml', `a: ${'['.repeat(20_000)}`).errors[0]?.code).toBe(
      'E_CONFIG_SYNTAX',
    );
  });
});

describe('further shapes', () => {
  test("opencode's command is a list", () => {
    const server = onlyServer('opencode.jsonc', {
      mcp: { a: { type: 'local', command: ['npx', '-y', 'foo'], environment: { A: '{env:B}' } } },
    });
    expect(stdio(server)).toMatchObject({
      command: 'npx',
      args: ['-y', 'foo'],
      env: new Map([['A', '{env:B}']]),
    });
    expect(
      remote(onlyServer('opencode.json', { mcp: { a: { type: 'remote', url: 'https://x.example' } } }))
        .transport,
    ).toBe('auto');
  });

  test('Zed: both forms of command, and extensions', () => {
    const { servers } = parse('.zed/settings.json', {
      context_servers: {
        a: { command: 'x', args: ['1'], env: { A: '1' } },
        b: { source: 'custom', command: { path: 'y', args: ['2'], env: { B: '2' } } },
        c: { settings: { key: 1 } },
        d: { url: 'https://x.example' },
      },
    });
    expect(servers.map(({ launch }) => launch)).toMatchObject([
      { command: 'x', args: ['1'] },
      { command: 'y', args: ['2'], env: new Map([['B', '2']]) },
      {},
      { transport: 'http' },
    ]);
    expect(servers[2]?.disabled).toContain('Zed extension');
  });

  test('files that others use too declare nothing when they have no servers', () => {
    for (const file of ['manifest.json', 'server.json', '.gemini/settings.json', '.vscode/settings.json']) {
      expect(parse(file, { name: 'app', icons: [] })).toMatchObject({ servers: [], errors: [], notes: [] });
    }
    expect(parse('manifest.json', '{').errors).toEqual([]);
    expect(parse('.gemini/settings.json', '{ "mcpServers": ').errors).toHaveLength(1);
    expect(parse('.mcp.json', {}).notes.map(({ code }) => code)).toEqual(['W_NO_SERVERS']);
  });

  test('a bundle', () => {
    const server = onlyServer('bundle/manifest.json', {
      manifest_version: '0.3',
      name: 'my-bundle',
      server: {
        type: 'node',
        entry_point: 'i.js',
        mcp_config: { command: 'node', args: ['${' + '__dirname}/i.js'], env: {} },
      },
      user_config: {
        dirs: { type: 'directory', multiple: true, default: ['/a', '/b'] },
        key: { sensitive: true },
      },
    });
    expect(server).toMatchObject({ name: 'my-bundle', client: 'mcpb', base: join(ROOT, 'bundle') });
    expect(server.inputs?.get('dirs')).toEqual({ required: false, secret: false, default: ['/a', '/b'] });
    expect(server.inputs?.get('key')).toEqual({ required: false, secret: true });
  });

  test('the registry, one server for each package and remote', () => {
    const { servers, errors } = parse('server.json', {
      name: 'io.example/srv',
      packages: [
        {
          registryType: 'npm',
          identifier: '@s/p',
          version: '1.0.0',
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--dir', value: '{dir}', variables: { dir: { default: '.' } } },
            { type: 'positional', value: 'go' },
          ],
          environmentVariables: [
            { name: 'KEY', isRequired: true, isSecret: true },
            { name: 'LEVEL', default: 'info' },
            { name: 'MAYBE' },
          ],
        },
        { registryType: 'oci', identifier: 'r.example/i', version: '2', transport: { type: 'stdio' } },
        { registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' },
      ],
      remotes: [
        { type: 'sse', url: 'https://{tenant}.example/sse', variables: { tenant: { default: 'main' } } },
      ],
    });
    expect(servers.map(({ name, launch }) => [name, launch])).toMatchObject([
      [
        'io.example/srv:npm',
        {
          command: 'npx',
          args: ['-y', '@s/p@1.0.0', '--dir', '{dir}', 'go'],
          env: new Map([['LEVEL', 'info']]),
          passEnv: ['KEY'],
          optionalEnv: ['MAYBE'],
        },
      ],
      ['io.example/srv:oci', { command: 'docker', args: ['run', '-i', '--rm', 'r.example/i:2'] }],
      ['io.example/srv:remote', { transport: 'sse', url: 'https://{tenant}.example/sse' }],
    ]);
    expect(errors).toMatchObject([{ server: 'io.example/srv:mcpb' }]);
    const old = onlyServer('server.json', {
      name: 'io.example/old',
      packages: [{ registry_name: 'pypi', name: 'p', version: '1.0' }],
    });
    expect(stdio(old)).toMatchObject({ command: 'uvx', args: ['p@1.0'] });
    expect(old.name).toBe('io.example/old');
  });

  test('plugins: an object, a path, several paths', () => {
    expect(onlyServer('.claude-plugin/plugin.json', { mcpServers: { a: { command: 'x' } } }).base).toBe(ROOT);
    expect(parse('p/.claude-plugin/plugin.json', { mcpServers: './mcp/a.json' })).toMatchObject({
      base: 'p',
      references: [{ file: 'p/mcp/a.json', line: 2 }],
    });
    expect(
      parse('.claude-plugin/plugin.json', { mcpServers: ['./a.json', '${' + 'CLAUDE_PLUGIN_ROOT}/b.json'] })
        .references,
    ).toMatchObject([{ file: 'a.json' }, { file: 'b.json' }]);
    expect(parse('.claude-plugin/plugin.json', { mcpServers: '/etc/x.json' }).errors).toHaveLength(1);
    const skill = onlyServer('.claude/skills/s/.claude-plugin/plugin.json', {
      mcpServers: { a: { command: 'x' } },
    });
    expect(skill).toMatchObject({ root: ROOT, base: join(ROOT, '.claude', 'skills', 's') });
    const market = onlyServer('.claude-plugin/marketplace.json', {
      plugins: [{ name: 'p', source: './plugins/p', mcpServers: { a: { command: 'x' } } }, { name: 'q' }],
    });
    expect(market.base).toBe(join(ROOT, 'plugins', 'p'));
  });

  test("Copilot's agent profiles carry servers in their front matter", () => {
    const server = onlyServer(
      '.github/agents/a.md',
      '---\nname: a\nmcp-servers:\n  docs:\n    type: local\n    command: npx\n    args: [foo]\n---\n\nText: [\n',
    );
    expect(server).toMatchObject({ name: 'docs', client: 'copilot', line: 4, root: ROOT });
    expect(parse('.github/agents/b.md', '# no front matter')).toMatchObject({ servers: [], errors: [] });
  });
});
