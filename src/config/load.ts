import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { ConfigBound, ConfigBoundError } from './config-bound.ts';
import { readConfigFile } from './config-files.ts';
import { problemOf } from './config-problem.ts';
import { discoverConfigs } from './discover.ts';
import { followGate } from './follow-gate.ts';
import { assignKeys } from './keys.ts';
import { knownFile } from './known-files.ts';
import { configFormat, type ParseOptions, parseConfig } from './parse-config.ts';
import { treeParser } from './tree-parser.ts';
import type { LoadedConfigs, ParsedConfig } from './types.ts';

export interface LoadOptions {
  cwd: string;
  /** Paths and globs; every known file when absent or empty. */
  config?: readonly string[];
  allClients: boolean;
}

/**
 * Finds, reads and parses every config of a working directory, and gives each server its key. What is wrong with one
 * file or entry is in `errors`; a problem with `server` means that this key is declared although it is not in
 * `servers`. Throws `E_NO_CONFIG` when there is no config at all, `E_CONFIG_NOT_FOUND` and `E_CONFIG_OUTSIDE` for
 * what the user named.
 */
export async function loadConfigs(options: LoadOptions): Promise<LoadedConfigs> {
  const cwd = resolve(options.cwd);
  const { found, parsed, files } = await readConfigs(cwd, options.config);
  const { allClients } = options;
  const declared = parsed.flatMap(({ servers }) => servers);
  const followed = await followGate(declared, { cwd, allClients, read: readConfigs });
  const all = followed.servers;
  const errors = [...parsed.flatMap((config) => config.errors), ...followed.errors];
  const notes = [...parsed.flatMap((config) => config.notes), ...followed.notes];
  const keyed = assignKeys(all, { cwd, allClients });
  const used = files.filter(
    (file) =>
      found.some((one) => one.file === file && one.named) ||
      !knownFile(file).known.shared ||
      declared.some((server) => server.config === file) ||
      errors.some((error) => error.file === file),
  );
  if (found.length === 0 || (used.length === 0 && declared.length === 0))
    throw noConfig(cwd, found.length > 0);
  return {
    servers: keyed.servers,
    errors: [...errors, ...keyed.errors],
    notes: [...notes, ...keyed.notes],
    files: [...new Set([...used, ...followed.files])],
    looked: [...new Set([...files, ...followed.files])],
  };
}

/** Finds, reads and parses, and follows only what a config itself names. */
async function readConfigs(cwd: string, config: readonly string[] | undefined) {
  const found = await discoverConfigs(cwd, config);
  const parsed: ParsedConfig[] = [];
  const files: string[] = [];
  const seen = new Set<string>();
  const bound = new ConfigBound();
  const read = async (file: string, parseOptions: ParseOptions, from?: { file: string; line: number }) => {
    if (seen.has(file)) return;
    seen.add(file);
    files.push(file);
    try {
      const text = await readConfigFile(cwd, file);
      bound.take(text.length);
      const parseTree = await treeParser(configFormat(file, parseOptions));
      const config = parseConfig(text, file, parseOptions, parseTree);
      bound.declare(config.servers.length + config.errors.length);
      parsed.push(config);
      for (const reference of config.references) {
        const base = config.base ?? '';
        await read(
          reference.file,
          { root: cwd, client: 'claude-plugin', workspace: '', base },
          { file, line: reference.line },
        );
      }
    } catch (error) {
      if (error instanceof ConfigBoundError) throw error;
      const problem = problemOf(error, file);
      if (from) problem.message += ` It is named on line ${from.line} of ${from.file}.`;
      parsed.push({ servers: [], errors: [problem], notes: [], references: [] });
    }
  };
  for (const { file, named } of found) await read(file, { root: cwd, named });
  return { found, parsed, files };
}

function noConfig(cwd: string, some: boolean): AgentGateError {
  const looked =
    '.mcp.json, .cursor/mcp.json, .vscode/mcp.json, .gemini/settings.json, .codex/config.toml, opencode.json and the like';
  const what = some ? 'No config here declares an MCP server' : 'There is no MCP config here';
  return new AgentGateError(
    'E_NO_CONFIG',
    `${what} (looked for ${looked}); ${above(cwd)}name yours with --config (config of the action), for example '**/.mcp.json'.`,
  );
}

/** Where the user may have meant to be: a folder above, up to the repository's root, that holds a lock or a config. */
function above(cwd: string): string {
  for (let folder = cwd; !existsSync(join(folder, '.git')) && folder !== dirname(folder); ) {
    folder = dirname(folder);
    const file = ['agentgate.lock', '.mcp.json'].find((name) => existsSync(join(folder, name)));
    if (file) return `there is ${file} in ${relative(cwd, folder)}: run there; or `;
  }
  return '';
}
