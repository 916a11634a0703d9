import { relative } from 'node:path';
import { sortedEntries } from '../util/order.ts';
import { slashed } from '../util/paths.ts';
import { knownFile } from './known-files.ts';
import { neutralText } from './neutral.ts';
import { deriveSource } from './source.ts';
import type { ConfigNote, ConfigProblem, DeclaredServer } from './types.ts';

export interface Keyed {
  servers: DeclaredServer[];
  errors: ConfigProblem[];
  notes: ConfigNote[];
}

/**
 * Gives every server its key and brings together those that several files declare alike. The same key with another
 * launch is an error that names both files (`E_DUPLICATE_SERVER`); neither is then in `servers`.
 */
export function assignKeys(
  all: readonly DeclaredServer[],
  options: { cwd: string; allClients: boolean },
): Keyed {
  const byKey = new Map<string, DeclaredServer[]>();
  for (const server of all) {
    const key = options.allClients ? clientKey(server, options.cwd) : server.name;
    const same = byKey.get(key);
    if (same) same.push({ ...server, key });
    else byKey.set(key, [{ ...server, key }]);
  }
  const keyed: Keyed = { servers: [], errors: [], notes: [] };
  for (const [key, same] of byKey) {
    const enabled = same.filter(({ disabled }) => disabled === undefined);
    const [first, ...others] = enabled.length > 0 ? enabled : same;
    if (!first) continue;
    const fingerprint = launchFingerprint(first, options.cwd);
    const different = others.find((other) => launchFingerprint(other, options.cwd) !== fingerprint);
    if (different && enabled.length > 0) {
      keyed.errors.push(conflict(key, first, different, options.allClients));
      continue;
    }
    for (const off of same) {
      if (enabled.length === 0 || off.disabled === undefined) continue;
      keyed.notes.push({
        code: 'W_ALSO_DISABLED',
        message: `Server ${JSON.stringify(key)} is switched off in ${off.config} and on in ${first.config}.`,
        file: off.config,
        line: off.line,
        server: key,
      });
    }
    keyed.servers.push({ ...first, alsoIn: others.map(({ config }) => config), ...gatesOf(enabled) });
  }
  return keyed;
}

/** Through which entries clients start one server by the gate, and through which others without it. */
function gatesOf(same: readonly DeclaredServer[]): Pick<DeclaredServer, 'gates' | 'besides'> {
  const gates = same.flatMap((server) => server.gates ?? []);
  if (gates.length === 0) return {};
  const besides = same
    .filter(({ config }) => knownFile(config).known.client !== 'other')
    .map(({ config, name }) => ({ config, name }));
  return { gates, ...(besides.length > 0 && { besides }) };
}

function clientKey(server: DeclaredServer, cwd: string): string {
  const folder = slashed(relative(cwd, server.root));
  return folder === '' ? `${server.client}:${server.name}` : `${folder}/${server.client}:${server.name}`;
}

function conflict(
  key: string,
  first: DeclaredServer,
  other: DeclaredServer,
  allClients: boolean,
): ConfigProblem {
  const advice = allClients
    ? 'rename one of them'
    : 'make them equal, rename one, or key them by client with --all-clients (all-clients: true)';
  const places = `${first.config} (line ${first.line}) and ${other.config} (line ${other.line})`;
  return {
    code: 'E_DUPLICATE_SERVER',
    message: `Server ${JSON.stringify(key)} is declared differently in ${places}; ${advice}.`,
    file: other.config,
    line: other.line,
    column: other.column,
    server: key,
  };
}

/**
 * Equal for entries that start the same thing, whatever syntax their clients have for a variable. The folder counts
 * only for what is found by a path.
 */
function launchFingerprint(server: DeclaredServer, cwd: string): string {
  const { launch } = server;
  const neutral = (text: string): string => neutralText(text, server.client);
  const pairs = (map: ReadonlyMap<string, string>): [string, string][] =>
    sortedEntries(map).map(([key, value]) => [key, neutral(value)]);
  if (launch.transport !== 'stdio') {
    // `auto` tries Streamable HTTP first: the same server as with `http`.
    const transport = launch.transport === 'sse' ? 'sse' : 'http';
    const { url, headers, variableHeaders, bearerTokenVariable, oauth } = launch;
    const all = new Map(headers);
    for (const [name, variable] of variableHeaders) all.set(name, `\0${variable}\0`);
    if (bearerTokenVariable !== undefined) all.set('Authorization', `Bearer \0${bearerTokenVariable}\0`);
    const lower = new Map([...all].map(([name, value]) => [name.toLowerCase(), value]));
    return JSON.stringify([transport, neutral(url), pairs(lower), oauth ?? null]);
  }
  const source = deriveSource(launch, { root: server.root });
  const placed = source.type === 'local' && (source.kind === undefined || source.kind === 'opaque-shell');
  const env = new Map(launch.env);
  for (const name of [...launch.passEnv, ...(launch.optionalEnv ?? [])]) env.set(name, `\0${name}\0`);
  return JSON.stringify([
    neutral(launch.command),
    launch.args.map(neutral),
    pairs(env),
    launch.cwd === undefined || launch.cwd === server.root ? null : neutral(launch.cwd),
    launch.envFile === undefined ? null : neutral(launch.envFile),
    placed ? relative(cwd, server.base ?? server.root) : null,
  ]);
}
