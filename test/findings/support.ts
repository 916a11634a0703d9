import type { DeclaredServer, Launch } from '../../src/config/types.ts';
import type { CapabilityRecord, LockedServer, SkillFile } from '../../src/lock/types.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';
import { isObject } from '../../src/util/json.ts';

/** A recorded or made-up surface: lists of raw definitions. */
export interface RawSurface {
  tools?: JsonObject[];
  prompts?: JsonObject[];
  resources?: JsonObject[];
  resourceTemplates?: JsonObject[];
  skills?: { name: string; definition: JsonObject; files?: Map<string, SkillFile> }[];
  instructions?: string;
  source?: LockedServer['source'];
}

function records(list: JsonObject[] | undefined, key: string): Map<string, CapabilityRecord> {
  return new Map(
    (list ?? []).map((raw) => {
      const { _meta: meta, ...definition } = raw;
      return [String(raw[key]), { hash: '', definition, ...(meta === undefined ? {} : { meta }), extra: {} }];
    }),
  );
}

/** The surface as the lock holds it; hashes are of no interest here. */
export function locked(surface: RawSurface): LockedServer {
  return {
    tools: records(surface.tools, 'name'),
    prompts: records(surface.prompts, 'name'),
    resources: records(surface.resources, 'uri'),
    resourceTemplates: records(surface.resourceTemplates, 'uriTemplate'),
    skills: new Map(
      (surface.skills ?? []).map(({ name, ...skill }) => [name, { hash: '', ...skill, extra: {} }]),
    ),
    instructions:
      surface.instructions === undefined ? null : { hash: '', text: surface.instructions, extra: {} },
    ...(surface.source ? { source: surface.source } : {}),
    extra: {},
  };
}

/** A tool with one text parameter. */
export function tool(name: string, description: string, more: JsonObject = {}): JsonObject {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
    ...more,
  };
}

/** A tool with the given properties. */
export function withProperties(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { name: 'add_numbers', description: 'Adds.', inputSchema: { type: 'object', properties, ...more } };
}

export function declared(
  launch: Partial<Launch> & { transport?: Launch['transport'] },
  key = 's',
): DeclaredServer {
  const full: Launch =
    'url' in launch && launch.url !== undefined
      ? { transport: 'http', headers: new Map(), variableHeaders: new Map(), ...(launch as { url: string }) }
      : { transport: 'stdio', command: 'node', args: [], env: new Map(), passEnv: [], ...(launch as object) };
  return {
    key,
    name: key,
    client: 'claude-code',
    config: '.mcp.json',
    alsoIn: [],
    line: 3,
    column: 5,
    root: '/nowhere',
    launch: full,
  };
}

/** The value at a pointer of a JSON document, keys included. */
export function at(document: Json, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const token of tokens) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}
