import type { BaseFiles } from './base-files.ts';
import { traitsOf } from './config/clients.ts';
import type { DeclaredServer } from './config/types.ts';
import type { ServerReport } from './report/model.ts';

/**
 * Servers that a lock pins and that are skipped, by key, where a reader must know more than that: the pull request is what
 * switches them off, or their client does not know the switch and starts them all the same.
 */
export async function switchedOffServers(
  skipped: readonly { declared: DeclaredServer; reason: string }[],
  { base, isPinned }: { base?: BaseFiles; isPinned(key: string): boolean },
): Promise<Map<string, NonNullable<ServerReport['switchedOff']>>> {
  const found = new Map<string, NonNullable<ServerReport['switchedOff']>>();
  const pinned = skipped.filter(({ declared }) => isPinned(declared.key));
  if (pinned.length === 0) return found;
  const policyThen = await base?.policy();
  for (const { declared: server, reason } of pinned) {
    const entry = (await base?.servers(server.config))?.get(server.name);
    const skippedThen = policyThen?.servers.get(server.key)?.skip !== undefined;
    // Said only where the base is known to have started it.
    const byPullRequest = entry !== undefined && entry.disabled === undefined && !skippedThen;
    const ignoredBy = reason === server.disabled ? ignoringClient(server) : undefined;
    if (byPullRequest || ignoredBy !== undefined)
      found.set(server.key, {
        ...(byPullRequest ? { byPullRequest } : {}),
        ...(ignoredBy === undefined ? {} : { ignoredBy }),
      });
  }
  return found;
}

/** The client that may start the entry whatever its switch says. */
function ignoringClient({ client, disabled }: DeclaredServer): string | undefined {
  const key = /^"(disabled|enabled):/.exec(disabled ?? '')?.[1];
  if (key === undefined) return undefined;
  const traits = traitsOf(client);
  return traits.switches.some((known) => known === key) ? undefined : traits.label;
}
