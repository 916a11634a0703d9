import { expect, test } from 'vitest';
import { mayCreateComment } from '../../src/action/comment-policy.ts';
import { baseFiles } from '../../src/base-files.ts';
import { loadPolicy } from '../../src/config/policy.ts';
import { policyChanges } from '../../src/policy-changes.ts';
import { buildReport } from '../../src/report/build.ts';
import { renderComment } from '../../src/report/comment.ts';
import { config, project } from '../cli/support.ts';
import { cleanParts } from '../support/github/prepared.ts';

const STRICT = `version: 1
fail-on: low
servers:
  docs: { network: none, pass-env: [A] }
suppress:
  - { rule: AG-TP-004, server: docs, reason: known }
`;
const LOOSE = `version: 1
fail-on: never
servers:
  docs:
    home: inherit
    resources: ignore
    pass-env: [A, NPM_TOKEN]
    volatile:
      - { tool: '*', field: /description, pattern: '[^]+', reason: live }
suppress:
  - { rule: AG-TP-004, server: docs, reason: known }
  - { rule: AG-TP-001, reason: "<img src=x> @octocat" }
`;

const changes = async (base: string | null, head: string) => {
  const made = project({
    '.mcp.json': config({}),
    ...(head === '' ? {} : { '.github/agentgate.yml': head }),
  });
  const readConfig = async (path: string) => (path === 'agentgate.yml' ? base : null);
  return policyChanges(baseFiles({ readConfig }, made.dir), await loadPolicy(made.dir));
};

test('what a policy lets pass or gives away that the one before did not is told, point by point', async () => {
  const info = await changes(STRICT, LOOSE);
  expect(info.map(({ server, message }) => [server, message])).toEqual([
    [undefined, 'sets fail-on to never (it was low)'],
    ['docs', 'gives the server the home of the job'],
    ['docs', 'gives the server the network'],
    ['docs', 'no longer pins resources'],
    ['docs', 'passes the variable NPM_TOKEN of the job'],
    ['docs', 'masks what matches [^]+ at /description of tool *'],
    [undefined, 'suppresses AG-TP-001 everywhere'],
  ]);
  const report = buildReport({ ...cleanParts(), info });
  expect(mayCreateComment(report, 'auto')).toBe(true);
  const comment = renderComment(report, { id: 'x' });
  expect(comment).toMatch(/^### ⚠️ AgentGate/m);
  expect(comment).toContain('> [!WARNING]\n> This pull request changes the policy');
  expect(comment).toContain('gives the server the home of the job');
  expect(comment).not.toMatch(/\d+ note/);
});

test('the first policy and one that is gone are compared with the defaults', async () => {
  expect((await changes(null, LOOSE)).map(({ message }) => message)).toContain(
    'sets fail-on to never (it was any)',
  );
  expect((await changes(STRICT, '')).map(({ message }) => message)).toEqual(['gives the server the network']);
});

test('a stricter policy, the same one and no base are no news; a broken base is', async () => {
  expect(await changes(LOOSE, STRICT)).toEqual([]);
  expect(await changes(LOOSE, LOOSE)).toEqual([]);
  expect(await policyChanges(undefined, { servers: new Map(), suppress: [], failOn: 'never' })).toEqual([]);
  expect((await changes('version: 7', LOOSE)).map(({ code }) => code)).toEqual(['policy-changed']);
});
