import { mkdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { real } from '../util/paths.ts';
import { type ContainerOption, containerOptions } from './container-options.ts';
import { isContainerTool } from './container-tool.ts';
import { hasCredentials } from './git-credentials.ts';
import { hostTool } from './host-tool.ts';
import { isWithin } from './mount-table.ts';
import type { StartOptions } from './start-options.ts';

/** Variables that make the container tool itself run something else, or talk to another daemon. */
const OWN_VARIABLES =
  /^(PATH|LD_.*|DYLD_.*|HOME|XDG_.*|SSH_.*|DOCKER_.*|CONTAINER_.*|CONTAINERS_.*|BUILDKIT_.*)$/i;

/**
 * A launch by a container tool as an isolated server may have it: the daemon is root on the host, so what the arguments
 * ask of it must stay within the container. A folder of the host is shown read-only when it is the project's and holds no
 * credentials of git; another one is an empty folder, as it would be for any server. `daemon` is true when the daemon's
 * socket is to be given: not to a program that the project brings under the name.
 *
 * Throws `E_CONTAINER` for what gives the host away: `--privileged`, devices, namespaces of the host, other commands.
 */
export function confineContainer(
  launch: ResolvedStdio,
  options: StartOptions,
): { launch: ResolvedStdio; daemon: boolean } {
  if (!isContainerTool(launch.command)) return { launch, daemon: false };
  const project = { cwd: launch.cwd, root: options.root };
  if (hostTool(launch.command, project, options.job ?? process.env) === undefined)
    return { launch, daemon: false };
  const variable = [...launch.env.keys()].find((name) => OWN_VARIABLES.test(name));
  if (variable !== undefined) throw refused(options, `by its variable ${variable}`);
  const { options: given, other } = containerOptions(launch.args);
  if (other !== undefined) throw refused(options, `by ${other === '' ? 'no command' : other}`);
  const args = [...launch.args];
  for (const option of given) {
    if (!staysInside(option)) throw refused(options, `by ${option.name} ${option.value}`);
    const value =
      isNetwork(option) && options.network === 'none' ? 'none' : confinedMount(option, launch, options);
    if (value !== undefined) args[option.at] = option.prefix + value;
  }
  // Our own namespace holds the tool only: the daemon would connect the container all the same.
  if (options.network === 'none' && !given.some(isNetwork))
    args.splice(args.indexOf('run') + 1, 0, '--network=none');
  return { launch: { ...launch, args }, daemon: true };
}

function refused(options: StartOptions, how: string): AgentGateError {
  return new AgentGateError(
    'E_CONTAINER',
    `Server ${options.server} was not started, since it asks the container daemon for more than a container (${how}), and ` +
      'with it for the host; take that out, or use isolation none for a server that you trust.',
    { server: options.server },
  );
}

function isNetwork({ name }: Pick<ContainerOption, 'name'>): boolean {
  return name === '--network' || name === '--net';
}

function staysInside({ name, value }: ContainerOption): boolean {
  if (isNetwork({ name })) return /^[a-z0-9][\w.-]*$/i.test(value) && value !== 'host';
  if (name === '--security-opt') return /^no-new-privileges(?:[:=]true)?$/.test(value);
  // Mounts of a driver's own choice reach any folder.
  if (name === '--mount') return mountParts(value).every(([key]) => MOUNT_KEYS.has(key));
  return true;
}

const MOUNT_KEYS = new Set(
  'type source src target destination dst readonly ro rw tmpfs-size tmpfs-mode bind-propagation volume-nocopy consistency'.split(
    ' ',
  ),
);

function mountParts(value: string): [string, string][] {
  return value.split(',').map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? [part.toLowerCase(), ''] : [part.slice(0, at).toLowerCase(), part.slice(at + 1)];
  });
}

/** The value of an option that shows a folder of the host, with that folder confined; undefined for another option. */
function confinedMount(
  { name, value }: ContainerOption,
  launch: ResolvedStdio,
  options: StartOptions,
): string | undefined {
  if (name === '-v' || name === '--volume') {
    const [source = '', target = ''] = value.split(':');
    if (target === '' || !isFolderName(source) || isKept(source, launch, options)) return undefined;
    return `${confinedFolder(source, launch, options)}:${target}:ro`;
  }
  if (name !== '--mount') return undefined;
  const parts = new Map(mountParts(value));
  if (parts.get('type') !== 'bind') return undefined;
  const source = parts.get('source') ?? parts.get('src') ?? '';
  if (isKept(source, launch, options)) return undefined;
  const target = parts.get('target') ?? parts.get('destination') ?? parts.get('dst') ?? '';
  return `type=bind,source=${confinedFolder(source, launch, options)},target=${target},readonly`;
}

/** Anything else is the name of a volume that the daemon keeps. */
function isFolderName(source: string): boolean {
  return /[/\\~]|^\.\.?$/.test(source);
}

/** A folder that the server may write to as it is, see `StartOptions.keeps`. */
function isKept(source: string, launch: ResolvedStdio, options: StartOptions): boolean {
  const path = real(resolve(launch.cwd, source));
  return (options.keeps ?? []).some((folder) => path !== undefined && isWithin(path, real(folder) ?? folder));
}

function confinedFolder(source: string, launch: ResolvedStdio, options: StartOptions): string {
  const root = options.root ?? launch.cwd;
  // One that is not there the daemon would make, as root.
  const path = isAbsolute(source) || source.startsWith('.') ? real(resolve(launch.cwd, source)) : undefined;
  if (path !== undefined && isWithin(path, real(root) ?? root) && !/[:,]/.test(path) && !hasCredentials(path))
    return path;
  const empty = join(options.folders.tmpdir, 'agentgate-empty');
  mkdirSync(empty, { recursive: true });
  return empty;
}
