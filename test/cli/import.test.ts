import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Report, reportSchema } from '../../src/report/model.ts';
import { config, type Files, launch, type Project, project, type Ran, tool } from './support.ts';

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Definition = { [key: string]: Value };

interface Surface {
  instructions?: string;
  tools?: Definition[];
  prompts?: Definition[];
  resources?: Definition[];
  resourceTemplates?: Definition[];
}

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The value with keys in order, which is how both programs hash it; written apart from the product's own code. */
function sorted(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => sorted(item, change));
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [change(key), sorted(value[key] ?? null, change)]));
}

function toolprintRecord({ _meta, ...definition }: Definition): object {
  const hash = `sha256:${hex(JSON.stringify(sorted(definition, (text) => text.normalize('NFC'))))}`;
  return { hash, description: definition.description };
}

/** What toolprint writes of a surface. */
function toolprintServer(surface: Surface, source?: string): object {
  const by = (list: Definition[] | undefined, key: string): object =>
    Object.fromEntries((list ?? []).map((one) => [String(one[key]), toolprintRecord(one)]));
  return {
    transport: 'stdio',
    source,
    tools: by(surface.tools, 'name'),
    prompts: by(surface.prompts, 'name'),
    resources: by(surface.resources, 'uri'),
    resourceTemplates: by(surface.resourceTemplates, 'name'),
    skills: {},
  };
}

function toolprint(servers: { [key: string]: object }): object {
  return { lockfileVersion: 1, toolprintVersion: '0.4.1', generatedAt: '2026-08-22T17:50:55.843Z', servers };
}

/** What mcp-agentgate writes of a surface; JSON.stringify of sorted keys is its canonical form as long as no key is a number. */
function agentgateServer(surface: Surface): { surfaceHash: string; tools: object[] } {
  const tools = (surface.tools ?? []).map((one) => ({
    name: String(one.name),
    nameHash: hex(String(one.name)),
    descriptionHash: hex(String(one.description ?? '')),
    inputSchemaHash: hex(JSON.stringify(sorted(one.inputSchema ?? {}, (text) => text))),
  }));
  tools.sort((a, b) => a.name.localeCompare(b.name));
  const rows = tools.map((one) => [one.nameHash, one.descriptionHash, one.inputSchemaHash]);
  return { surfaceHash: hex(JSON.stringify(rows)), tools };
}

function agentgate(servers: { [key: string]: object }, files?: { [path: string]: string }): object {
  const head = { generatedBy: 'mcp-agentgate@0.67.0', generatedAt: '2026-08-18T00:00:00.000Z', servers };
  if (files === undefined) return { lockfileVersion: 1, ...head };
  return {
    lockfileVersion: 2,
    ...head,
    skills: { surfaceHash: hex(JSON.stringify(sorted(files, (x) => x))), files },
  };
}

const SURFACE: Surface = {
  tools: [
    tool('look') as Definition,
    tool('find', {
      title: 'Find it',
      description: 'Finds cafe\u0301s.',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object', properties: { b: {}, a: {} } },
    }) as Definition,
  ],
  prompts: [{ name: 'ask', description: 'Asks.' }],
  resources: [{ uri: 'file:///a', name: 'a', size: 10 }],
  resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 'any' }],
};

const LAUNCH = launch('surface-server.mjs', 'alpha.json');
const SOURCE = [LAUNCH.command, ...LAUNCH.args].join(' ');

function repository(surface: Surface, more: Files): Project {
  return project({ '.mcp.json': config({ alpha: LAUNCH }), 'alpha.json': surface, ...more });
}

function run(repo: Project, command: string, ...args: string[]): Promise<Ran> {
  return repo.run([command, ...args, '--isolation', 'none', '--starts', '1']);
}

async function report(
  repo: Project,
  command: string,
  ...args: string[]
): Promise<Report & { stderr: string }> {
  const ran = await run(repo, command, ...args, '--format', 'json');
  const parsed = reportSchema.parse(JSON.parse(ran.stdout));
  expect(ran.code).toBe(parsed.exitCode);
  return { ...parsed, stderr: ran.stderr };
}

interface WrittenServer {
  [list: string]: { [name: string]: { [member: string]: unknown } };
}

function written(repo: Project, key = 'alpha'): WrittenServer {
  return JSON.parse(repo.read('agentgate.lock')).servers[key];
}

