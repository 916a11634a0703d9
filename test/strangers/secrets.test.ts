import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, Project } from '../support/strangers/project.ts';

/** A token of no known format, a key with characters that every encoding changes, and a literal of a config. */
const SECRETS = {
  token: 'q7Zk93kQx8Yb2LmN4vTr',
  key: 'wJa/rXUtnF+MI0K7MDENG/bPxRfiCYz31pQ9aVx2',
  literal: 'ghp_1234567890abcdefABCDEF1234567890abcd',
};
const WHERE = ['stderr', 'noise', 'error', 'surface'];
const ECHO = resolve(import.meta.dirname, '../support/servers/echo-server.mjs');

/** Every form of a secret that is looked for, without white space. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const middle = Buffer.from(`x:${secret}`).toString('base64').slice(4, -4);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    middle,
  ];
}

/** In a surface a mark stands for it, elsewhere asterisks. */
const HIDDEN = /form 0 is (?:\*\*\*|\$\{SECRET:)/;

describe('secrets that a server was given and repeats in many forms', () => {
  let project: Project;
  beforeAll(() => {
    project = new Project(new Map());
    const servers: Record<string, object> = {};
    for (const where of WHERE) {
      for (const name of ['TOKEN', 'KEY'])
        servers[`${where}-${name.toLowerCase()}`] = {
          command: 'node',
          args: [ECHO, where],
          env: { SECRET: `\${${name}}` },
        };
      servers[`${where}-argument`] = { command: 'node', args: [ECHO, where, '${TOKEN}'] };
      servers[`${where}-literal`] = {
        command: 'node',
        args: [ECHO, where],
        env: { SECRET: SECRETS.literal },
      };
    }
    project.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
  });
  afterAll(() => project.remove());

  const env = { TOKEN: SECRETS.token, KEY: SECRETS.key };
  const refuse = (place: string, text: string): void => {
    // Split over lines, in JSON, in a diff: what remains without white space, escapes and marks.
    const packed = text.replace(/\\n|\\t|[\s+>|`'"]|⟨U\+[0-9A-F]{4}⟩/g, '');
    for (const [name, secret] of Object.entries(SECRETS))
      for (const form of formsOf(secret)) {
        const found = text.includes(form) || packed.includes(form.replaceAll('+', ''));
        expect(`${place}: ${name} ${found ? `as ${form}` : 'hidden'}`).toBe(`${place}: ${name} hidden`);
      }
  };

  it.each<[Entry, string[]]>([
    ['lock', []],
    ['ci', []],
    ['ci', ['--format', 'text', '--verbose']],
    ['ci', ['--format', 'markdown']],
    ['ci', ['--format', 'sarif']],
    ['action', []],
  ])('%s %j shows none of them', async (entry, args) => {
    const started = project.start(entry, {
      args,
      env: { ...env, 'INPUT_GITHUB-TOKEN': 'a-job-token-of-its-own' },
    });
    const ended = await started.ended;
    expect(ended.code).toBe(2);
    const log = entry === 'action' ? ended.stdout.replace(/^::add-mask::.*$/gm, '') : ended.stdout;
    refuse('stdout', log);
    refuse('stderr', ended.stderr);
    if (entry === 'action') refuse('report', JSON.stringify(started.report(ended)));
    // It did echo: the text around them is there.
    if (entry !== 'lock') expect(log).toMatch(HIDDEN);
    const lock = join(project.workspace, 'agentgate.lock');
    expect(existsSync(lock)).toBe(true);
    refuse('lock', readFileSync(lock, 'utf8'));
    expect(readFileSync(lock, 'utf8')).toMatch(HIDDEN);
  });

  it('is not blind: without the variables the echo is seen', async () => {
    project.write(
      '.mcp.json',
      JSON.stringify({ mcpServers: { a: { command: 'node', args: [ECHO, 'surface', 'plain-words'] } } }),
    );
    rmSync(join(project.workspace, 'agentgate.lock'));
    const { ended } = await project.run('lock');
    expect([ended.code, ended.stderr]).toEqual([2, expect.any(String)]);
    expect(project.read('agentgate.lock')).toContain('form 0 is plain-words so far');
  });
});
