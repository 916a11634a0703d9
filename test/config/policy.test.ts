import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { plain } from '../../src/config/config-node.ts';
import { parseYaml } from '../../src/config/parse-yaml.ts';
import { loadPolicy, NO_POLICY, serverPolicy } from '../../src/config/policy.ts';
import { parsePolicy } from '../../src/config/policy-parse.ts';
import { folder } from './support.ts';

const FULL = `
version: 1
servers:
  github:
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: placeholder, PORT: 80 }
    timeout: 90
    install-timeout: 600
    pass-env: [NPM_TOKEN]
    resources: ignore
    home: inherit
    network: none
    volatile:
      - { tool: search, field: /description, pattern: '\\d+ nodes', reason: live count }
      - { instructions: true, field: /text, pattern: '^Today.*', reason: a date }
  legacy:
    skip: needs a browser login
  __proto__: { timeout: 5 }
fail-on: high
suppress:
  - { rule: AG-TP-004, server: github, name: create_issue, reason: quotes an attack, expires: 2027-03-01 }
  - { rule: AG-CF-001, reason: known }
gate:
  tiers: { filesystem: { read_file: 0 } }
  anything: [1]
`;

/** Broken policies, the line and column of what is wrong, and a word of the message; and whether the schema sees it. */
const BAD: [name: string, text: string, line: number, column: number, word: string, schema?: false][] = [
  ['an empty file', '', 1, 1, 'version'],
  ['no version', 'servers: {}\n', 1, 1, 'version'],
  ['another version', 'version: 2\n', 1, 10, 'must be 1'],
  ['a version as text', 'version: "1"\n', 1, 10, 'must be 1'],
  ['an unknown key', 'version: 1\nfailon: any\n', 2, 1, 'failon'],
  ['an unknown key of a server', 'version: 1\nservers:\n  a:\n    timout: 3\n', 4, 5, 'timout'],
  ['a list for servers', 'version: 1\nservers: [a]\n', 2, 10, 'object'],
  ['a text for a server', 'version: 1\nservers: { a: x }\n', 2, 15, 'object'],
  ['a time of nothing', 'version: 1\nservers: { a: { timeout: 0 } }\n', 2, 26, 'seconds'],
  ['a time as text', 'version: 1\nservers: { a: { timeout: 3s } }\n', 2, 26, 'seconds'],
  ['a time to fetch of nothing', 'version: 1\nservers: { a: { install-timeout: 0 } }\n', 2, 34, 'seconds'],
  ['a time beyond a day', 'version: 1\nservers: { a: { timeout: 86401 } }\n', 2, 26, 'seconds'],
  ['an odd resources', 'version: 1\nservers: { a: { resources: all } }\n', 2, 28, 'pin, ignore'],
  ['an odd home', 'version: 1\nservers: { a: { home: mine } }\n', 2, 23, 'private, inherit'],
  ['an odd network', 'version: 1\nservers: { a: { network: lan } }\n', 2, 26, 'inherit, none'],
  ['skip without a reason', 'version: 1\nservers: { a: { skip: true } }\n', 2, 23, 'reason'],
  ['skip with an empty reason', 'version: 1\nservers: { a: { skip: " " } }\n', 2, 23, 'reason'],
  ['env as a list', 'version: 1\nservers: { a: { env: [A] } }\n', 2, 22, 'object'],
  ['a variable without a value', 'version: 1\nservers: { a: { env: { A: } } }\n', 2, 24, 'no value'],
  ['no name of a variable', 'version: 1\nservers: { a: { env: { "A=B": x } } }\n', 2, 31, 'A=B'],
  ['pass-env as a text', 'version: 1\nservers: { a: { pass-env: A } }\n', 2, 27, 'list'],
  ['pass-env with a space', 'version: 1\nservers: { a: { pass-env: ["A B"] } }\n', 2, 28, 'A B'],
  ['an odd fail-on', 'version: 1\nfail-on: info\n', 2, 10, 'critical'],
  ['suppress as an object', 'version: 1\nsuppress: {}\n', 2, 11, 'list'],
  ['suppress without a reason', 'version: 1\nsuppress:\n  - rule: AG-TP-001\n', 3, 5, 'reason'],
  ['suppress without a rule', 'version: 1\nsuppress:\n  - reason: x\n', 3, 5, 'rule'],
  ['an odd rule', 'version: 1\nsuppress: [{ rule: TP-1, reason: x }]\n', 2, 20, 'AG-TP-004'],
  [
    'an unknown key of a suppression',
    'version: 1\nsuppress: [{ rule: AG-TP-001, reason: x, tool: y }]\n',
    2,
    42,
    'tool',
  ],
  [
    'a day that is none',
    'version: 1\nsuppress: [{ rule: AG-TP-001, reason: x, expires: 2027-02-30 }]\n',
    2,
    51,
    'day',
    false,
  ],
  ['a day in words', 'version: 1\nsuppress: [{ rule: AG-TP-001, reason: x, expires: soon }]\n', 2, 51, 'day'],
  [
    'a mask without a pattern',
    'version: 1\nservers: { a: { volatile: [{ tool: t, field: /d, reason: x }] } }\n',
    2,
    28,
    'pattern',
  ],
  [
    'a mask for two',
    'version: 1\nservers: { a: { volatile: [{ tool: t, prompt: p, field: /d, pattern: x, reason: x }] } }\n',
    2,
    28,
    'exactly one',
  ],
  [
    'a mask for nothing',
    'version: 1\nservers: { a: { volatile: [{ field: /d, pattern: x, reason: x }] } }\n',
    2,
    28,
    'exactly one',
  ],
  [
    'a mask with a pattern that does not compile',
    "version: 1\nservers: { a: { volatile: [{ tool: t, field: /d, pattern: '(', reason: x }] } }\n",
    2,
    59,
    'regular expression',
    false,
  ],
  [
    'a mask that matches the empty text',
    "version: 1\nservers: { a: { volatile: [{ tool: t, field: /d, pattern: 'a*', reason: x }] } }\n",
    2,
    59,
    'match',
    false,
  ],
  [
    'a mask with a long pattern',
    `version: 1\nservers: { a: { volatile: [{ tool: t, field: /d, pattern: '${'a'.repeat(501)}', reason: x }] } }\n`,
    2,
    59,
    '500',
  ],
  [
    'a mask with a field that is no pointer',
    'version: 1\nservers: { a: { volatile: [{ tool: t, field: description, pattern: x, reason: x }] } }\n',
    2,
    46,
    'pointer',
  ],
  ['a key twice', 'version: 1\nversion: 1\n', 2, 1, 'twice', false],
  ['an alias', 'version: 1\nservers: { a: &x {}, b: *x }\n', 2, 25, 'alias', false],
  ['a list', '- version: 1\n', 1, 1, 'object'],
  ['broken YAML', 'version: 1\nservers: {\n', 3, 1, 'YAML', false],
];

