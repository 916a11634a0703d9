import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type JsonObject, own, pointerTokens } from '../../src/util/json.ts';
import { config, Project } from '../cli/support.ts';
import { jcs, pick, sha, toNfc } from '../lock/independent.ts';
import { NODE } from '../support/own-node.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir();
const folder = join(shared ?? '', 'surfaces');
const files = shared === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));
const OPTIONS = ['--starts', '1', '--isolation', 'none', '--quiet', '--fail-on', 'never'];

interface Recorded {
  instructions?: string;
  tools?: JsonObject[];
  prompts?: JsonObject[];
}

interface Entry {
  tools: { [name: string]: { [field: string]: Json } };
  prompts: { [name: string]: { [field: string]: Json } };
  toolSurfaceHash: string;
  instructions: { hash: string } | null;
}

function recorded(file: string): Recorded {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
}

function servers(...flags: string[]): object {
  const peer = join(shared ?? '', 'peers/replay-server.mjs');
  return config(
    Object.fromEntries(
      files.map((file) => [keyOf(file), { command: NODE, args: [peer, join(folder, file), ...flags] }]),
    ),
  );
}

function keyOf(file: string): string {
  return file.replace(/\.json$/, '');
}

/** Releases of one package, in their order: `[older, newer]`. */
function pairs(): [string, string][] {
  const byPackage = new Map<string, string[]>();
  for (const file of files) {
    const key = keyOf(file);
    const name = key.slice(0, key.lastIndexOf('@'));
    byPackage.set(name, [...(byPackage.get(name) ?? []), key]);
  }
  return [...byPackage.values()].flatMap((keys) => {
    const sorted = keys.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    return sorted.slice(1).map((key, index): [string, string] => [sorted[index] ?? '', key]);
  });
}

