import type { LockedServer } from '../lock/types.ts';
import { isObject, own } from '../util/json.ts';
import { isDistinctive, sameSource } from './matchers/shadowing.ts';
import type { ServerView } from './rule.ts';

/** Distinctive tool names, in lower case, to the servers that have them. */
export function toolOwners(servers: ReadonlyMap<string, LockedServer>): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const [key, server] of servers) {
    for (const name of server.tools?.keys() ?? []) {
      if (!isDistinctive(name)) continue;
      const list = owners.get(name.toLowerCase());
      if (list) list.push(key);
      else owners.set(name.toLowerCase(), [key]);
    }
  }
  return owners;
}

/** What rules may know of one server; `owners` as {@link toolOwners} gives them. */
export function viewOf(
  key: string,
  server: LockedServer,
  servers: ReadonlyMap<string, LockedServer>,
  owners: ReadonlyMap<string, string[]>,
): ServerView {
  const ownNames = new Set<string>();
  const parameters = new Set<string>();
  for (const list of [server.tools, server.prompts])
    for (const name of list?.keys() ?? []) ownNames.add(name.toLowerCase());
  for (const record of server.tools?.values() ?? []) {
    const schema = record.definition ? own(record.definition, 'inputSchema') : undefined;
    const properties = isObject(schema) ? own(schema, 'properties') : undefined;
    if (isObject(properties)) for (const name of Object.keys(properties)) parameters.add(name.toLowerCase());
  }
  const foreign = new Map<string, string>();
  for (const [name, keys] of owners) {
    const other = keys.find((one) => {
      const its = servers.get(one);
      return one !== key && its !== undefined && !sameSource(its, server);
    });
    if (other !== undefined) foreign.set(name, other);
  }
  return { key, server, own: ownNames, parameters, foreign };
}
