import { expect, test } from 'vitest';
import type { Report } from '../../src/report/model.ts';
import { config, launch, type Project, project, tool } from '../cli/support.ts';

const LOOK = { description: 'Looks at 12 nodes.', _meta: { note: 'of 12 nodes' } };
const MASKS = ['/description', '/_meta'].map(
  (field) => `      - { tool: look, field: ${field}, pattern: '\\d+ nodes', reason: live }\n`,
);
const POLICY = `version: 1\nservers:\n  a:\n    volatile:\n${MASKS.join('')}`;

async function checked(repo: Project): Promise<Report> {
  return JSON.parse((await repo.run(['ci', '--format', 'json'])).stdout) as Report;
}

test('a mask that is added is no change of the server, and hides none', async () => {
  const repo = project({
    '.mcp.json': config({ a: launch('surface-server.mjs', 'a.json') }),
    'a.json': { instructions: 'Look first.', tools: [tool('look', LOOK), tool('count')] },
  });
  expect((await repo.run(['lock', '--starts', '1'])).code).toBe(0);
  repo.write({ 'agentgate.yml': POLICY });
  const masked = await checked(repo);
  expect(masked).toMatchObject({ verdict: 'drift', exitCode: 1 });
  expect(masked.servers[0]).toMatchObject({ cause: 'masks-changed' });
  expect(masked.servers[0]?.causeText).toContain('with the same masks the server says what was reviewed');
  const planned = await repo.run(['lock', '--starts', '1']);
  expect(planned.code).toBe(2);
  expect(planned.stdout.replace(/\s+/g, ' ')).toContain('The policy masks other texts');

  // Beside a change of the server's own, in the masked tool or in another one, the mask explains nothing.
  for (const tools of [
    [tool('look', { ...LOOK, description: 'Looks at 12 nodes, and keeps them.' }), tool('count')],
    [tool('look', LOOK), tool('count', { description: 'Counts otherwise.' })],
    [tool('look', LOOK), tool('count'), tool('more')],
  ]) {
    repo.write({ 'a.json': { instructions: 'Look first.', tools } });
    expect((await checked(repo)).servers[0]).toMatchObject({ status: 'drift', cause: 'unknown' });
  }
});
