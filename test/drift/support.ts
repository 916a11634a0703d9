import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surface } from '../../src/capture/types.ts';
import type { LaunchRecord, Source } from '../../src/config/types.ts';
import { type Comparison, compareServer } from '../../src/drift/compare.ts';
import type { Change, FieldChange } from '../../src/drift/types.ts';
import { pinSurface } from '../../src/lock/pin.ts';
import type { LockedServer } from '../../src/lock/types.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { sharedDir } from '../support/shared.ts';

export interface Parts {
  tools?: Json[];
  prompts?: Json[];
  resources?: Json[];
  resourceTemplates?: Json[];
  instructions?: Json;
  protocolVersion?: string;
  transport?: Surface['transport'];
  launch?: LaunchRecord;
  source?: Source;
}

/** A surface as the lock would hold it. */
export function pinned(parts: Parts): LockedServer {
  const surface: Surface = {
    protocolVersion: parts.protocolVersion ?? '2025-11-25',
    transport: parts.transport ?? 'stdio',
    ...(parts.instructions !== undefined && { instructions: parts.instructions }),
    tools: parts.tools ?? [],
    prompts: parts.prompts ?? [],
    resources: parts.resources ?? [],
    resourceTemplates: parts.resourceTemplates ?? [],
    asked: [],
  };
  const { entry, problems } = pinSurface(surface, {
    server: 'one',
    paths: { cwd: '/nowhere/work', home: '/nowhere/home', tmpdir: '/nowhere/tmp' },
    policy: {
      env: new Map(),
      passEnv: [],
      resources: 'pin',
      home: 'private',
      network: 'inherit',
      volatile: [],
    },
    launch: parts.launch ?? { command: 'npx', args: ['-y', 'tool-server@1.0.0'] },
    source: parts.source ?? { type: 'npm', package: 'tool-server', version: '1.0.0' },
    config: '.mcp.json',
  });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return entry;
}

/** Both surfaces pinned and compared as lock against live. */
export function compared(before: Parts, after: Parts): Comparison {
  return compareServer('one', pinned(before), pinned(after), { accepted: false });
}

/** The lines `class pointer` of all fields, in order. */
export function lines(fields: readonly FieldChange[]): string[] {
  return fields.map((field) => `${field.class} ${field.pointer}`);
}

export function changeOf(changes: readonly Change[], name: string): Change {
  const change = changes.find((each) => each.name === name);
  if (!change) throw new Error(`no change of ${name} among ${changes.map((each) => each.name).join(', ')}`);
  return change;
}

/** The folder of recorded surfaces, or undefined where there is none. */
export function surfacesDir(): string | undefined {
  const shared = sharedDir();
  return shared === undefined ? undefined : join(shared, 'surfaces');
}

/** A recorded surface of a real release, pinned. */
export function recorded(name: string, version: string): LockedServer {
  const folder = surfacesDir();
  if (folder === undefined) throw new Error('there are no recorded surfaces here');
  const raw = JSON.parse(
    readFileSync(join(folder, `${name.replace('/', '__')}@${version}.json`), 'utf8'),
  ) as JsonObject;
  const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
  return pinned({
    tools: list(raw.tools),
    prompts: list(raw.prompts),
    resources: list(raw.resources),
    resourceTemplates: list(raw.resourceTemplates),
    ...(raw.instructions !== undefined && { instructions: raw.instructions }),
    ...(typeof raw.protocolVersion === 'string' && { protocolVersion: raw.protocolVersion }),
    launch: { command: 'npx', args: ['-y', `${name}@${version}`] },
    source: { type: 'npm', package: name, version },
  });
}