describe('agentgate.yml', () => {
  test('all of it', () => {
    const policy = parsePolicy(FULL, 'agentgate.yml');
    expect(policy).toMatchObject({ file: 'agentgate.yml', failOn: 'high', gateLine: 22 });
    expect(policy.servers.get('github')).toEqual({
      env: new Map([
        ['GITHUB_PERSONAL_ACCESS_TOKEN', 'placeholder'],
        ['PORT', '80'],
      ]),
      timeout: 90,
      installTimeout: 600,
      passEnv: ['NPM_TOKEN'],
      resources: 'ignore',
      home: 'inherit',
      network: 'none',
      volatile: [
        { tool: 'search', field: '/description', pattern: /\d+ nodes/gu, reason: 'live count', line: 13 },
        { instructions: true, field: '/text', pattern: /^Today.*/gu, reason: 'a date', line: 14 },
      ],
    });
    expect(serverPolicy(policy, 'legacy').skip).toBe('needs a browser login');
    expect(serverPolicy(policy, '__proto__').timeout).toBe(5);
    expect(serverPolicy(policy, 'constructor')).toEqual(serverPolicy(NO_POLICY, 'x'));
    expect(policy.suppress).toEqual([
      {
        rule: 'AG-TP-004',
        server: 'github',
        name: 'create_issue',
        reason: 'quotes an attack',
        expires: '2027-03-01',
        line: 20,
      },
      { rule: 'AG-CF-001', reason: 'known', line: 21 },
    ]);
    expect(JSON.stringify(policy.gate)).toBe('{"tiers":{"filesystem":{"read_file":0}},"anything":[1]}');
  });

  test.each(BAD)('%s is an error with its place', (_, text, line, column, word) => {
    try {
      parsePolicy(text, 'agentgate.yml');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'E_POLICY', place: { file: 'agentgate.yml', line, column } });
      expect(String(error)).toContain(word);
    }
  });

  test('either place, not both', async () => {
    expect(await loadPolicy(folder({}))).toBe(NO_POLICY);
    expect((await loadPolicy(folder({ 'agentgate.yml': 'version: 1' }))).file).toBe('agentgate.yml');
    const deep = folder({ '.github/agentgate.yml': 'version: 1\nfail-on: never\n' });
    expect(await loadPolicy(deep)).toMatchObject({ file: '.github/agentgate.yml', failOn: 'never' });
    const both = folder({ 'agentgate.yml': 'version: 1', '.github/agentgate.yml': 'version: 1' });
    await expect(loadPolicy(both)).rejects.toMatchObject({ code: 'E_POLICY_TWICE' });
  });
});

describe('the published schema', () => {
  const file = resolve(import.meta.dirname, '../../schema/agentgate.schema.json');
  const validate = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    validateFormats: false,
  }).compile(JSON.parse(readFileSync(file, 'utf8')));
  const data = (text: string): unknown => JSON.parse(JSON.stringify(plain(parseYaml(text, 'agentgate.yml'))));

  test('accepts what the reader accepts', () => {
    expect(validate(data(FULL.replace('  __proto__: { timeout: 5 }\n', '')))).toBe(true);
    expect(validate(data('version: 1'))).toBe(true);
  });

  test.each(BAD.filter(([, , , , , schema]) => schema !== false))('refuses %s', (_, text) => {
    expect(validate(data(text))).toBe(false);
  });
});

test.skipIf(process.platform === 'win32')(
  'a pipe in the place of the policy is refused, not waited for',
  async () => {
    const cwd = folder({});
    execFileSync('mkfifo', [join(cwd, 'agentgate.yml')]);
    await expect(loadPolicy(cwd)).rejects.toMatchObject({ code: 'E_CONFIG_READ' });
  },
);

test.each(['\\u200b', '\\u2060 \\u00ad', '...', '-'])(
  'a reason that says nothing is none: "%s"',
  (reason) => {
    const text = `version: 1\nsuppress:\n  - { rule: AG-TP-001, reason: "${reason}" }\n`;
    expect(() => parsePolicy(text, 'agentgate.yml')).toThrow('must be a reason in words');
  },
);
