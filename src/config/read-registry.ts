import { type ConfigNode, member, type ObjectNode, refuseDuplicates } from './config-node.ts';
import { problemOf } from './config-problem.ts';
import { EntryReader } from './entry-values.ts';
import { scalarText } from './read-inputs.ts';
import { addServer, checkName, type Reading } from './read-servers.ts';
import type { DeclaredInput, Launch, StdioLaunch } from './types.ts';

/**
 * Reads the MCP registry's `server.json` (2025-12-11, and the older snake_case one): each package and each remote
 * is a server, keyed by `name`, or `name:<kind>` where there are several. Other files of that name declare nothing.
 */
export function readRegistry(tree: ObjectNode, reading: Reading): void {
  // Only then is it the registry's, and a repeated key ours to refuse.
  if (member(tree, 'packages') || member(tree, 'remotes')) {
    refuseDuplicates(reading.file, tree, reading.file);
  }
  const packages = items(tree, 'packages');
  const remotes = items(tree, 'remotes');
  const named = member(tree, 'name')?.node;
  const name = named && scalarText(named);
  if (name === undefined || packages.length + remotes.length === 0) return;
  const several = packages.length + remotes.length > 1;
  const used = new Map<string, number>();
  const keyed = (kind: string): string => {
    if (!several) return name;
    const count = (used.get(kind) ?? 0) + 1;
    used.set(kind, count);
    return count === 1 ? `${name}:${kind}` : `${name}:${kind}-${count}`;
  };
  for (const node of packages) {
    const kind = text(node, 'registryType', 'registry_type', 'registry_name') ?? 'package';
    add(keyed(kind), node, reading, (entry, reader, inputs) => packageLaunch(kind, entry, reader, inputs));
  }
  for (const node of remotes) {
    add(keyed('remote'), node, reading, (entry, reader, inputs) => remoteLaunch(entry, reader, inputs));
  }
}

type Inputs = Map<string, DeclaredInput>;

function add(
  name: string,
  node: ConfigNode,
  reading: Reading,
  launchOf: (entry: ConfigNode, reader: EntryReader, inputs: Inputs) => Launch,
): void {
  try {
    checkName(name, node.place, reading.file);
    refuseDuplicates(reading.file, node, `Server ${JSON.stringify(name)}`);
    const inputs: Inputs = new Map();
    const reader = new EntryReader(reading.file, `Server ${JSON.stringify(name)}`);
    addServer(name, node.place, launchOf(node, reader, inputs), { ...reading, inputs });
  } catch (error) {
    reading.result.errors.push(problemOf(error, reading.file, name));
  }
}

/** The command that a client would build; the runtime is the type's own, whatever `runtimeHint` says. */
function packageLaunch(kind: string, entry: ConfigNode, reader: EntryReader, inputs: Inputs): Launch {
  const identifier =
    text(entry, 'identifier', 'name') ?? reader.fail(entry, `${reader.what} has no "identifier".`);
  const version = text(entry, 'version');
  const at = version === undefined || version === '' ? '' : `@${version}`;
  const env = new Map<string, string>();
  const optionalEnv: string[] = [];
  const passEnv: string[] = [];
  for (const variable of items(entry, 'environmentVariables', 'environment_variables')) {
    const key = text(variable, 'name');
    if (key === undefined) continue;
    const value = inputText(variable, inputs);
    if (value !== undefined) env.set(key, value);
    else if (flag(variable, 'isRequired', 'is_required')) passEnv.push(key);
    else optionalEnv.push(key);
  }
  const runtime = items(entry, 'runtimeArguments', 'runtime_arguments').flatMap((arg) =>
    argument(arg, inputs),
  );
  const own = items(entry, 'packageArguments', 'package_arguments').flatMap((arg) => argument(arg, inputs));
  const transport = member(entry, 'transport')?.node;
  const url = transport && text(transport, 'url');
  if (transport && url !== undefined && text(transport, 'type') !== 'stdio') {
    reader.fail(
      transport,
      `${reader.what} is started by hand and then reached at its url, which cannot be checked; declare it as a remote.`,
    );
  }
  const launch: StdioLaunch = { transport: 'stdio', command: '', args: [], env, passEnv, optionalEnv };
  const docker = (): string[] => {
    const names = [...env.keys(), ...passEnv, ...optionalEnv].filter((key) => !runtime.includes(key));
    return ['run', '-i', '--rm', ...names.flatMap((key) => ['-e', key]), ...runtime];
  };
  if (kind === 'npm')
    [launch.command, launch.args] = [
      'npx',
      [...(runtime.length > 0 ? runtime : ['-y']), identifier + at, ...own],
    ];
  else if (kind === 'pypi') [launch.command, launch.args] = ['uvx', [...runtime, identifier + at, ...own]];
  else if (kind === 'nuget')
    [launch.command, launch.args] = ['dnx', [...runtime, identifier + at, '--yes', '--', ...own]];
  else if (kind === 'oci' || kind === 'docker') {
    const image =
      version && !identifier.includes('@') && !/:[^/]*$/.test(identifier)
        ? `${identifier}:${version}`
        : identifier;
    [launch.command, launch.args] = ['docker', [...docker(), image, ...own]];
  } else
    reader.fail(
      entry,
      `${reader.what}: a package of type ${JSON.stringify(kind)} cannot be started from here.`,
    );
  return launch;
}

