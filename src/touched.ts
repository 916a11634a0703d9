import type { BaseFiles } from './base-files.ts';
import type { DeclaredServer, Launch } from './config/types.ts';

/**
 * Which servers' entries differ between the base's configs and these: by key, true when the pull request changed
 * the entry. A server is missing from the map when the base is not known.
 */
export async function touchedServers(
  servers: readonly DeclaredServer[],
  base: BaseFiles | undefined,
): Promise<Map<string, boolean>> {
  const touched = new Map<string, boolean>();
  if (!base) return touched;
  for (const server of servers) {
    const then = (await base.servers(server.config)).get(server.name);
    let differs = then === undefined || launchKey(then.launch) !== launchKey(server.launch);
    for (const { config, name, entry } of server.gates ?? []) {
      const gate = (await base.servers(config)).get(name);
      differs ||= gate === undefined || launchKey(gate.launch) !== launchKey(entry.launch);
    }
    touched.set(server.key, differs);
  }
  return touched;
}

function launchKey(launch: Launch): string {
  return JSON.stringify(launch, (_, value) => (value instanceof Map ? [...value] : value));
}
