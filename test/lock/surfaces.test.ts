import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatLock } from '../../src/lock/format.ts';
import { parseLock } from '../../src/lock/read.ts';
import { type Json, type JsonObject, own } from '../../src/util/json.ts';
import { sharedDir } from '../support/shared.ts';
import { jcs, pick, sha, toNfc } from './independent.ts';
import { lockOf, pinned } from './support.ts';

const shared = sharedDir();
const folder = shared === undefined ? undefined : join(shared, 'surfaces');
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));

interface Recorded {
  protocolVersion: string;
  instructions?: string;
  tools?: JsonObject[];
  prompts?: JsonObject[];
  resources?: JsonObject[];
  resourceTemplates?: JsonObject[];
}

describe.skipIf(files.length === 0)('recorded surfaces of real servers (../shared/surfaces)', () => {
  // Without any, one name is still there to be skipped.
  it.each(files.length > 0 ? files : ['none'])('%s', (file) => {
    const recorded = JSON.parse(readFileSync(join(folder ?? '', file), 'utf8')) as Recorded;
    const { tools = [], prompts = [], resources = [], resourceTemplates = [], instructions } = recorded;
    const parts = { tools, prompts, resources, resourceTemplates, instructions };
    const entry = pinned(parts);

    for (const tool of tools) {
      const rest = pick(tool, (key) => key !== '_meta');
      const member = (key: string) => (Object.hasOwn(tool, key) ? sha(jcs(tool[key] as Json)) : undefined);
      const record = entry.tools?.get(String(tool.name));
      expect(record).toMatchObject({
        hash: sha(jcs(pick(tool, (key) => ['name', 'description', 'inputSchema'].includes(key)))),
        definitionHash: sha(jcs(toNfc(rest))),
        definition: rest,
      });
      expect(record?.nameHash).toBe(member('name'));
      expect(record?.descriptionHash).toBe(member('description'));
      expect(record?.inputSchemaHash).toBe(member('inputSchema'));
      expect(record?.metaHash).toBe(member('_meta'));
    }
    const names = tools.map((tool) => String(tool.name)).sort();
    expect(entry.toolSurfaceHash).toBe(sha(jcs(names.map((name) => entry.tools?.get(name)?.hash ?? ''))));
    for (const prompt of prompts)
      expect(entry.prompts?.get(String(prompt.name))?.hash).toBe(
        sha(jcs(toNfc(pick(prompt, (key) => key !== '_meta')))),
      );
    for (const resource of resources) {
      const kept = pick(resource, (key) => key !== '_meta' && key !== 'size') as JsonObject;
      const annotations = own(kept, 'annotations');
      if (annotations) kept.annotations = pick(annotations, (key) => key !== 'lastModified');
      expect(entry.resources?.get(String(resource.uri))?.hash).toBe(sha(jcs(toNfc(kept))));
    }
    expect(entry.resourceTemplates?.size).toBe(resourceTemplates.length);
    expect(entry.instructions?.hash).toBe(
      instructions === undefined ? undefined : sha(jcs(instructions.normalize('NFC'))),
    );

    const text = formatLock(lockOf({ s: entry }));
    expect(formatLock(parseLock(text, file))).toBe(text);
    const reversed = Object.fromEntries(
      Object.entries(parts).map(([key, list]) => [key, Array.isArray(list) ? list.toReversed() : list]),
    );
    expect(formatLock(lockOf({ s: pinned(reversed) }))).toBe(text);
  });
});