describe('a lock of toolprint', () => {
  test('all matches: all is pinned, and the next check is clean', async () => {
    const repo = repository(SURFACE, {
      'toolprint.lock': toolprint({ alpha: toolprintServer(SURFACE, SOURCE) }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported).toMatchObject({ verdict: 'clean', exitCode: 0, changes: [] });
    expect(imported.stderr).toContain('agentgate.lock written: 5 capabilities match and are pinned.');
    const server = written(repo);
    expect(server.tools?.find).toMatchObject({
      definition: { title: 'Find it' },
      definitionHash: expect.any(String),
    });
    expect(Object.keys(server.resources ?? {})).toEqual(['file:///a']);
    expect(server.launch).toMatchObject({ args: LAUNCH.args });
    // Never looked at by toolprint.
    expect(server.instructions).toBeUndefined();
    const checked = await report(repo, 'ci');
    expect(checked).toMatchObject({ verdict: 'clean', exitCode: 0 });
    expect((await repo.run(['verify'])).code).toBe(0);
    // What is pinned is the same that a lock of our own pins.
    await run(repo, 'lock', '--lockfile', 'own.lock');
    const own = JSON.parse(repo.read('own.lock')).servers.alpha;
    for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates', 'launch'])
      expect(server[list]).toEqual(own[list]);
  });

  test('a template that is kept by its URI template is the same template', async () => {
    const theirs = toolprintServer(SURFACE, SOURCE) as { resourceTemplates: { [name: string]: object } };
    theirs.resourceTemplates = { 'file:///{x}': theirs.resourceTemplates.any as object };
    const repo = repository(SURFACE, { 'toolprint.lock': toolprint({ alpha: theirs }) });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported).toMatchObject({ verdict: 'clean', exitCode: 0, changes: [] });
    expect(Object.keys(written(repo).resourceTemplates ?? {})).toEqual(['file:///{x}']);
  });

  test('what differs is shown, in words where the old lock has them, and stays unpinned', async () => {
    const before: Surface = {
      ...SURFACE,
      tools: [
        tool('look', { description: 'Looks around.' }) as Definition,
        { ...(SURFACE.tools?.[1] as Definition), annotations: { readOnlyHint: false } },
        tool('gone') as Definition,
      ],
      prompts: [],
    };
    const repo = repository(SURFACE, {
      'toolprint.lock': toolprint({ alpha: toolprintServer(before, SOURCE) }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported).toMatchObject({ verdict: 'drift', exitCode: 1 });
    expect(imported.servers).toMatchObject([{ key: 'alpha', status: 'drift' }]);
    const changes = imported.changes.map(({ kind, name, change, fields }) => [
      kind,
      name,
      change,
      fields.map(({ pointer }) => pointer),
    ]);
    expect(changes).toEqual([
      ['prompt', 'ask', 'added', ['/description']],
      ['tool', 'find', 'changed', ['']],
      ['tool', 'look', 'changed', ['/description']],
      ['tool', 'gone', 'removed', ['']],
    ]);
    expect(imported.changes[2]?.fields[0]).toMatchObject({ before: 'Looks around.', after: 'Does look.' });
    const server = written(repo);
    expect([server.tools, server.prompts]).toEqual([{}, {}]);
    expect(Object.keys(server.resources ?? {})).toEqual(['file:///a']);
    const checked = await report(repo, 'ci');
    expect(checked.changes.map(({ name, change }) => [name, change]).sort()).toEqual([
      ['ask', 'added'],
      ['find', 'added'],
      ['look', 'added'],
    ]);
  });

  test('`_meta`, which it leaves out, is not pinned with the rest', async () => {
    const surface: Surface = {
      tools: [tool('look', { _meta: { 'anthropic/alwaysLoad': true } }) as Definition],
    };
    const repo = repository(surface, {
      'toolprint.lock': toolprint({ alpha: toolprintServer(surface, SOURCE) }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported.exitCode).toBe(0);
    expect(imported.info).toMatchObject([
      { code: 'imported' },
      { code: 'not-vouched', message: expect.stringContaining('_meta') },
    ]);
    expect(written(repo).tools?.look).not.toHaveProperty('meta');
    const checked = await report(repo, 'ci');
    expect(checked.changes).toMatchObject([
      { name: 'look', fields: [{ pointer: '/_meta/anthropic~1alwaysLoad' }] },
    ]);
  });

  test('another command behind the name is shown, and its launch stays unpinned', async () => {
    const repo = repository(SURFACE, {
      'toolprint.lock': toolprint({
        alpha: toolprintServer(SURFACE, 'npx -y alpha --key sk-live-abcdefghijklmnop'),
      }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported).toMatchObject({ verdict: 'drift', exitCode: 1 });
    expect(imported.changes).toMatchObject([
      { kind: 'server', change: 'changed', fields: [{ pointer: '/launch', class: 'launch-changed' }] },
    ]);
    expect(written(repo)).not.toHaveProperty('launch');
    expect(Object.keys(written(repo).tools ?? {})).toEqual(['find', 'look']);
  });

  test('keys that are numbers, by the documented rule and as a plain object has them', async () => {
    const schema = { type: 'object', properties: { '10': { type: 'string' }, '9': { type: 'number' } } };
    const surface: Surface = { tools: [tool('count', { inputSchema: schema }) as Definition] };
    const [definition] = surface.tools ?? [];
    // "10" is before "9" by code unit.
    const documented = JSON.stringify(sorted(definition ?? {}, (text) => text)).replace(
      '"9":{"type":"number"},"10":{"type":"string"}',
      '"10":{"type":"string"},"9":{"type":"number"}',
    );
    const server = toolprintServer(surface, SOURCE) as { tools: { count: { hash: string } } };
    expect(server.tools.count.hash).not.toBe(`sha256:${hex(documented)}`);
    for (const hash of [server.tools.count.hash, `sha256:${hex(documented)}`]) {
      const repo = repository(surface, {
        'toolprint.lock': toolprint({ alpha: { ...server, tools: { count: { hash } } } }),
      });
      expect((await report(repo, 'import', 'toolprint.lock')).exitCode).toBe(0);
    }
  });

  test('skills: front matter and body, as it hashes them', async () => {
    const skill = '---\nname: pdf\ndescription: "Makes PDFs."\n---\n\n# PDF\n';
    const record = toolprintRecord({
      name: 'pdf',
      path: 'pdf/SKILL.md',
      description: 'Makes PDFs.',
      frontmatter: 'name: pdf\ndescription: "Makes PDFs."\n',
      instructions: '\n# PDF\n',
    });
    const skills = { transport: 'skills', source: '.claude/skills', skills: { pdf: record, gone: record } };
    const home = { transport: 'skills', source: '~/.claude/skills', skills: {} };
    const repo = project({
      '.claude/skills/pdf/SKILL.md': skill,
      '.claude/skills/more/SKILL.md': skill.replace('name: pdf', 'name: more'),
      'toolprint.lock': toolprint({ 'skills:.claude/skills': skills, 'skills:~/.claude/skills': home }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported.exitCode).toBe(1);
    expect(imported.changes.map(({ name, change }) => [name, change])).toEqual([
      ['more', 'added'],
      ['gone', 'removed'],
    ]);
    expect(imported.servers.map(({ key, status }) => [key, status])).toEqual([
      ['skills:.claude/skills', 'drift'],
      ['skills:~/.claude/skills', 'skipped'],
    ]);
    const pinned = written(repo, 'skills:.claude/skills').skills;
    expect(Object.keys(pinned ?? {})).toEqual(['pdf']);
    expect(pinned?.pdf).toHaveProperty('bundleHash');
  });

  test('a skill with further files: only its SKILL.md is vouched for', async () => {
    const record = toolprintRecord({
      name: 'pdf',
      path: 'pdf/SKILL.md',
      frontmatter: 'name: pdf\n',
      instructions: '',
    });
    const repo = project({
      'own/pdf/SKILL.md': '---\nname: pdf\n---\n',
      'own/pdf/run.sh': 'echo\n',
      'toolprint.lock': toolprint({ 'skills:own': { transport: 'skills', skills: { pdf: record } } }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported.exitCode).toBe(0);
    expect(imported.info).toContainEqual(
      expect.objectContaining({
        code: 'not-vouched',
        message: expect.stringContaining('other files of skills'),
      }),
    );
    expect(Object.keys(written(repo, 'skills:own').skills?.pdf ?? {})).toEqual(['definition', 'hash']);
    const checked = await report(repo, 'ci', '--skills', 'own');
    expect(checked).toMatchObject({ verdict: 'clean', info: [{ code: 'not-pinned' }] });
  });
});

describe('a lock of npm mcp-agentgate', () => {
  test('name, description and input schema are vouched for, nothing else', async () => {
    const repo = repository(SURFACE, { 'old.lock': agentgate({ alpha: agentgateServer(SURFACE) }) });
    const imported = await report(repo, 'import', 'old.lock');
    expect(imported).toMatchObject({ verdict: 'clean', exitCode: 0 });
    const server = written(repo);
    expect(server.tools?.look).toHaveProperty('definition');
    expect(Object.keys(server.tools?.find ?? {})).toEqual([
      'descriptionHash',
      'hash',
      'inputSchemaHash',
      'nameHash',
    ]);
    for (const list of ['prompts', 'resources', 'launch', 'source']) expect(server).not.toHaveProperty(list);
    const checked = await report(repo, 'ci');
    expect(checked).toMatchObject({ verdict: 'clean', exitCode: 0 });
    expect(new Set(checked.info.map(({ code }) => code))).toEqual(new Set(['not-pinned']));
  });

  test('the part that differs is named', async () => {
    const before: Surface = {
      tools: [
        tool('look', { description: 'Looks around.' }) as Definition,
        tool('find', { ...SURFACE.tools?.[1], inputSchema: { type: 'object' } }) as Definition,
      ],
    };
    const repo = repository(SURFACE, { 'old.lock': agentgate({ alpha: agentgateServer(before) }) });
    const imported = await report(repo, 'import', 'old.lock');
    expect(imported.exitCode).toBe(1);
    expect(imported.changes.map(({ name, fields }) => [name, fields.map(({ pointer }) => pointer)])).toEqual([
      ['find', ['/inputSchema']],
      ['look', ['/description']],
    ]);
    expect(imported.changes[1]?.fields[0]).toMatchObject({ beforeUnknown: true, after: 'Does look.' });
    // Nothing matches, so nothing is written.
    expect(repo.has('agentgate.lock')).toBe(false);
  });

  test('agentgate.lock itself is replaced with a yes only, and only when all could be verified', async () => {
    const old = agentgate({ alpha: agentgateServer(SURFACE) });
    const repo = repository(SURFACE, { 'agentgate.lock': old });
    const text = repo.read('agentgate.lock');
    const asked = await run(repo, 'import', 'agentgate.lock');
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('--yes');
    expect(repo.read('agentgate.lock')).toBe(text);
    repo.write({ '.mcp.json': config({ alpha: LAUNCH, broken: launch('surface-server.mjs', 'none.json') }) });
    const unverified = await run(repo, 'import', 'agentgate.lock', '--yes');
    expect(unverified.code).toBe(2);
    expect(unverified.stderr).toContain('E_IMPORT_UNVERIFIED');
    expect(repo.read('agentgate.lock')).toBe(text);
    repo.write({ '.mcp.json': config({ alpha: LAUNCH }) });
    expect((await run(repo, 'import', 'agentgate.lock', '--yes')).code).toBe(0);
    expect(JSON.parse(repo.read('agentgate.lock'))).toMatchObject({
      lockfileVersion: 1,
      agentgateVersion: expect.any(String),
    });
    const again = await run(repo, 'import', 'agentgate.lock', '--yes');
    expect(again.stderr).toContain('E_IMPORT_OWN');
    expect((await report(repo, 'ci')).exitCode).toBe(0);
  });

  test('version 2: the SKILL.md of skills, other files are named', async () => {
    const skill = '---\nname: a\ndescription: A \u00e9.\n---\nbody\n';
    const repo = repository(SURFACE, {
      '.claude/skills/a/SKILL.md': skill,
      '.agents/skills/b/SKILL.md': skill,
      'old.lock': agentgate(
        { alpha: agentgateServer(SURFACE) },
        {
          '.claude/skills/a/SKILL.md': hex(skill),
          '.agents/skills/b/SKILL.md': hex('another text'),
          '.cursor/rules/x.mdc': hex('x'),
        },
      ),
    });
    const imported = await report(repo, 'import', 'old.lock');
    expect(imported.exitCode).toBe(1);
    expect(imported.changes).toMatchObject([
      { server: 'skills:.agents/skills', name: 'b', change: 'changed' },
    ]);
    expect(imported.info).toContainEqual({
      code: 'not-imported',
      message: '1 file of the imported lock is no skill and stays unpinned: ".cursor/rules/x.mdc"',
    });
    expect(written(repo, 'skills:.claude/skills').skills?.a).toHaveProperty('bundleHash');
    expect(written(repo, 'skills:.agents/skills').skills).toEqual({});
  });
});

describe('servers', () => {
  test('one that fails makes the import incomplete; the others are pinned', async () => {
    const repo = project({
      '.mcp.json': config({ alpha: LAUNCH, broken: launch('surface-server.mjs', 'none.json') }),
      'alpha.json': SURFACE,
      'toolprint.lock': toolprint({
        alpha: toolprintServer(SURFACE, SOURCE),
        broken: toolprintServer(SURFACE),
      }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported).toMatchObject({ verdict: 'unchecked', exitCode: 2 });
    expect(Object.keys(JSON.parse(repo.read('agentgate.lock')).servers)).toEqual(['alpha']);
  });

  test('only declared here, and only locked there', async () => {
    const repo = project({
      '.mcp.json': config({ alpha: LAUNCH, fresh: LAUNCH }),
      'alpha.json': SURFACE,
      'toolprint.lock': toolprint({
        alpha: toolprintServer(SURFACE, SOURCE),
        retired: toolprintServer(SURFACE),
      }),
    });
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported.exitCode).toBe(1);
    expect(imported.servers.map(({ key, status }) => [key, status])).toEqual([
      ['alpha', 'match'],
      ['fresh', 'new'],
      ['retired', 'gone'],
    ]);
    expect(Object.keys(JSON.parse(repo.read('agentgate.lock')).servers)).toEqual(['alpha']);
  });

  test('what AgentGate pins already stays as it is', async () => {
    const repo = repository(SURFACE, { 'toolprint.lock': toolprint({ alpha: toolprintServer({}) }) });
    await run(repo, 'lock');
    const before = repo.read('agentgate.lock');
    const { mtimeMs } = statSync(join(repo.dir, 'agentgate.lock'));
    const imported = await report(repo, 'import', 'toolprint.lock');
    expect(imported.servers).toMatchObject([
      { key: 'alpha', status: 'skipped', reason: expect.stringContaining('already') },
    ]);
    expect(imported.stderr).toContain('Nothing to import');
    expect(repo.read('agentgate.lock')).toBe(before);
    expect(statSync(join(repo.dir, 'agentgate.lock')).mtimeMs).toBe(mtimeMs);
  });
});

describe('what is no lock to import', () => {
  const server = agentgateServer(SURFACE);
  test.each([
    ['no file', undefined, 'E_IMPORT_MISSING'],
    ['no JSON', '{', 'E_IMPORT_INVALID'],
    ['a list', '[]', 'E_IMPORT_INVALID'],
    ['something else', '{}', 'E_IMPORT_UNKNOWN'],
    [
      'our own',
      JSON.stringify({ agentgateVersion: '0.1.0', lockfileVersion: 1, servers: {} }),
      'E_IMPORT_OWN',
    ],
    ['a newer toolprint', JSON.stringify({ ...toolprint({}), lockfileVersion: 2 }), 'E_IMPORT_NEWER'],
    ['one without a version', '{"toolprintVersion":"0.1.0","servers":{}}', 'E_IMPORT_INVALID'],
    ['a newer mcp-agentgate', JSON.stringify({ ...agentgate({}), lockfileVersion: 3 }), 'E_IMPORT_NEWER'],
    [
      'a hash that is none',
      JSON.stringify(toolprint({ alpha: { tools: { a: { hash: 'sha256:abc' } } } })),
      'E_IMPORT_INVALID',
    ],
    ['a server that is no object', JSON.stringify(toolprint({ alpha: [] })), 'E_IMPORT_INVALID'],
    ['tools that are no list', JSON.stringify(agentgate({ alpha: { tools: {} } })), 'E_IMPORT_INVALID'],
    [
      'a key twice',
      '{"toolprintVersion":"1","lockfileVersion":1,"servers":{"a":{},"a":{}}}',
      'E_IMPORT_INVALID',
    ],
    [
      'a name that does not fit its hash',
      JSON.stringify(agentgate({ alpha: { ...server, tools: [{ ...server.tools[0], name: 'other' }] } })),
      'E_IMPORT_EDITED',
    ],
    [
      'a tool that was taken out',
      JSON.stringify(agentgate({ alpha: { ...server, tools: server.tools.slice(1) } })),
      'E_IMPORT_EDITED',
    ],
  ])('%s', async (_, text, code) => {
    const repo = repository(SURFACE, text === undefined ? {} : { 'old.lock': text });
    const ran = await run(repo, 'import', 'old.lock');
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(new RegExp(`^agentgate: .+ \\(${code}\\)\\n$`));
    expect(repo.has('agentgate.lock')).toBe(false);
  });

  test('a lock that is there and cannot be read is never written over', async () => {
    const repo = repository(SURFACE, {
      'agentgate.lock': '{ broken',
      'toolprint.lock': toolprint({ alpha: toolprintServer(SURFACE, SOURCE) }),
    });
    expect((await run(repo, 'import', 'toolprint.lock')).stderr).toContain('E_LOCK_SYNTAX');
    expect(repo.read('agentgate.lock')).toBe('{ broken');
  });
});