function remoteLaunch(entry: ConfigNode, reader: EntryReader, inputs: Inputs): Launch {
  const url = text(entry, 'url') ?? reader.fail(entry, `${reader.what} has no "url".`);
  const type = text(entry, 'type', 'transport_type') ?? 'streamable-http';
  if (type !== 'sse' && type !== 'streamable-http' && type !== 'http') {
    reader.fail(
      entry,
      `${reader.what}: type ${JSON.stringify(type)} is not known; use "streamable-http" or "sse".`,
    );
  }
  variables(entry, inputs);
  const headers = new Map<string, string>();
  for (const header of items(entry, 'headers')) {
    const key = text(header, 'name');
    if (key === undefined) continue;
    const value = inputText(header, inputs);
    if (value !== undefined) headers.set(key, value);
    else if (flag(header, 'isRequired', 'is_required')) {
      headers.set(key, `{${key}}`);
      inputs.set(key, { required: true, secret: true });
    }
  }
  return { transport: type === 'sse' ? 'sse' : 'http', url, headers, variableHeaders: new Map() };
}

/** A positional or named argument of `server.json`. */
function argument(node: ConfigNode, inputs: Inputs): string[] {
  const value = inputText(node, inputs);
  const name = text(node, 'name');
  const hint = text(node, 'valueHint', 'value_hint');
  const required = flag(node, 'isRequired', 'is_required');
  if (text(node, 'type') === 'named' && name !== undefined) {
    if (value !== undefined) return [name, value];
    if (!required) return hint === undefined && !member(node, 'format') ? [name] : [];
    inputs.set(name, { required: true, secret: false });
    return [name, `{${name}}`];
  }
  if (value !== undefined) return [value];
  if (!required || hint === undefined) return [];
  inputs.set(hint, { required: true, secret: false });
  return [`{${hint}}`];
}

/** An input's fixed or default value, its own variables taken in. */
function inputText(node: ConfigNode, inputs: Inputs): string | undefined {
  variables(node, inputs);
  return text(node, 'value') ?? text(node, 'default');
}

function variables(node: ConfigNode, inputs: Inputs): void {
  const found = member(node, 'variables')?.node;
  if (found?.kind !== 'object') return;
  for (const { key, node: variable } of found.members) {
    const input: DeclaredInput = {
      required: flag(variable, 'isRequired', 'is_required'),
      secret: flag(variable, 'isSecret', 'is_secret'),
    };
    const value = text(variable, 'value') ?? text(variable, 'default');
    if (value !== undefined) input.default = [value];
    inputs.set(key, input);
  }
}

function items(node: ConfigNode, ...keys: string[]): ConfigNode[] {
  for (const key of keys) {
    const found = member(node, key)?.node;
    if (found?.kind === 'array') return found.items;
  }
  return [];
}

function text(node: ConfigNode, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const found = member(node, key)?.node;
    if (found && scalarText(found) !== undefined) return scalarText(found);
  }
  return undefined;
}

function flag(node: ConfigNode, ...keys: string[]): boolean {
  return keys.some((key) => {
    const found = member(node, key)?.node;
    return found?.kind === 'scalar' && found.value === true;
  });
}
