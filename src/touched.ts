import { parseConfig } from './config/parse-config.ts';
import type { DeclaredServer, Launch } from './config/types.ts';

/** What is needed of a pull request's base commit. */
export interface Base {
  commit: string;
  /** The lock there, or null when there is none. */
  lockText: string | null;
  /** A config there, by its path relative to the working directory, or null when there is none. */
  readConfig(path: string): Promise<string | null>;
}

/**
 * Which servers' entries differ between the base's configs and these: by key, true when the pull request changed
 * the entry. A server is missing from the map when the base is not known.
 */
export async function touchedServers(
  servers: readonly DeclaredServer[],
  options: { cwd: string; base?: Base },
): Promise<Map<string, boolean>> {
  const { base } = options;
  const touched = new Map<string, boolean>();
  if (!base) return touched;
  const before = new Map<string, Map<string, string>>();
  for (const server of servers) {
    let entries = before.get(server.config);
    if (!entries) {
      entries = launchesOf(await base.readConfig(server.config), server.config, options.cwd);
      before.set(server.config, entries);
    }
    touched.set(server.key, entries.get(server.name) !== launchKey(server.launch));
  }
  return touched;
}

function launchesOf(text: string | null, config: string, cwd: string): Map<string, string> {
  if (text === null) return new Map();
  try {
    const { servers } = parseConfig(text, config, { root: cwd });
    return new Map(servers.map((each) => [each.name, launchKey(each.launch)]));
  } catch {
    // A base config that cannot be read declared nothing that could be compared.
    return new Map();
  }
}

function launchKey(launch: Launch): string {
  return JSON.stringify(launch, (_, value) => (value instanceof Map ? [...value] : value));
}
