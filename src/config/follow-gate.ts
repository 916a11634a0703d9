import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '../util/errors.ts';
import { isOutside, slashed } from '../util/paths.ts';
import { assignKeys } from './keys.ts';
import { type OwnLaunch, ownLaunch } from './own-launch.ts';
import type { ConfigNote, ConfigProblem, DeclaredServer, GateEntry, ParsedConfig } from './types.ts';

/** Reads configs of a folder, without following anything. `config`: as the user's option. */
export type ReadConfigs = (
  cwd: string,
  config: readonly string[],
) => Promise<{ parsed: ParsedConfig[]; files: string[] }>;

export interface Followed {
  /** The real servers: those declared without the gate, and those behind it, with the entries that lead there. */
  servers: DeclaredServer[];
  errors: ConfigProblem[];
  notes: ConfigNote[];
  /** Further files that were read, relative to the working directory. */
  files: string[];
}

/**
 * Puts in the place of each entry that starts AgentGate's own proxy the server that it stands for: that of the key after
 * `--server`, in the configs that the proxy would read. The proxy is never started. An entry that leads to itself or to
 * nothing is a problem of that entry (`E_GATE_ENTRY`).
 */
export async function followGate(
  all: readonly DeclaredServer[],
  options: { cwd: string; allClients: boolean; read: ReadConfigs },
): Promise<Followed> {
  const followed: Followed = { servers: [], errors: [], notes: [], files: [] };
  const entries: { entry: DeclaredServer; own: OwnLaunch }[] = [];
  for (const server of all) {
    const own = server.disabled === undefined ? ownLaunch(server) : undefined;
    if (own === undefined) followed.servers.push(server);
    else entries.push({ entry: server, own });
  }
  const identity = ({ config, name }: DeclaredServer): string => JSON.stringify([config, name]);
  for (const { entry, own } of entries) {
    const found = await target(entry, own, options);
    if (typeof found === 'string') {
      followed.errors.push(problem(entry, found));
      continue;
    }
    const { server, files } = found;
    followed.files.push(...files);
    const gate: GateEntry = { config: entry.config, name: entry.name, line: entry.line, entry };
    const known = followed.servers.findIndex((one) => identity(one) === identity(server));
    const before = followed.servers[known];
    const through = { ...(before ?? server), gates: [...(before?.gates ?? []), gate] };
    if (before === undefined) followed.servers.push(through);
    else followed.servers[known] = through;
    followed.notes.push({
      code: 'GATE_ENTRY',
      message: `Server ${JSON.stringify(entry.name)} of ${entry.config} is AgentGate’s own proxy: what it stands for, ${JSON.stringify(server.name)} of ${server.config}, is checked in its place.`,
      file: entry.config,
      line: entry.line,
      server: entry.name,
    });
  }
  return followed;
}

async function target(
  entry: DeclaredServer,
  own: OwnLaunch,
  { cwd, allClients, read }: { cwd: string; allClients: boolean; read: ReadConfigs },
): Promise<{ server: DeclaredServer; files: string[] } | string> {
  const { launch } = entry;
  if (own.server === undefined || own.server === '') return 'it has no --server';
  const paths = [own.cwd ?? '', ...own.config, launch.transport === 'stdio' ? (launch.cwd ?? '') : ''];
  if (paths.some((path) => /\$\{|\$\w|^~/.test(path)))
    return 'its folder or its --config holds a variable: write a path relative to the project';
  const start =
    launch.transport === 'stdio' && launch.cwd !== undefined ? resolve(entry.root, launch.cwd) : entry.root;
  const folder = resolve(start, own.cwd ?? '.');
  if (isOutside(cwd, folder) || !existsSync(folder))
    return `it works in ${JSON.stringify(relative(cwd, folder))}, which is no folder of this project`;
  let seen: Awaited<ReturnType<ReadConfigs>>;
  try {
    seen = await read(folder, own.config);
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
  const servers = seen.parsed.flatMap((config) => config.servers);
  const real = servers.filter((server) => server.disabled !== undefined || ownLaunch(server) === undefined);
  const keyed = assignKeys(real, { cwd: folder, allClients: own.allClients });
  const found = keyed.servers.find(({ key }) => key === own.server);
  const files = seen.files.map((file) => slashed(relative(cwd, join(folder, file))));
  const shown = JSON.stringify(own.server);
  if (found === undefined) {
    const clash = keyed.errors.find(({ server }) => server === own.server);
    if (clash !== undefined) return clash.message.replace(/\.$/, '');
    const itself = servers.some((server) => server.name === own.server);
    return itself
      ? `it leads to itself: declare the real server in a file that no client reads, and name that with --config`
      : `${own.config.length > 0 ? own.config.join(', ') : 'no config'} declares no server ${shown}`;
  }
  const server: DeclaredServer = {
    ...found,
    key: found.name,
    config: slashed(relative(cwd, join(folder, found.config))),
    alsoIn: [],
  };
  const [here] = assignKeys([server], { cwd, allClients }).servers;
  if (here?.key !== own.server)
    return `it asks for the key ${shown}, and the lock has this server as ${JSON.stringify(here?.key)}; make --server and --all-clients fit`;
  return { server, files };
}

function problem(entry: DeclaredServer, text: string): ConfigProblem {
  const { config: file, line, column, name: server } = entry;
  return {
    code: 'E_GATE_ENTRY',
    message: `Server ${JSON.stringify(server)} of ${file} starts AgentGate’s proxy, and ${text}.`,
    file,
    line,
    column,
    server,
  };
}
