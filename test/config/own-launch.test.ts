import { describe, expect, it } from 'vitest';
import { loadConfigs } from '../../src/config/load.ts';
import { type OwnLaunch, ownLaunch } from '../../src/config/own-launch.ts';
import type { DeclaredServer } from '../../src/config/types.ts';
import { CLI, ROOT } from '../cli/support.ts';
import { folder } from './support.ts';

const launched = (command: string, ...args: string[]): OwnLaunch | undefined =>
  ownLaunch({
    root: ROOT,
    launch: { transport: 'stdio', command, args, env: new Map(), passEnv: [] },
  } as unknown as DeclaredServer);

describe('an entry that starts the proxy', () => {
  const proxy = ['proxy', '--server', 'github', '--config', 'mcp-servers.json'];
  const asked = { server: 'github', config: ['mcp-servers.json'], allClients: false };
  it.each<[string, string[]]>([
    ['npx', ['@agentgate/agentgate', ...proxy]],
    ['npx', ['-y', '@agentgate/agentgate@0.1.0', ...proxy]],
    ['npx', ['-y', '--package=@agentgate/agentgate@latest', 'agentgate', ...proxy]],
    ['npm', ['exec', '--yes', '--', '@agentgate/agentgate', ...proxy]],
    ['bunx', ['@agentgate/agentgate', ...proxy]],
    ['pnpm', ['dlx', '@agentgate/agentgate', ...proxy]],
    ['yarn', ['dlx', '@agentgate/agentgate', ...proxy]],
    ['cmd', ['/c', 'npx', '-y', '@agentgate/agentgate', ...proxy]],
    ['agentgate', proxy],
    ['node_modules/.bin/agentgate', proxy],
    ['node', ['node_modules/@agentgate/agentgate/dist/cli/index.js', ...proxy]],
    ['node', [CLI, ...proxy]],
    ['env', ['A=b', 'node', 'src/cli/index.ts', ...proxy]],
    ['npx @agentgate/agentgate proxy --server=github --config=mcp-servers.json', []],
  ])('is known by %s %j', (command, args) => {
    expect(launched(command, ...args)).toEqual(asked);
  });

  it.each<[string, string[]]>([
    ['npx', ['agentgate', ...proxy]],
    ['npx', ['@agentgate/agentgate-evil', ...proxy]],
    ['npx', ['@agentgate/agentgate', 'gate', 'list']],
    ['node', ['node_modules/other/dist/cli/index.js', ...proxy]],
    ['sh', ['-c', 'curl x | sh; agentgate proxy --server github']],
  ])('is not %s %j', (command, args) => {
    expect(launched(command, ...args)).toBeUndefined();
  });

  it('is read with all its options', () => {
    expect(
      launched(
        'agentgate',
        'proxy',
        '--config',
        'a.json',
        'b.json',
        '--isolation',
        'none',
        '--all-clients',
        '--cwd=x',
        '--server',
        'other:a',
      ),
    ).toEqual({ server: 'other:a', config: ['a.json', 'b.json'], cwd: 'x', allClients: true });
    expect(launched('agentgate', 'proxy', '--verbose')).toEqual({ config: [], allClients: false });
  });
});

const servers = (map: object): string => JSON.stringify({ mcpServers: map });
const gate = (...args: string[]): object => ({
  command: 'npx',
  args: ['@agentgate/agentgate', 'proxy', ...args],
});
const real = { command: 'npx', args: ['-y', 'foo@1.0.0'] };
const load = (files: Record<string, string>, options: { config?: string[]; allClients?: boolean } = {}) =>
  loadConfigs({ cwd: folder(files), allClients: false, ...options });
const problems = async (files: Record<string, string>): Promise<string[]> =>
  (await load(files)).errors.map(({ code, message }) => `${code} ${message}`);

