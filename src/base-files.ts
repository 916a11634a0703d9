import { configFormat, parseConfig } from './config/parse-config.ts';
import { NO_POLICY, POLICY_FILES } from './config/policy.ts';
import { treeParser } from './config/tree-parser.ts';
import type { DeclaredServer, Policy } from './config/types.ts';

/** What is needed of a pull request's base commit. */
export interface Base {
  commit: string;
  /** The lock there, or null when there is none. */
  lockText: string | null;
  /** A config there, by its path relative to the working directory, or null when there is none. */
  readConfig(path: string): Promise<string | null>;
}

/** The base's configs and policy. Each is read once, when it is first asked for. */
export interface BaseFiles {
  /** The servers that a config declares, by the entry's name. */
  servers(config: string): Promise<ReadonlyMap<string, DeclaredServer>>;
  /** Undefined when there is one that cannot be read. */
  policy(): Promise<Policy | undefined>;
}

export function baseFiles(base: Pick<Base, 'readConfig'>, cwd: string): BaseFiles {
  const configs = new Map<string, Promise<ReadonlyMap<string, DeclaredServer>>>();
  let policy: Promise<Policy | undefined> | undefined;
  return {
    servers(config) {
      const there =
        configs.get(config) ?? base.readConfig(config).then((text) => serversOf(text, config, cwd));
      configs.set(config, there);
      return there;
    },
    policy() {
      policy ??= policyOf(base);
      return policy;
    },
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

async function policyOf(base: Pick<Base, 'readConfig'>): Promise<Policy | undefined> {
  for (const file of POLICY_FILES) {
    const text = await base.readConfig(file);
    if (text === null) continue;
    try {
      const { parsePolicy } = await import('./config/policy-parse.ts');
      return parsePolicy(text, file);
    } catch {
      return undefined;
    }
  }
  return NO_POLICY;
}
