import type { DeclaredServer } from './config/types.ts';
import { mapPool } from './util/pool.ts';

/**
 * Runs `work` over servers as `mapPool` does, and gives the results in the servers' order. Remote servers
 * without TLS come before anything is started: a started server could take the port of one on this machine, answer in
 * its place and read its headers. What TLS proves to be the right one may run beside the others.
 */
export async function mapServers<R>(
  servers: readonly DeclaredServer[],
  limit: number,
  work: (server: DeclaredServer, release: () => void) => Promise<R>,
): Promise<R[]> {
  const indices = servers.map((_, index) => index);
  const first = indices.filter((index) => isOpen(servers[index]));
  const results = new Array<R>(servers.length);
  for (const group of [first, indices.filter((index) => !first.includes(index))])
    await mapPool(group, limit, async (index, _, release) => {
      results[index] = await work(servers[index] as DeclaredServer, release);
    });
  return results;
}

function isOpen(server: DeclaredServer | undefined): boolean {
  return (
    server !== undefined && server.launch.transport !== 'stdio' && !/^https:\/\//i.test(server.launch.url)
  );
}
