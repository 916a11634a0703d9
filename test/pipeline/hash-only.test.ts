import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { config, launch, project, tool } from '../cli/support.ts';
import { jcs, pick, sha } from '../lock/independent.ts';

/** The base specification's record of a tool: hashes, nothing else. */
function hashes(definition: object): object {
  const raw = definition as JsonObject;
  const member = (key: string): string => sha(jcs(raw[key] as Json));
  return {
    hash: sha(jcs(pick(raw, (key) => ['name', 'description', 'inputSchema'].includes(key)))),
    nameHash: member('name'),
    descriptionHash: member('description'),
    inputSchemaHash: member('inputSchema'),
  };
}

function entry(...tools: { name: string; definition: object }[]): object {
  const records = tools.map(({ name, definition }) => [name, hashes(definition)] as const);
  const all = records
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => (record as { hash: string }).hash);
  return {
    source: { type: 'local' },
    transport: 'stdio',
    toolSurfaceHash: sha(jcs(all)),
    tools: Object.fromEntries(records),
  };
}

const named = (name: string): { name: string; definition: object } => ({ name, definition: tool(name) });

test('a lock of the base specification, made by hand, gates by its hashes', async () => {
  const repo = project({
    '.mcp.json': config({
      calm: launch('surface-server.mjs', 'calm.json'),
      moved: launch('surface-server.mjs', 'moved.json'),
    }),
    'calm.json': { tools: [tool('look'), tool('find')] },
    'moved.json': { tools: [tool('count'), tool('sum'), tool('old')] },
    'agentgate.lock': {
      lockfileVersion: 1,
      generatedAt: '2026-08-03T12:00:00Z',
      agentgateVersion: '0.1.0',
      servers: {
        calm: entry(named('look'), named('find')),
        moved: entry(named('count'), named('sum'), named('old')),
      },
    },
  });
  const whole = await repo.run(['verify']);
  expect(whole).toMatchObject({ code: 0 });
  expect(whole.stdout).toBe('agentgate.lock is whole: 2 servers, 5 capabilities, 5 of them by hash only.\n');
  expect((await repo.run(['ci'])).code).toBe(0);

  const schema = { type: 'object', properties: { place: { type: 'string', description: 'A town.' } } };
  repo.write({
    'moved.json': {
      tools: [
        tool('count', { description: 'Counts, then writes it down.' }),
        tool('sum', { inputSchema: schema }),
        tool('new'),
      ],
    },
  });
  const ci = await repo.run(['ci', '--format', 'json']);
  expect(ci.code).toBe(1);
  const report = JSON.parse(ci.stdout);
  expect(report.verdict).toBe('drift');
  const told = report.changes.map(
    (change: { name: string; change: string; fields: { pointer: string }[] }) => [
      change.name,
      change.change,
      change.change === 'changed' ? change.fields.map((field) => field.pointer).join() : '',
    ],
  );
  expect(told.sort()).toEqual([
    ['count', 'changed', '/description'],
    ['new', 'added', ''],
    ['old', 'removed', ''],
    ['sum', 'changed', '/inputSchema'],
  ]);
  const count = report.changes.find((change: { name: string }) => change.name === 'count');
  expect(count.fields).toMatchObject([
    { class: 'text-changed', beforeUnknown: true, after: 'Counts, then writes it down.' },
  ]);
  expect(count.fields[0]).not.toHaveProperty('before');

  const { stdout } = await repo.run(['ci']);
  expect(stdout).toContain('Counts, then writes it down.');
  expect(stdout).toContain('A town.');
  expect(stdout).toContain('The lock holds only hashes of this server');
  expect(stdout.replace(/\s+/g, ' ')).toContain('The next lock keeps them, and full diffs with it.');

  const refused = await repo.run(['lock', '--starts', '1']);
  expect(refused.code).toBe(2);
  expect((await repo.run(['lock', '--starts', '1', '--yes'])).code).toBe(0);
  expect(repo.read('agentgate.lock')).toContain('"description": "Counts, then writes it down."');
  expect((await repo.run(['ci'])).code).toBe(0);
});

test('one that still matches gets its texts without a question', async () => {
  const repo = project({
    '.mcp.json': config({ calm: launch('surface-server.mjs', 'calm.json') }),
    'calm.json': { tools: [tool('look')] },
    'agentgate.lock': { lockfileVersion: 1, servers: { calm: entry(named('look')) } },
  });
  const ran = await repo.run(['lock', '--starts', '1']);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('agentgate.lock written');
  expect(repo.read('agentgate.lock')).toContain('"Does look."');
});
