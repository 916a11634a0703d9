import { isAbsolute, join, relative } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { slashed } from '../util/paths.ts';
import { traitsOf } from './clients.ts';
import { type ConfigNode, invalid, memberAt, type ObjectNode, uniqueMemberAt } from './config-node.ts';
import { problemOf } from './config-problem.ts';
import { type ConfigFormat, folderUp, type KnownFile, knownFile } from './known-files.ts';
import { strictObjection } from './parse-json.ts';
import { readBundle } from './read-bundle.ts';
import { readInputs } from './read-inputs.ts';
import { readMarketplace } from './read-plugin.ts';
import { readRegistry } from './read-registry.ts';
import { type Reading, readServerList, readServerMap } from './read-servers.ts';
import type { TreeParser } from './tree-parser.ts';
import type { ClientId, ConfigNote, ParsedConfig } from './types.ts';

export interface ParseOptions {
  /** Absolute working directory. */
  root: string;
  /** Reads the file as this client's, whatever its path (a file that a plugin names). */
  client?: ClientId;
  /** Workspace and plugin folder, relative to the working directory, for such a file. */
  workspace?: string;
  base?: string;
  /** The user named this file: whatever its name, it is taken for a config. */
  named?: boolean;
}

/** The format of a config; what a client's own file names is JSON. */
export function configFormat(file: string, options: ParseOptions): ConfigFormat {
  return options.client ? 'json' : knownFile(file).known.format;
}

/**
 * Parses one config. `file` is relative to the working directory, `/`-separated, and decides whose it is;
 * `parseTree` reads its format ({@link configFormat}). Reads no file. Errors are data: a broken entry does not hide the others.
 */
export function parseConfig(
  text: string,
  file: string,
  options: ParseOptions,
  parseTree: TreeParser,
): ParsedConfig {
  const result: ParsedConfig = { servers: [], errors: [], notes: [], references: [] };
  const found = knownFile(file);
  let known = found.known;
  if (options.named) known = { ...known, shared: undefined };
  if (options.client) known = { ...known, client: options.client, format: 'json', roots: [['mcpServers']] };
  const workspace = options.workspace ?? found.workspace;
  try {
    const tree = parseTree(text, file);
    if (known.roots.length === 0 && known.client === 'other') known = guess(tree, known);
    const reading: Reading = {
      client: known.client,
      file,
      root: join(options.root, workspace),
      cwd: options.root,
      result,
      inputs: new Map(),
    };
    if (known.baseUp !== undefined) reading.base = join(options.root, folderUp(file, known.baseUp + 1));
    if (options.base !== undefined) reading.base = join(options.root, options.base);
    reading.inputs = readInputs(tree, known.client, reading);
    readAll(tree, known, reading);
    if (known.format === 'json' && result.servers.length > 0)
      noteStrictness(text, file, known.client, result.notes);
  } catch (error) {
    // A file of a common name that cannot be read and that speaks of no server is somebody else's.
    const foreign = known.shared && !/mcp|context_servers/i.test(text);
    if (foreign && error instanceof AgentGateError && error.code === 'E_CONFIG_SYNTAX') {
      result.notes.push({ code: 'W_SHARED_FILE', message: `${error.message} It was not read.`, file });
    } else {
      result.errors.push(problemOf(error, file));
    }
  }
  return result;
}

/** Whose a file is that no path tells, by its shape. */
function guess(tree: ConfigNode, known: KnownFile): KnownFile {
  const has = (...path: string[]): boolean => memberAt(tree, path) !== undefined;
  if (has('server', 'mcp_config')) return { ...known, client: 'mcpb', baseUp: 0 };
  if (has('mcpServers')) return { ...known, roots: [['mcpServers']] };
  if (has('servers')) return { ...known, client: 'vscode', roots: [['servers']] };
  if (has('context_servers')) return { ...known, client: 'zed', roots: [['context_servers']] };
  if (has('mcp_servers')) return { ...known, client: 'codex', roots: [['mcp_servers']] };
  if (has('mcp-servers')) return { ...known, client: 'copilot', roots: [['mcp-servers']] };
  if (has('mcp', 'servers')) return { ...known, client: 'vscode', roots: [['mcp', 'servers']] };
  if (has('mcp')) return { ...known, client: 'opencode', roots: [['mcp']] };
  if (has('packages') || has('remotes')) return { ...known, client: 'registry' };
  return { ...known, roots: [['mcpServers']] };
}

function readAll(tree: ConfigNode, known: KnownFile, reading: Reading): void {
  const { file } = reading;
  if (tree.kind !== 'object') {
    if (known.shared) return;
    throw invalid(file, tree.place, `${file} must hold an object.`);
  }
  if (known.client === 'registry') readRegistry(tree, reading);
  else if (known.client === 'mcpb') readBundle(tree, reading);
  else if (known.path.endsWith('marketplace.json')) readMarketplace(tree, reading);
  else readRoots(tree, known, reading);
}

/** What clients call their servers; one's name in another's file is a common slip. */
const ROOTS = ['mcpServers', 'servers', 'mcp_servers', 'mcp-servers', 'context_servers'];

function readRoots(tree: ObjectNode, known: KnownFile, reading: Reading): void {
  const { file } = reading;
  let any = false;
  for (const path of known.roots) {
    const servers = uniqueMemberAt(file, tree, path);
    if (!servers) continue;
    any = true;
    if (servers.node.kind === 'array' && known.client === 'continue') readServerList(servers.node, reading);
    else if (known.client === 'claude-plugin' && servers.node.kind !== 'object')
      readReferences(servers.node, reading);
    else readServerMap(servers.node, path.join('.'), reading);
  }
  if (!any && !known.shared) {
    const root = known.roots[0]?.join('.') ?? 'mcpServers';
    const other = ROOTS.find((key) => tree.members.some((member) => member.key === key));
    const reads = `${traitsOf(known.client).label} reads ${JSON.stringify(root)}`;
    reading.result.notes.push({
      code: 'W_NO_SERVERS',
      message: other
        ? `${file} has ${JSON.stringify(other)} where ${reads}, so it declares no server: rename it.`
        : `${file} has no ${JSON.stringify(root)}: it declares no server.`,
      file,
    });
  }
}

/** `"mcpServers": "./mcp.json"`, or several of them. */
function readReferences(node: ConfigNode, reading: Reading): void {
  for (const item of node.kind === 'array' ? node.items : [node]) {
    if (item.kind === 'object') {
      readServerMap(item, 'mcpServers', reading);
      continue;
    }
    if (item.kind !== 'scalar' || typeof item.value !== 'string') {
      throw invalid(reading.file, item.place, `"mcpServers" must be an object, a path or a list of paths.`);
    }
    const path = item.value.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}\//, './');
    const target = join(reading.base ?? reading.root, path);
    if (isAbsolute(path))
      throw invalid(
        reading.file,
        item.place,
        `"mcpServers" names an absolute path; use one below the plugin.`,
      );
    if (reading.base !== undefined) reading.result.base = slashed(relative(reading.cwd, reading.base));
    reading.result.references.push({
      file: slashed(relative(reading.cwd, target)),
      ...item.place,
    });
  }
}

function noteStrictness(text: string, file: string, client: ClientId, notes: ConfigNote[]): void {
  const traits = traitsOf(client);
  const objection = strictObjection(text, traits.strictness);
  if (!objection) return;
  notes.push({
    code: 'W_NOT_STRICT_JSON',
    message: `${file} holds ${objection}: ${traits.label} would not read it; remove it.`,
    file,
  });
}
