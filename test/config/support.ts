import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { configFormat, parseConfig } from '../../src/config/parse-config.ts';
import { parseFrontMatter } from '../../src/config/parse-front-matter.ts';
import { parseJson } from '../../src/config/parse-json.ts';
import { parseToml } from '../../src/config/parse-toml.ts';
import { parseYaml } from '../../src/config/parse-yaml.ts';
import type { DeclaredServer, ParsedConfig, RemoteLaunch, StdioLaunch } from '../../src/config/types.ts';

/** The working directory of configs that are parsed from text. */
export const ROOT = resolve('/w');

/** A folder with these files, gone after the test. */
export function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'agentgate-config-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

const PARSERS = {
  json: parseJson,
  toml: parseToml,
  yaml: parseYaml,
  'front-matter': parseFrontMatter,
};

/** Parses a config's text below a working directory. */
export function parseWith(text: string, file: string, root: string): ParsedConfig {
  return parseConfig(text, file, { root }, PARSERS[configFormat(file, { root })]);
}

/** Parses a config: an object as JSON, a text as it is. */
export function parse(file: string, content: unknown): ParsedConfig {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return parseWith(text, file, ROOT);
}

/** The one server of a config; fails when there are errors or not just one. */
export function onlyServer(file: string, content: unknown): DeclaredServer {
  const { servers, errors } = parse(file, content);
  const [server] = servers;
  if (errors.length > 0 || servers.length !== 1 || !server) {
    throw new Error(`expected one server, got ${servers.length}: ${errors.map(({ message }) => message)}`);
  }
  return server;
}

export function stdio(server: DeclaredServer): StdioLaunch {
  if (server.launch.transport !== 'stdio') throw new Error('not a stdio server');
  return server.launch;
}

export function remote(server: DeclaredServer): RemoteLaunch {
  if (server.launch.transport === 'stdio') throw new Error('not a remote server');
  return server.launch;
}
