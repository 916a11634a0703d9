import { type Base, baseServers } from './base-servers.ts';
import { traitsOf } from './config/clients.ts';
import { POLICY_FILES } from './config/policy.ts';
import { parsePolicy } from './config/policy-parse.ts';
import type { DeclaredServer } from './config/types.ts';
import type { ServerReport } from './report/model.ts';

/**
 * Servers that a lock pins and that are skipped, by key, where a reader must know more than that: the pull request is what
 * switches them off, or their client does not know the switch and starts them all the same.
 */
export async function switchedOffServers(
  skipped: readonly { declared: DeclaredServer; reason: string }[],
  options: { cwd: string; base?: Base; isPinned(key: string): boolean },
): Promise<Map<string, NonNullable<ServerReport['switchedOff']>>> {
  const { cwd, base } = options;
  const found = new Map<string, NonNullable<ServerReport['switchedOff']>>();
  const pinned = skipped.filter(({ declared }) => options.isPinned(declared.key));
  if (pinned.length === 0) return found;
  const before = base && baseServers(base, cwd);
  const skippedThen = base && (await baseSkips(base));
  for (const { declared: server, reason } of pinned) {
    const then = await before?.(server.config);
    const entry = then?.get(server.name);
    // Said only where the base is known to have started it.
    const byPullRequest =
      entry !== undefined && entry.disabled === undefined && skippedThen?.has(server.key) === false;
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

/** Keys that the base's policy skips. */
async function baseSkips(base: Base): Promise<ReadonlySet<string>> {
  for (const file of POLICY_FILES) {
    const text = await base.readConfig(file);
    if (text === null) continue;
    try {
      const { servers } = parsePolicy(text, file);
      return new Set([...servers].flatMap(([key, { skip }]) => (skip === undefined ? [] : [key])));
    } catch {
      break;
    }
  }
  return new Set();
}
