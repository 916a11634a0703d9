import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selfCommand } from '../../src/cli/demo/run.ts';
import { config, project, twoServers } from './support.ts';

test('a folder below the one that is meant: the message names it', async () => {
  const repo = project(twoServers());
  mkdirSync(join(repo.dir, 'src/deep'), { recursive: true });
  const ran = await repo.run(['lock', '--cwd', 'src/deep']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(
    `; there is .mcp.json in ${join('..', '..')}: run there; or name yours with --config`,
  );
});

test('nothing above the repository is named', async () => {
  const repo = project(twoServers());
  mkdirSync(join(repo.dir, 'other/.git'), { recursive: true });
  const ran = await repo.run(['lock', '--cwd', 'other']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).not.toContain('there is .mcp.json');
});

test("one client's name for its servers in another's file", async () => {
  const { mcpServers } = config({ a: { command: 'node' } }) as { mcpServers: object };
  const repo = project({ '.mcp.json': { servers: mcpServers } });
  const ran = await repo.run(['lock']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(
    '.mcp.json has "servers" where Claude Code reads "mcpServers", so it declares no server: rename it',
  );
});

test('verify takes the options that are the same everywhere', async () => {
  const repo = project(twoServers());
  expect((await repo.run(['lock', '--starts', '1'])).code).toBe(0);
  const ran = await repo.run(['verify', '--no-color', '--output', 'out.txt']);
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(repo.read('out.txt')).toContain('is whole: 2 servers');
});

test('the demonstration names the program that the user has', () => {
  expect(selfCommand('/clone/dist/cli/index.js')).toBe('node /clone/dist/cli/index.js');
  expect(selfCommand('/home/.npm/_npx/1/node_modules/.bin/agentgate')).toBe('npx @agentgate/agentgate');
  expect(selfCommand('/usr/bin/agentgate')).toBe('agentgate');
});
