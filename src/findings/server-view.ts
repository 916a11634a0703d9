import type { LockedServer } from '../lock/types.ts';
import { isObject, own } from '../util/json.ts';
import { isDistinctive, sameSource } from './matchers/shadowing.ts';
import type { ForeignTools, ServerView } from './rule.ts';

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

/** The tools of servers other than `key`; `owners` as {@link toolOwners} gives them. */
export function foreignTools(
  key: string,
  server: LockedServer,
  servers: ReadonlyMap<string, LockedServer>,
  owners: ReadonlyMap<string, string[]>,
): ForeignTools {
  const get = (name: string): string | undefined =>
    owners.get(name)?.find((one) => {
      const its = servers.get(one);
      return one !== key && its !== undefined && !sameSource(its, server);
    });
  return { get, has: (name) => get(name) !== undefined };
}

/** For a time when no other server is known: there are no tools, and the names asked for are kept until taken. */
export function askedNames(): { foreign: ForeignTools; take(): string[] } {
  let asked = new Set<string>();
  const keep = (name: string): undefined => {
    // A copy: a part of a text keeps all of the text.
    asked.add(Buffer.from(name, 'utf16le').toString('utf16le'));
  };
  return {
    foreign: {
      get: keep,
      has: (name) => keep(name) !== undefined,
    },
    take() {
      const names = [...asked];
      asked = new Set();
      return names;
    },
  };
}

/** What rules may know of one server. */
export function viewOf(key: string, server: LockedServer, foreign: ForeignTools): ServerView {
  const ownNames = new Set<string>();
  const parameters = new Set<string>();
  for (const list of [server.tools, server.prompts])
    for (const name of list?.keys() ?? []) ownNames.add(name.toLowerCase());
  for (const record of server.tools?.values() ?? []) {
    const schema = record.definition ? own(record.definition, 'inputSchema') : undefined;
    const properties = isObject(schema) ? own(schema, 'properties') : undefined;
    if (isObject(properties)) for (const name of Object.keys(properties)) parameters.add(name.toLowerCase());
  }
  return { key, server, own: ownNames, parameters, foreign };
}
