import type { LaunchRecord, Source } from '../config/types.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own, pointer, setOwn } from '../util/json.ts';
import type {
  CapabilityRecord,
  Hash,
  InstructionsRecord,
  Lock,
  LockedServer,
  SkillFile,
  ToolRecord,
} from './types.ts';

/** A lock whose JSON is fine and whose shape is not. */
export class ShapeError extends Error {
  readonly path: readonly string[];

  constructor(path: readonly string[], what: string) {
    super(`${path.length === 0 ? 'the lock' : visibleLine(pointer(...path))} ${what}`);
    this.name = 'ShapeError';
    this.path = path;
  }
}

const HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * The lock in a JSON value, `DESIGN.md` §3.1. Unknown members of the lock, of a server and of a capability go to
 * `extra`. Throws {@link ShapeError}.
 */
export function lockOf(value: JsonObject): Lock {
  const top = new Reader(value, []);
  const version = top.take('lockfileVersion');
  if (version === undefined) top.fail('has no lockfileVersion, so it is no lock of AgentGate');
  if (version !== 1) top.fail('is not 1', 'lockfileVersion');
  const servers = new Map<string, LockedServer>();
  const listed = top.object('servers');
  if (listed === undefined) top.fail('has no servers');
  else for (const key of Object.keys(listed)) servers.set(key, serverOf(own(listed, key), ['servers', key]));
  const agentgateVersion = top.string('agentgateVersion');
  const generatedAt = top.string('generatedAt');
  return {
    lockfileVersion: 1,
    ...(agentgateVersion !== undefined && { agentgateVersion }),
    ...(generatedAt !== undefined && { generatedAt }),
    servers,
    extra: top.rest(),
  };
}

function serverOf(value: Json | undefined, path: readonly string[]): LockedServer {
  const reader = Reader.of(value, path);
  const server: LockedServer = { extra: {} };
  for (const key of ['config', 'transport', 'protocolVersion'] as const) {
    const text = reader.string(key);
    if (text !== undefined) server[key] = text;
  }
  const launch = reader.object('launch');
  if (launch !== undefined) server.launch = launchOf(launch, [...path, 'launch']);
  const gate = reader.object('gate');
  if (gate !== undefined) server.gate = gate;
  const source = reader.object('source');
  if (source !== undefined) server.source = sourceOf(source, [...path, 'source']);
  const surface = reader.hash('toolSurfaceHash');
  if (surface !== undefined) server.toolSurfaceHash = surface;
  for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const) {
    const records = reader.object(list);
    if (records === undefined) continue;
    const map = new Map<string, ToolRecord>();
    for (const name of Object.keys(records))
      map.set(name, recordOf(own(records, name), [...path, list, name], list));
    server[list] = map;
  }
  const instructions = reader.take('instructions');
  if (instructions === null) server.instructions = null;
  else if (instructions !== undefined)
    server.instructions = instructionsOf(instructions, [...path, 'instructions']);
  server.extra = reader.rest();
  return server;
}

function recordOf(value: Json | undefined, path: readonly string[], list: string): ToolRecord {
  const reader = Reader.of(value, path);
  const record: ToolRecord = { ...common(reader), extra: {} };
  const definition = reader.object('definition');
  if (definition !== undefined) record.definition = definition;
  const meta = reader.take('meta');
  if (meta !== undefined) record.meta = meta;
  const hashes = list === 'tools' ? TOOL_HASHES : list === 'skills' ? SKILL_HASHES : CAPABILITY_HASHES;
  for (const key of hashes) {
    const hash = reader.hash(key);
    if (hash !== undefined) record[key] = hash;
  }
  const size = reader.take('contentSize');
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) record.contentSize = size;
  else if (size !== undefined) reader.fail('is no number of bytes', 'contentSize');
  const files = list === 'skills' ? reader.object('files') : undefined;
  if (files !== undefined)
    record.files = new Map(
      Object.keys(files).map((name) => [name, skillFileOf(own(files, name), [...path, 'files', name])]),
    );
  record.extra = reader.rest();
  return record;
}

