import { hasHidden, visibleLine } from '../util/hidden.ts';
import { traitsOf } from './clients.ts';
import {
  type ArrayNode,
  type ConfigNode,
  invalid,
  member,
  memberAt,
  type ObjectNode,
  type Place,
  refuseDuplicates,
} from './config-node.ts';
import { problemOf } from './config-problem.ts';
import { readLaunch } from './entry-launch.ts';
import { EntryReader } from './entry-values.ts';
import type { ClientId, DeclaredInput, DeclaredServer, Launch, ParsedConfig } from './types.ts';

/** One file being read. */
export interface Reading {
  client: ClientId;
  file: string;
  /** Absolute workspace folder, plugin folder, working directory. */
  root: string;
  base?: string;
  cwd: string;
  inputs: Map<string, DeclaredInput>;
  /** For Gemini's `mcp.allowed` and `mcp.excluded`: why a name is switched off. */
  excluded?: (name: string) => string | undefined;
  result: ParsedConfig;
}

/** Longer names help nobody, and they are shown everywhere. */
const MAX_NAME = 200;

/** Reads an object of entries. Throws `E_CONFIG_INVALID` when it is none; errors of entries are collected. */
export function readServerMap(node: ConfigNode, what: string, reading: Reading): void {
  const { file } = reading;
  if (node.kind !== 'object')
    throw invalid(file, node.place, `${JSON.stringify(what)} must be an object of servers.`);
  const seen = new Map<string, Place>();
  const twice = new Set<string>();
  for (const { key, place, node: entry } of node.members) {
    collect(reading, key, () => {
      const first = seen.get(key);
      if (first) {
        twice.add(key);
        throw invalid(
          file,
          place,
          `${file} declares server ${JSON.stringify(key)} twice, first on line ${first.line}; remove one.`,
        );
      }
      seen.set(key, place);
      readEntry(key, place, entry, reading);
    });
  }
  dropServers(twice, reading);
}

/** Reads Continue's list, where each entry has a `name`. */
export function readServerList(node: ArrayNode, reading: Reading): void {
  const seen = new Map<string, Place>();
  const twice = new Set<string>();
  for (const [index, entry] of node.items.entries()) {
    const named = member(entry, 'name')?.node;
    const name = named?.kind === 'scalar' ? String(named.value) : `#${index + 1}`;
    collect(reading, name, () => {
      if (!named)
        throw invalid(reading.file, entry.place, `Entry ${index + 1} of "mcpServers" has no "name".`);
      const first = seen.get(name);
      if (first) {
        twice.add(name);
        throw invalid(
          reading.file,
          entry.place,
          `${reading.file} declares server ${JSON.stringify(name)} twice, first on line ${first.line}; remove one.`,
        );
      }
      seen.set(name, entry.place);
      readEntry(name, entry.place, entry, reading);
    });
  }
  dropServers(twice, reading);
}

/** Which of two entries of one name a client starts depends on its parser: neither is taken. */
function dropServers(names: ReadonlySet<string>, reading: Reading): void {
  if (names.size === 0) return;
  reading.result.servers = reading.result.servers.filter(({ name }) => !names.has(name));
}

function collect(reading: Reading, name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    reading.result.errors.push(problemOf(error, reading.file, name));
  }
}

function readEntry(name: string, place: Place, entry: ConfigNode, reading: Reading): void {
  const { file, client } = reading;
  checkName(name, place, file);
  const what = `Server ${JSON.stringify(name)}`;
  if (entry.kind !== 'object') throw invalid(file, entry.place, `${what} must be an object.`);
  refuseDuplicates(file, entry, what);
  const disabled = disabledText(name, entry, reading);
  if (client === 'zed' && member(entry, 'settings') && !member(entry, 'command') && !member(entry, 'url')) {
    // An extension of Zed brings the command; nothing here can start it.
    addServer(
      name,
      place,
      { transport: 'stdio', command: '', args: [], env: new Map(), passEnv: [] },
      reading,
      'started by a Zed extension, not by this config',
    );
    return;
  }
  const launch = readLaunch(entry, {
    client,
    file,
    root: reading.root,
    name,
    note: (code, message) =>
      reading.result.notes.push({ code, message, file, line: place.line, server: name }),
  });
  addServer(name, place, launch, reading, disabled);
}

/** Throws `E_CONFIG_INVALID` for a name that no lock or report can show. */
export function checkName(name: string, place: Place, file: string): void {
  if (name.trim() === '') throw invalid(file, place, `${file} has a server without a name.`);
  if (name.length > MAX_NAME)
    throw invalid(file, place, `${file} has a server name of over ${MAX_NAME} characters.`);
  if (hasHidden(name) || /[\n\r\t]/.test(name)) {
    throw invalid(
      file,
      place,
      `${file} has a server name with hidden characters: "${visibleLine(name)}"; rename it.`,
    );
  }
}

/** Adds a declared server; its key is its name until the configs are brought together. */
export function addServer(
  name: string,
  place: Place,
  launch: Launch,
  reading: Reading,
  disabled?: string,
): DeclaredServer {
  const server: DeclaredServer = {
    key: name,
    name,
    client: reading.client,
    config: reading.file,
    alsoIn: [],
    line: place.line,
    column: place.column,
    root: reading.root,
    launch,
  };
  if (reading.base !== undefined) server.base = reading.base;
  if (reading.inputs.size > 0) server.inputs = reading.inputs;
  if (disabled !== undefined) server.disabled = disabled;
  reading.result.servers.push(server);
  return server;
}

function disabledText(name: string, entry: ObjectNode, reading: Reading): string | undefined {
  const reader = new EntryReader(reading.file, `Server ${JSON.stringify(name)}`);
  const excluded = reading.excluded?.(name);
  if (excluded !== undefined) return excluded;
  const off: 'disabled' | 'enabled' | undefined =
    reader.boolean(entry, 'disabled') === true
      ? 'disabled'
      : reader.boolean(entry, 'enabled') === false
        ? 'enabled'
        : undefined;
  if (off === undefined) return undefined;
  const text = off === 'disabled' ? 'disabled: true' : 'enabled: false';
  const traits = traitsOf(reading.client);
  if (!traits.switches.includes(off)) {
    reading.result.notes.push({
      code: 'W_SWITCH_UNKNOWN',
      message: `Server ${JSON.stringify(name)} has "${text}", which ${traits.label} is not known to heed: it may start it all the same.`,
      file: reading.file,
      line: memberAt(entry, [off])?.place.line,
      server: name,
    });
  }
  return `"${text}" in ${reading.file}`;
}