describe('the server behind the proxy', () => {
  it('is the one that is declared where --config says', async () => {
    const loaded = await load({
      '.mcp.json': servers({ a: gate('--server', 'real', '--config', 'mcp-servers.json') }),
      '.cursor/mcp.json': servers({ real: gate('--server', 'real', '--config', 'mcp-servers.json') }),
      'mcp-servers.json': servers({ real, unused: real }),
    });
    expect(loaded.errors).toEqual([]);
    expect(loaded.servers).toHaveLength(1);
    expect(loaded.servers[0]).toMatchObject({
      key: 'real',
      config: 'mcp-servers.json',
      launch: { command: 'npx', args: ['-y', 'foo@1.0.0'] },
      gates: [
        { config: '.mcp.json', name: 'a' },
        { config: '.cursor/mcp.json', name: 'real' },
      ],
    });
    expect(loaded.servers[0]?.besides).toBeUndefined();
    expect(loaded.files).toEqual(['.mcp.json', '.cursor/mcp.json', 'mcp-servers.json']);
    expect(loaded.notes.map(({ code }) => code)).toEqual(['GATE_ENTRY', 'GATE_ENTRY']);
  });

  it('may be declared for another client, which then goes around it', async () => {
    const { servers: found } = await load({
      '.mcp.json': servers({ real: gate('--server', 'real') }),
      '.cursor/mcp.json': servers({ real }),
    });
    expect(found[0]).toMatchObject({
      config: '.cursor/mcp.json',
      gates: [{ config: '.mcp.json' }],
      besides: [{ config: '.cursor/mcp.json', name: 'real' }],
    });
  });

  it('is looked for from the folder that the proxy works in', async () => {
    const files = {
      'pkg/.mcp.json': servers({ real: gate('--server', 'real', '--config', 'conf/mcp.json') }),
      'pkg/conf/mcp.json': servers({ real }),
      'pkg/other/m.json': servers({ real }),
    };
    expect((await load(files, { config: ['pkg/.mcp.json'] })).servers[0]?.config).toBe('pkg/conf/mcp.json');
    files['pkg/.mcp.json'] = servers({
      real: gate('--server', 'real', '--cwd', 'other', '--config', 'm.json'),
    });
    expect((await load(files, { config: ['pkg/.mcp.json'] })).servers[0]?.config).toBe('pkg/other/m.json');
  });

  it('is a problem of that entry alone when there is none', async () => {
    const itself = /^E_GATE_ENTRY .*"real" of \.mcp\.json .* leads to itself/;
    expect(await problems({ '.mcp.json': servers({ real: gate('--server', 'real') }) })).toEqual([
      expect.stringMatching(itself),
    ]);
    expect(
      await problems({ '.mcp.json': servers({ real: gate('--server', 'real', '--config', '.mcp.json') }) }),
    ).toEqual([expect.stringMatching(itself)]);
    const loaded = await load({
      '.mcp.json': servers({
        none: gate('--config', 'm.json'),
        gone: gate('--server', 'gone', '--config', 'nothing.json'),
        unknown: gate('--server', 'unknown', '--config', 'm.json'),
        out: gate('--server', 'real', '--config', '../m.json'),
        away: gate('--server', 'real', '--cwd', '..', '--config', 'm.json'),
        variable: gate('--server', 'real', '--config', '$HOME/m.json'),
        chain: gate('--server', 'chain', '--config', 'm.json'),
        good: gate('--server', 'good', '--config', 'm.json'),
      }),
      'm.json': servers({ good: real, chain: gate('--server', 'good') }),
    });
    expect(loaded.servers.map(({ key }) => key)).toEqual(['good']);
    expect(
      loaded.errors.map(({ code, server, message }) => [code, server, message.split(', and ')[1]]),
    ).toEqual([
      ['E_GATE_ENTRY', 'none', 'it has no --server.'],
      ['E_GATE_ENTRY', 'gone', expect.stringContaining('"nothing.json" is no file')],
      ['E_GATE_ENTRY', 'unknown', 'm.json declares no server "unknown".'],
      ['E_GATE_ENTRY', 'out', expect.stringContaining('"../m.json" is no file')],
      ['E_GATE_ENTRY', 'away', expect.stringContaining('no folder of this project')],
      ['E_GATE_ENTRY', 'variable', expect.stringContaining('holds a variable')],
      ['E_GATE_ENTRY', 'chain', expect.stringContaining('leads to itself')],
    ]);
  });

  it('has the key that the proxy asks for, or the entry says why not', async () => {
    const files = {
      '.mcp.json': servers({ real: gate('--server', 'other:real', '--all-clients', '--config', 'm.json') }),
      'm.json': servers({ real }),
    };
    expect((await load(files, { allClients: true })).servers[0]?.key).toBe('other:real');
    expect((await load(files)).errors[0]?.message).toContain('the lock has this server as "real"');
  });
});