const MODES = ['file', 'executable', 'link'] as const;

function skillFileOf(value: Json | undefined, path: readonly string[]): SkillFile {
  const reader = Reader.of(value, path);
  const hash = reader.hash('hash') ?? reader.fail('has no hash');
  const mode =
    MODES.find((each) => each === reader.string('mode')) ?? reader.fail('has no known mode', 'mode');
  const file: SkillFile = { hash, mode };
  for (const key of ['link', 'text', 'head'] as const) {
    const text = reader.string(key);
    if (text !== undefined) file[key] = text;
  }
  const size = reader.take('size');
  if (size !== undefined && (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0))
    reader.fail('is no number of bytes', 'size');
  if (size !== undefined) file.size = size as number;
  return file;
}

const CAPABILITY_HASHES = ['metaHash', 'contentHash'] as const;
const SKILL_HASHES = ['metaHash', 'bundleHash'] as const;
const TOOL_HASHES = [
  ...CAPABILITY_HASHES,
  'nameHash',
  'descriptionHash',
  'inputSchemaHash',
  'definitionHash',
] as const;

function instructionsOf(value: Json, path: readonly string[]): InstructionsRecord {
  const reader = Reader.of(value, path);
  const record: InstructionsRecord = { ...common(reader), extra: {} };
  const text = reader.string('text');
  if (text !== undefined) record.text = text;
  record.extra = reader.rest();
  return record;
}

function common(reader: Reader): Pick<CapabilityRecord, 'hash' | 'masked'> {
  const hash = reader.hash('hash');
  if (hash === undefined) return reader.fail('has no hash');
  const masked = reader.strings('masked') as CapabilityRecord['masked'];
  return { hash, ...(masked && { masked }) };
}

/** Members that this release does not know stay in the object. */
function launchOf(value: JsonObject, path: readonly string[]): LaunchRecord {
  const reader = new Reader(value, path);
  for (const key of ['command', 'cwd', 'url']) reader.string(key);
  for (const key of ['args', 'headers', 'env']) reader.strings(key);
  return value as LaunchRecord;
}

function sourceOf(value: JsonObject, path: readonly string[]): Source {
  const reader = new Reader(value, path);
  if (reader.string('type') === undefined) reader.fail('has no type');
  for (const key of ['kind', 'package', 'version', 'requested', 'integrity', 'url', 'path'])
    reader.string(key);
  reader.object('via');
  return value as unknown as Source;
}

/** Takes the known members of an object; `rest` gives the others. */
class Reader {
  private readonly value: JsonObject;
  private readonly path: readonly string[];
  private readonly taken = new Set<string>();

  constructor(value: JsonObject, path: readonly string[]) {
    this.value = value;
    this.path = path;
  }

  static of(value: Json | undefined, path: readonly string[]): Reader {
    if (!isObject(value)) throw new ShapeError(path, 'is not an object');
    return new Reader(value, path);
  }

  take(key: string): Json | undefined {
    this.taken.add(key);
    return own(this.value, key);
  }

  string(key: string): string | undefined {
    const value = this.take(key);
    if (value !== undefined && typeof value !== 'string') this.fail('is not a string', key);
    return value as string | undefined;
  }

  strings(key: string): string[] | undefined {
    const value = this.take(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
      this.fail('is not a list of strings', key);
    return value as string[];
  }

  object(key: string): JsonObject | undefined {
    const value = this.take(key);
    if (value !== undefined && !isObject(value)) this.fail('is not an object', key);
    return value as JsonObject | undefined;
  }

  hash(key: string): Hash | undefined {
    const value = this.string(key);
    if (value !== undefined && !HASH.test(value))
      this.fail('is not "sha256:" and 64 lower-case hexadecimal digits', key);
    return value;
  }

  rest(): JsonObject {
    const rest: JsonObject = {};
    for (const key of Object.keys(this.value))
      if (!this.taken.has(key)) setOwn(rest, key, this.value[key] as Json);
    return rest;
  }

  fail(what: string, ...below: string[]): never {
    throw new ShapeError([...this.path, ...below], what);
  }
}
