import { configFormat, parseConfig } from './config/parse-config.ts';
import { treeParser } from './config/tree-parser.ts';
import type { DeclaredServer } from './config/types.ts';

/** What is needed of a pull request's base commit. */
export interface Base {
  commit: string;
  /** The lock there, or null when there is none. */
  lockText: string | null;
  /** A config there, by its path relative to the working directory, or null when there is none. */
  readConfig(path: string): Promise<string | null>;
}

/** The servers that the base's configs declare, by the config's path and the entry's name. Each config is read once. */
export function baseServers(
  base: Base,
  cwd: string,
): (config: string) => Promise<ReadonlyMap<string, DeclaredServer>> {
  const known = new Map<string, Promise<ReadonlyMap<string, DeclaredServer>>>();
  return (config) => {
    const there = known.get(config) ?? base.readConfig(config).then((text) => serversOf(text, config, cwd));
    known.set(config, there);
    return there;
  };
}

async function serversOf(
  text: string | null,
  config: string,
  cwd: string,
): Promise<ReadonlyMap<string, DeclaredServer>> {
  if (text === null) return new Map();
  try {
    const options = { root: cwd };
    const { servers } = parseConfig(text, config, options, await treeParser(configFormat(config, options)));
    return new Map(servers.map((server) => [server.name, server]));
  } catch {
    // A base config that cannot be read declared nothing that could be compared.
    return new Map();
  }
}
