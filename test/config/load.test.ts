import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discoverConfigs } from '../../src/config/discover.ts';
import { loadConfigs } from '../../src/config/load.ts';
import { folder } from './support.ts';

const one = (name: string, value: object = { command: 'npx', args: ['-y', 'foo@1.0.0'] }): string =>
  JSON.stringify({ mcpServers: { [name]: value } });
const V = (name: string): string => `\${${name}}`;

describe('discovery', () => {
  test('every known file under the root, in a stable order; none below it', async () => {
    const cwd = folder({
      '.mcp.json': one('a'),
      '.cursor/mcp.json': one('b'),
      '.continue/mcpServers/z.yaml': 'mcpServers: []',
      '.continue/mcpServers/a.yaml': 'mcpServers: []',
      '.codex/config.toml': '',
      'pkg/.mcp.json': one('c'),
      'other.json': one('d'),
    });
    expect((await discoverConfigs(cwd)).map(({ file }) => file)).toEqual([
      '.mcp.json',
      '.cursor/mcp.json',
      '.codex/config.toml',
      '.continue/mcpServers/a.yaml',
      '.continue/mcpServers/z.yaml',
    ]);
  });

  test('known files with a star: any folder or file of the pattern, none behind a linked folder', async () => {
    const plugin = '.claude-plugin/plugin.json';
    const cwd = folder({
      [`.claude/skills/b/${plugin}`]: '{}',
      [`.claude/skills/a/${plugin}`]: '{}',
      '.claude/skills/c/plugin.json': '{}',
      '.claude/skills/file': '',
      [`.claude/skills/node_modules/${plugin}`]: '{}',
      [`elsewhere/${plugin}`]: '{}',
      '.github/agents/.hidden.md': '',
      '.github/agents/x.md': '',
      '.github/agents/x.txt': '',
      '.github/agents/deep/y.md': '',
    });
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, '.claude/skills/linked'));
    symlinkSync(join(cwd, '.github/agents/x.txt'), join(cwd, '.github/agents/linked.md'));
    expect((await discoverConfigs(cwd)).map(({ file }) => file)).toEqual([
      `.claude/skills/a/${plugin}`,
      `.claude/skills/b/${plugin}`,
      '.github/agents/.hidden.md',
      '.github/agents/linked.md',
      '.github/agents/x.md',
    ]);
  });

  test('named paths and globs, without node_modules and .git', async () => {
    const cwd = folder({
      '.mcp.json': one('a'),
      'pkg/b/.mcp.json': one('b'),
      'pkg/a/.mcp.json': one('c'),
      'node_modules/x/.mcp.json': one('d'),
      'pkg/a/node_modules/x/.mcp.json': one('e'),
      '.git/.mcp.json': one('f'),
      'odd[1].json': one('g'),
    });
    const files = async (...config: string[]) => (await discoverConfigs(cwd, config)).map(({ file }) => file);
    expect(await files('**/.mcp.json')).toEqual(['.mcp.json', 'pkg/a/.mcp.json', 'pkg/b/.mcp.json']);
    expect(await files('./pkg/a/.mcp.json', ' ', '**/.mcp.json')).toEqual([
      'pkg/a/.mcp.json',
      '.mcp.json',
      'pkg/b/.mcp.json',
    ]);
    expect(await files(join(cwd, '.mcp.json'))).toEqual(['.mcp.json']);
    expect(await files('odd[1].json')).toEqual(['odd[1].json']);
  });

  test('a path that is not there and a glob that matches nothing are errors', async () => {
    const cwd = folder({ '.mcp.json': one('a') });
    for (const config of ['nope.json', 'nope/*.json', '.']) {
      await expect(discoverConfigs(cwd, [config])).rejects.toMatchObject({ code: 'E_CONFIG_NOT_FOUND' });
    }
    await expect(discoverConfigs(cwd, ['.mcp.json', 'a'])).rejects.toThrow(
      /or name a server before --config/,
    );
    for (const config of ['../x.json', '../*.json', '/etc/hosts']) {
      await expect(discoverConfigs(cwd, [config])).rejects.toMatchObject({
        code: expect.stringMatching(/^E_CONFIG_(OUTSIDE|NOT_FOUND)$/),
      });
    }
  });
});