describe.skipIf(files.length === 0)('recorded surfaces (../shared/surfaces), each as a real server', () => {
  let repo: Project;
  let lock: { servers: { [key: string]: Entry } };

  beforeAll(async () => {
    repo = new Project({ '.mcp.json': servers() });
    const ran = await repo.run(['lock', ...OPTIONS]);
    expect(ran.stderr + ran.stdout).toContain(`${files.length} new servers`);
    expect(ran.code).toBe(0);
    lock = JSON.parse(repo.read('agentgate.lock'));
  });
  afterAll(() => repo.remove());

  test.each(files)('%s: hashes as computed from the raw definitions', (file) => {
    const { tools = [], prompts = [], instructions } = recorded(file);
    const entry = lock.servers[keyOf(file)];
    expect(Object.keys(entry?.tools ?? {}).sort()).toEqual(tools.map((tool) => String(tool.name)).sort());
    for (const tool of tools) {
      const record = entry?.tools[String(tool.name)] ?? {};
      const member = (key: string): string | undefined =>
        Object.hasOwn(tool, key) ? sha(jcs(tool[key] as Json)) : undefined;
      const rest = pick(tool, (key) => key !== '_meta');
      expect(record).toMatchObject({
        hash: sha(jcs(pick(tool, (key) => ['name', 'description', 'inputSchema'].includes(key)))),
        definitionHash: sha(jcs(toNfc(rest))),
        definition: rest,
        nameHash: member('name'),
      });
      expect(record.descriptionHash).toBe(member('description'));
      expect(record.inputSchemaHash).toBe(member('inputSchema'));
      expect(record.metaHash).toBe(member('_meta'));
    }
    const names = tools.map((tool) => String(tool.name)).sort();
    expect(entry?.toolSurfaceHash).toBe(sha(jcs(names.map((name) => entry?.tools[name]?.hash ?? ''))));
    for (const prompt of prompts)
      expect(entry?.prompts[String(prompt.name)]?.hash).toBe(
        sha(jcs(toNfc(pick(prompt, (key) => key !== '_meta')))),
      );
    expect(entry?.instructions?.hash).toBe(
      instructions === undefined ? undefined : sha(jcs(instructions.normalize('NFC'))),
    );
  });

  test('a second lock leaves the file untouched', async () => {
    const path = join(repo.dir, 'agentgate.lock');
    const before = { text: repo.read('agentgate.lock'), mtime: statSync(path, { bigint: true }).mtimeNs };
    const ran = await repo.run(['lock', ...OPTIONS]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`${files.length} servers as pinned`);
    expect(repo.read('agentgate.lock')).toBe(before.text);
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(before.mtime);
  });

  test.each([['--page', '3'], ['--reverse']])('%s %s changes nothing but the launch', async (...flags) => {
    repo.write({ 'other.json': servers(...flags) });
    const args = ['lock', ...OPTIONS, '--config', 'other.json', '--lockfile', `${flags[0]}.lock`];
    expect((await repo.run(args)).code).toBe(0);
    const other = JSON.parse(repo.read(`${flags[0]}.lock`)) as typeof lock;
    const surfaces = (of: typeof lock): Json =>
      Object.fromEntries(
        Object.entries(of.servers).map(([key, entry]) => [
          key,
          pick(entry as unknown as JsonObject, (member) => !['launch', 'config'].includes(member)),
        ]),
      );
    expect(surfaces(other)).toEqual(surfaces(lock));
  });

  test('the next release differs in exactly the tools and fields that differ', async () => {
    const found = pairs();
    expect(found.length).toBeGreaterThan(20);
    const half = (side: 0 | 1): object => ({
      ...lock,
      servers: Object.fromEntries(
        found.map((pair) => [
          pair.join(' to '),
          pick(lock.servers[pair[side]] as unknown as JsonObject, (member) => member !== 'launch'),
        ]),
      ),
    });
    repo.write({ 'old.lock': half(0), 'new.lock': half(1) });
    const ran = await repo.run(['diff', 'old.lock', 'new.lock', '--format', 'json']);
    const report = JSON.parse(ran.stdout) as {
      changes: {
        server: string;
        kind: string;
        name: string;
        from?: string;
        change: string;
        fields: { pointer: string }[];
      }[];
    };
    for (const [older, newer] of found) {
      const key = `${older} to ${newer}`;
      const changes = report.changes.filter((change) => change.server === key && change.kind === 'tool');
      const renamed = changes.filter((change) => change.change === 'renamed');
      const before = toolsOf(older);
      const after = toolsOf(newer);
      for (const { from = '', name } of renamed) {
        expect([before.has(from), after.has(from), before.has(name), after.has(name)], key).toEqual([
          true,
          false,
          false,
          true,
        ]);
        before.delete(from);
        after.delete(name);
      }
      const named = (change: string): string[] =>
        changes.filter((one) => one.change === change).map((one) => one.name);
      expect(named('added').sort(), key).toEqual(
        [...after.keys()].filter((name) => !before.has(name)).sort(),
      );
      expect(named('removed').sort(), key).toEqual(
        [...before.keys()].filter((name) => !after.has(name)).sort(),
      );
      const expected = [...after].flatMap(([name, tool]) => {
        const old = before.get(name);
        const members = old === undefined ? [] : differing(old, tool);
        return members.length === 0 ? [] : [[name, members] as const];
      });
      const told = changes
        .filter((one) => one.change === 'changed')
        .map((one) => [
          one.name,
          [...new Set(one.fields.map((field) => pointerTokens(field.pointer)[0]))].sort(),
        ]);
      expect(told.sort(), key).toEqual(expected.sort());
    }
  });
});

function toolsOf(key: string): Map<string, JsonObject> {
  return new Map((recorded(`${key}.json`).tools ?? []).map((tool) => [String(tool.name), tool]));
}

/** Members of two tools that are not the same JSON, in any order of keys. */
function differing(before: JsonObject, after: JsonObject): string[] {
  const text = (tool: JsonObject, key: string): string | undefined => {
    const value = own(tool, key);
    return value === undefined ? undefined : jcs(toNfc(value));
  };
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => text(before, key) !== text(after, key))
    .sort();
}
