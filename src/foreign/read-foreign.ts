import { readFile, stat } from 'node:fs/promises';
import type { CapabilityKind } from '../lock/types.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { describeProblem, scanJson } from '../util/strict-json.ts';
import { hexOf, mcpAgentgateSurface } from './mcp-agentgate.ts';
import type { ForeignLock, ForeignRecord, ForeignServer } from './types.ts';

/** Bytes. These locks hold hashes and descriptions, no schemas. */
const MAX_BYTES = 64 * 1024 * 1024;
const HEX = /^[0-9a-f]{64}$/;
const PREFIXED = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a lock of toolprint or of npm mcp-agentgate. `file` is the name to show. Throws `E_IMPORT_MISSING`,
 * `E_IMPORT_OWN` (a lock of AgentGate), `E_IMPORT_UNKNOWN`, `E_IMPORT_NEWER`, `E_IMPORT_INVALID` and `E_IMPORT_EDITED`.
 */
export async function readForeignLock(path: string, file: string): Promise<ForeignLock> {
  return parseForeignLock(await readText(path, file), file);
}

async function readText(path: string, file: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw invalid(file, 'is no regular file');
    if (stats.size > MAX_BYTES) throw invalid(file, `takes more than ${MAX_BYTES} bytes`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof AgentGateError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? messageOf(error)})`;
    throw new AgentGateError('E_IMPORT_MISSING', `${file} ${why}: name the lock to import.`, { file });
  }
}

/** As {@link readForeignLock}, of a text. */
function parseForeignLock(text: string, file: string): ForeignLock {
  const { value, problems } = scanJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const problem = problems[0];
  if (value === undefined || !isObject(value))
    throw invalid(file, problem?.message ?? 'is not a JSON object');
  if (problem !== undefined) throw invalid(file, `cannot be trusted: ${describeProblem(problem)}`);
  if (Object.hasOwn(value, 'agentgateVersion'))
    throw new AgentGateError('E_IMPORT_OWN', `${file} is a lock of AgentGate already: nothing to import.`, {
      file,
    });
  const sha256 = hexOf(text);
  if (Object.hasOwn(value, 'toolprintVersion')) return { ...toolprintLock(value, file), sha256 };
  if (Object.hasOwn(value, 'generatedBy')) return { ...mcpAgentgateLock(value, file), sha256 };
  throw new AgentGateError(
    'E_IMPORT_UNKNOWN',
    `${file} is neither a lock of toolprint nor of npm mcp-agentgate: name one of these.`,
    { file },
  );
}

function checkVersion(lock: JsonObject, newest: number, file: string): void {
  const version = own(lock, 'lockfileVersion');
  if (typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= newest) return;
  if (version === undefined) throw invalid(file, 'has no lockfileVersion');
  const shown = visibleLine(JSON.stringify(version).slice(0, 40));
  throw new AgentGateError(
    'E_IMPORT_NEWER',
    `${file} has lockfileVersion ${shown}, and this release imports up to ${newest}: use a newer release of AgentGate.`,
    { file },
  );
}

const TOOLPRINT_LISTS: readonly (readonly [string, CapabilityKind])[] = [
  ['tools', 'tool'],
  ['prompts', 'prompt'],
  ['resources', 'resource'],
  ['resourceTemplates', 'resourceTemplate'],
  ['skills', 'skill'],
];

type Read = Omit<ForeignLock, 'sha256'>;

function toolprintLock(lock: JsonObject, file: string): Read {
  checkVersion(lock, 1, file);
  const servers = new Map<string, ForeignServer>();
  for (const [key, server] of members(own(lock, 'servers') ?? {}, file, 'servers')) {
    const entry = object(server, file, `server ${key}`);
    const source = own(entry, 'source');
    const records: ForeignServer['records'] = new Map();
    for (const [list, kind] of TOOLPRINT_LISTS) {
      const listed = own(entry, list);
      // Lists that an older release did not write are empty to toolprint, but nobody reviewed them.
      if (listed === undefined) continue;
      const byName = new Map<string, ForeignRecord>();
      for (const [name, record] of members(listed, file, `${list} of ${key}`)) {
        const what = `${kind} ${name} of ${key}`;
        const { hash, description } = object(record, file, what);
        byName.set(name, {
          hash: hashText(hash, PREFIXED, file, what),
          ...(typeof description === 'string' && { description }),
        });
      }
      records.set(kind, byName);
    }
    servers.set(key, { records, ...(typeof source === 'string' && { source }) });
  }
  return { program: 'toolprint', servers };
}

function mcpAgentgateLock(lock: JsonObject, file: string): Read {
  checkVersion(lock, 2, file);
  const servers = new Map<string, ForeignServer>();
  for (const [key, server] of members(own(lock, 'servers') ?? {}, file, 'servers')) {
    const entry = object(server, file, `server ${key}`);
    const tools = own(entry, 'tools');
    if (!Array.isArray(tools)) throw invalid(file, `has no list of tools for the server ${key}`);
    const byName = new Map<string, ForeignRecord>();
    const rows: string[][] = [];
    for (const tool of tools) {
      const record = object(tool, file, `a tool of ${key}`);
      const name = own(record, 'name');
      if (typeof name !== 'string') throw invalid(file, `has a tool of ${key} without a name`);
      if (byName.has(name)) throw invalid(file, `has the tool ${name} of ${key} twice`);
      const [nameHash, descriptionHash, inputSchemaHash] = (
        ['nameHash', 'descriptionHash', 'inputSchemaHash'] as const
      ).map((member) => hashText(own(record, member), HEX, file, `${member} of tool ${name} of ${key}`)) as [
        string,
        string,
        string,
      ];
      if (nameHash !== hexOf(name)) throw edited(file, `tool ${name} of ${key}`);
      byName.set(name, { nameHash, descriptionHash, inputSchemaHash });
      rows.push([nameHash, descriptionHash, inputSchemaHash]);
    }
    if (own(entry, 'surfaceHash') !== mcpAgentgateSurface(rows)) throw edited(file, `server ${key}`);
    servers.set(key, { records: new Map([['tool', byName]]) });
  }
  const skills = own(lock, 'skills');
  if (skills === undefined) return { program: 'mcp-agentgate', servers };
  const files = new Map<string, string>();
  for (const [path, hash] of members(
    own(object(skills, file, 'skills'), 'files') ?? {},
    file,
    'skills.files',
  ))
    files.set(path, hashText(hash, HEX, file, `skills file ${path}`));
  return { program: 'mcp-agentgate', servers, files };
}

function members(value: Json, file: string, what: string): [string, Json][] {
  const found = object(value, file, what);
  return Object.keys(found).map((key) => [key, found[key] as Json]);
}

function object(value: Json, file: string, what: string): JsonObject {
  if (!isObject(value)) throw invalid(file, `has no object for ${what}`);
  return value;
}

function hashText(value: Json | undefined, form: RegExp, file: string, what: string): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw invalid(file, `has no SHA-256 hash for ${what}`);
}

function invalid(file: string, what: string): AgentGateError {
  const clause = visibleLine(what.slice(0, 400)).replace(/\.$/, '');
  return new AgentGateError('E_IMPORT_INVALID', `${file} ${clause}: restore it from git.`, { file });
}

function edited(file: string, what: string): AgentGateError {
  return new AgentGateError(
    'E_IMPORT_EDITED',
    `${file} was edited by hand, the hashes of ${visibleLine(what.slice(0, 300))} do not belong together: restore it from git.`,
    { file },
  );
}
