import { join } from 'node:path';
import { expect, test } from 'vitest';
import { config, launch, type Project, project, tool } from '../cli/support.ts';

/** A server whose texts count its starts. */
function moody(surface: object): Project {
  const repo = project({ 'moody.json': surface });
  const counter = join(repo.home, 'counter');
  repo.write({
    '.mcp.json': config({
      moody: { ...launch('surface-server.mjs', 'moody.json'), env: { COUNTER: counter } },
    }),
  });
  return repo;
}

const NO_ISOLATION = ['--isolation', 'none'];

test.each([
  ['a number', tool('look', { description: 'Knows ${#}7 nodes (live).' })],
  [
    'a nested text',
    tool('look', {
      inputSchema: {
        type: 'object',
        properties: { 'a/b': { type: 'string', description: "The owner's id-x${#}y, please." } },
      },
    }),
  ],
  ['a word that is the whole text', tool('look', { description: 'id-${#}q' })],
  ['words at the end', tool('look', { description: 'Now on duty: nobody but ${#} and x${#}' })],
  [
    'words at the end of a line',
    tool('look', { description: 'A list.\nOn duty: nobody but ${#} and x${#}\nEnd.' }),
  ],
  [
    'a list in a sentence',
    tool('look', { description: 'Knows ls, ${cat,head -n,wc} and no other.\nNever: ${rm,dd,mv}' }),
  ],
  ['lines', tool('look', { description: 'Two lines:\n- x${#}\n- y${#}\n\nThat is all.' })],
])('%s that moves with every start: named, with a mask that works', async (_, definition) => {
  const repo = moody({ tools: [definition] });
  const ran = await repo.run(['lock', ...NO_ISOLATION, '--format', 'json']);
  expect(ran.code).toBe(2);
  expect(repo.has('agentgate.lock')).toBe(false);
  const { error } = JSON.parse(ran.stdout).servers[0];
  expect(error.code).toBe('E_UNSTABLE');
  expect(error.message).toContain('tool "look" at /');
  const mask = /agentgate\.yml: (servers: .+)$/.exec(error.message)?.[1];
  repo.write({ 'agentgate.yml': `version: 1\n${mask}\n` });
  const again = await repo.run(['lock', ...NO_ISOLATION]);
  expect(again.stdout).not.toContain('E_UNSTABLE');
  expect(again.code).toBe(0);
  expect((await repo.run(['ci', '--starts', '2', ...NO_ISOLATION])).code).toBe(0);
});

test('texts that list the same words in another order: one mask, for these words alone', async () => {
  const repo = moody({
    tools: ['one', 'two'].map((name) =>
      tool(name, {
        inputSchema: {
          type: 'object',
          properties: { columns: { type: 'string', default: '${size,*all,owner}' } },
        },
      }),
    ),
  });
  const ran = await repo.run(['lock', ...NO_ISOLATION, '--format', 'json']);
  const { error } = JSON.parse(ran.stdout).servers[0];
  const mask = /agentgate\.yml: (servers: .+)$/.exec(error.message)?.[1] ?? '';
  expect(mask.match(/tool: "[^"]+"|pattern: '[^']+'/g)).toEqual([
    'tool: "*"',
    "pattern: '^(?:\\*all|owner|size)(?:,(?:\\*all|owner|size)){2}$'",
  ]);
  repo.write({ 'agentgate.yml': `version: 1\n${mask}\n` });
  expect((await repo.run(['lock', ...NO_ISOLATION])).code).toBe(0);
  expect((await repo.run(['ci', '--starts', '2', ...NO_ISOLATION])).code).toBe(0);
});

test('a list in a text that begins alike by chance: a mask for the whole list and nothing beside it', async () => {
  const repo = moody({
    tools: [tool('run', { description: 'Runs one of: ls, ${cat, wc, df}, tee.\nNot more.' })],
  });
  const ran = await repo.run(['lock', ...NO_ISOLATION, '--format', 'json']);
  expect(JSON.parse(ran.stdout).servers[0].error.message).toContain(
    "pattern: 'Runs one of: (?:cat|df|ls|tee|wc)(?:, (?:cat|df|ls|tee|wc)){4}\\.\\sNot more\\.'",
  );
});

test('one start sees nothing odd; ci with two does, and so does the next check', async () => {
  const repo = moody({ instructions: 'Start number ${#}.', tools: [tool('look')] });
  expect((await repo.run(['lock', '--starts', '1', ...NO_ISOLATION])).code).toBe(0);
  const one = await repo.run(['ci', ...NO_ISOLATION]);
  expect(one.code).toBe(1);
  expect(one.stdout).toContain('Start number 2.');
  const two = await repo.run(['ci', '--starts', '2', ...NO_ISOLATION]);
  expect(two.code).toBe(2);
  expect(two.stdout).toContain('E_UNSTABLE');
  expect(two.stdout.replace(/\s+/g, ' ')).toContain(
    'instructions: true, field: "/text", pattern: \'Start number \\d+\\.\'',
  );
});

test('a tool that is there only sometimes has no mask', async () => {
  const repo = moody({
    tools: [tool('look${#}', { description: 'Looks at something else entirely each time ${#}.' })],
  });
  const ran = await repo.run(['lock', ...NO_ISOLATION]);
  expect(ran.code).toBe(2);
  expect(ran.stdout).toContain('E_UNSTABLE');
});