describe('loadConfigs', () => {
  test('no config at all says what was looked for', async () => {
    const cwd = folder({ 'README.md': 'x', 'manifest.json': '{}' });
    await expect(loadConfigs({ cwd, allClients: false })).rejects.toMatchObject({
      code: 'E_NO_CONFIG',
      message: expect.stringContaining('.mcp.json'),
    });
  });

  test('a config without servers is a config: all of its servers may have gone', async () => {
    const cwd = folder({ '.mcp.json': '{"mcpServers":{}}' });
    expect(await loadConfigs({ cwd, allClients: false })).toMatchObject({
      servers: [],
      errors: [],
      files: ['.mcp.json'],
    });
  });

  test('one server in several files, whatever syntax its clients have for a variable', async () => {
    const cwd = folder({
      '.mcp.json': one('a', { command: 'npx', args: ['foo@1.0.0', V('X')], env: { T: V('T'), L: '1' } }),
      '.cursor/mcp.json': one('a', {
        command: 'npx',
        args: ['foo@1.0.0', V('env:X')],
        env: { L: '1', T: V('env:T') },
      }),
      'opencode.json': JSON.stringify({
        mcp: {
          a: {
            type: 'local',
            command: ['npx', 'foo@1.0.0', '{env:X}'],
            environment: { T: '{env:T}', L: '1' },
          },
        },
      }),
      '.codex/config.toml': '[mcp_servers.r]\nurl = "https://x.example/mcp"\nbearer_token_env_var = "K"\n',
      '.vscode/mcp.json': JSON.stringify({
        servers: {
          r: {
            type: 'http',
            url: 'https://x.example/mcp',
            headers: { authorization: `Bearer ${V('env:K')}` },
          },
        },
      }),
    });
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(errors).toEqual([]);
    expect(servers.map(({ key, config, alsoIn }) => [key, config, alsoIn])).toEqual([
      ['a', '.mcp.json', ['.cursor/mcp.json', 'opencode.json']],
      ['r', '.vscode/mcp.json', ['.codex/config.toml']],
    ]);
  });

  test('the same name with another launch is an error that names both files; neither is taken', async () => {
    const cwd = folder({
      '.mcp.json': one('a'),
      '.cursor/mcp.json': one('a', { command: 'npx', args: ['-y', 'foo@2.0.0'] }),
      '.roo/mcp.json': one('b'),
    });
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(servers.map(({ key }) => key)).toEqual(['b']);
    expect(errors).toMatchObject([
      { code: 'E_DUPLICATE_SERVER', server: 'a', file: '.cursor/mcp.json', line: 1 },
    ]);
    expect(errors[0]?.message).toMatch(/\.mcp\.json.*\.cursor\/mcp\.json.*--all-clients/);
    const keyed = await loadConfigs({ cwd, allClients: true });
    expect(keyed.errors).toEqual([]);
    expect(keyed.servers.map(({ key }) => key)).toEqual(['claude-code:a', 'cursor:a', 'roo:b']);
  });

  test('keys below the root have their folder', async () => {
    const cwd = folder({
      '.mcp.json': one('a'),
      'pkg/x/.mcp.json': one('a', { command: 'node', args: ['./s.js'] }),
      'pkg/x/.cursor/mcp.json': one('b'),
    });
    const config = ['**/.mcp.json', '**/.cursor/mcp.json'];
    const { servers } = await loadConfigs({ cwd, config, allClients: true });
    expect(servers.map(({ key, root }) => [key, root])).toEqual([
      ['claude-code:a', cwd],
      ['pkg/x/claude-code:a', join(cwd, 'pkg/x')],
      ['pkg/x/cursor:b', join(cwd, 'pkg/x')],
    ]);
  });

  test('a script of one folder is not that of another, a package is the same everywhere', async () => {
    const script = one('a', { command: 'node', args: ['./s.js'] });
    const scripts = folder({ 'x/.mcp.json': script, 'y/.mcp.json': script });
    const config = ['**/.mcp.json'];
    expect((await loadConfigs({ cwd: scripts, config, allClients: false })).errors).toHaveLength(1);
    const packages = folder({ 'x/.mcp.json': one('a'), 'y/.mcp.json': one('a') });
    const { servers, errors } = await loadConfigs({ cwd: packages, config, allClients: false });
    expect(errors).toEqual([]);
    expect(servers.map(({ alsoIn }) => alsoIn)).toEqual([['y/.mcp.json']]);
  });

  test('switched off in one file and on in another: on, and said', async () => {
    const cwd = folder({
      '.mcp.json': one('a'),
      '.roo/mcp.json': one('a', { command: 'other', disabled: true }),
    });
    const { servers, errors, notes } = await loadConfigs({ cwd, allClients: false });
    expect(errors).toEqual([]);
    expect(servers).toMatchObject([{ key: 'a', config: '.mcp.json', alsoIn: [] }]);
    expect(notes.map(({ code }) => code)).toEqual(['W_ALSO_DISABLED']);
  });

  test('a broken file does not hide the others', async () => {
    const cwd = folder({ '.mcp.json': '{', '.cursor/mcp.json': one('a') });
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(servers.map(({ key }) => key)).toEqual(['a']);
    expect(errors).toMatchObject([{ code: 'E_CONFIG_SYNTAX', file: '.mcp.json', line: 1 }]);
  });

  test('links out of the working directory, dead links, large files and other bytes are refused', async () => {
    const outside = folder({ 'secret.json': one('evil') });
    const cwd = folder({ '.cursor/mcp.json': ' '.repeat(1024 * 1024 + 1), '.roo/mcp.json': one('ok') });
    symlinkSync(join(outside, 'secret.json'), join(cwd, '.mcp.json'));
    symlinkSync('nowhere', join(cwd, 'mcp.json'));
    writeFileSync(join(cwd, 'gemini-extension.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(servers.map(({ key }) => key)).toEqual(['ok']);
    expect(errors.map(({ code, file }) => [file, code])).toEqual([
      ['.mcp.json', 'E_CONFIG_OUTSIDE'],
      ['.cursor/mcp.json', 'E_CONFIG_READ'],
      ['gemini-extension.json', 'E_CONFIG_SYNTAX'],
      ['mcp.json', 'E_CONFIG_READ'],
    ]);
  });

  test('more servers, files or text than a run checks is refused as a whole', async () => {
    const many = (count: number, prefix: string) =>
      JSON.stringify({
        mcpServers: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`${prefix}${index}`, { command: 'x' }]),
        ),
      });
    const load = (files: Record<string, string>) => loadConfigs({ cwd: folder(files), allClients: false });
    expect((await load({ '.mcp.json': many(600, 'a') })).servers).toHaveLength(600);
    const limit = { code: 'E_CONFIG_LIMIT' };
    await expect(
      load({ '.mcp.json': many(600, 'a'), '.cursor/mcp.json': many(600, 'b') }),
    ).rejects.toMatchObject(limit);
    const yaml = (count: number, text: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`.continue/mcpServers/${index}.yaml`, text]),
      );
    await expect(load(yaml(1001, ''))).rejects.toMatchObject(limit);
    await expect(load(yaml(18, `# ${' '.repeat(1_000_000)}`))).rejects.toMatchObject(limit);
  });

  test('a link into .git is refused: what lies there is the job', async () => {
    const cwd = folder({ '.git/mcp.json': one('evil'), '.roo/mcp.json': one('ok') });
    symlinkSync('.git/mcp.json', join(cwd, '.mcp.json'));
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(servers.map(({ key }) => key)).toEqual(['ok']);
    expect(errors.map(({ code, file }) => [file, code])).toEqual([['.mcp.json', 'E_CONFIG_READ']]);
  });

  test("the files that a plugin names are read as the plugin's", async () => {
    const cwd = folder({
      '.claude-plugin/plugin.json': JSON.stringify({
        mcpServers: ['./mcp/a.json', './gone.json', '../up.json'],
      }),
      'mcp/a.json': one('a', { command: `${V('CLAUDE_PLUGIN_ROOT')}/bin/a` }),
    });
    const { servers, errors } = await loadConfigs({ cwd, allClients: false });
    expect(servers).toMatchObject([
      { key: 'a', client: 'claude-plugin', config: 'mcp/a.json', root: cwd, base: cwd },
    ]);
    expect(errors.map(({ file }) => file)).toEqual(['gone.json', '../up.json']);
    expect(errors[0]?.message).toContain('.claude-plugin/plugin.json');
  });

  test('a named file is a config whatever its name', async () => {
    const cwd = folder({ 'manifest.json': '{', 'x.json': one('a') });
    const { errors } = await loadConfigs({ cwd, config: ['manifest.json', 'x.json'], allClients: false });
    expect(errors).toMatchObject([{ code: 'E_CONFIG_SYNTAX', file: 'manifest.json' }]);
  });
});
