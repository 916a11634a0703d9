import { homedir } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';
import { own } from '../util/json.ts';
import { readJsonFile } from '../util/json-file.ts';
import { slashed } from '../util/paths.ts';
import { bridgedRemote } from './bridges.ts';
import { programName, splitCommandLine } from './command-line.ts';
import { bunx, deno, type Launched, npm, npx, pnpm, yarnDlx } from './launchers-npm.ts';
import { container, dnx, forwardedVariables, interpreted } from './launchers-other.ts';
import { pipx, uv, uvx } from './launchers-python.ts';
import { maskPaths } from './mask-paths.ts';
import type { Origin } from './origin.ts';
import type { Launch, Source, StdioLaunch } from './types.ts';
import { isWrapper, peelWrappers } from './wrappers.ts';

const LAUNCHERS: Record<string, (args: string[]) => Launched | undefined> = {
  npx,
  npm,
  bunx,
  bun: (args) =>
    args[0] === 'x' ? bunx(args.slice(1)) : interpreted(args[0] === 'run' ? args.slice(1) : args),
  pnpm: (args) => pnpm(args, false),
  pnpx: (args) => pnpm(args, true),
  pnx: (args) => pnpm(args, true),
  yarn: (args) => (args[0] === 'dlx' ? yarnDlx(args.slice(1)) : undefined),
  yarnpkg: (args) => (args[0] === 'dlx' ? yarnDlx(args.slice(1)) : undefined),
  deno,
  dx: (args) => deno(['x', ...args]),
  uvx,
  uv,
  pipx,
  docker: container,
  podman: container,
  nerdctl: container,
  dnx,
  dotnet: (args) =>
    args[0] === 'tool' && /^(exec|execute)$/.test(args[1] ?? '') ? dnx(args.slice(2)) : undefined,
  node: interpreted,
  nodejs: interpreted,
  tsx: interpreted,
  'ts-node': interpreted,
  python: interpreted,
  python3: interpreted,
  py: interpreted,
  ruby: interpreted,
  php: interpreted,
};

/**
 * Where a launch comes from, in full detail. Nothing is run; with `root`, the `package.json` of a script in
 * `node_modules` is read.
 */
export function deriveOrigin(launch: Launch, options: { root?: string }): Origin {
  if (launch.transport !== 'stdio') {
    return { type: 'remote', url: launch.url, transport: launch.transport === 'sse' ? 'sse' : 'http' };
  }
  const peeled = peelWrappers(commandWords(launch.command, launch.args));
  if ('opaque' in peeled) return { type: 'local', opaque: true };
  if ('script' in peeled) return installed({ type: 'local', path: peeled.script }, options.root);
  const { command, launched } = programOf(peeled.words);
  if (!launched) return installed({ type: 'local', path: command }, options.root);
  const origin = installed(launched.origin, options.root);
  return bridgedRemote(origin, launched.args) ?? origin;
}

/** What is left of a launch without its wrappers: a program with its arguments, and what a launcher starts in turn. */
interface LaunchedProgram {
  command: string;
  args: string[];
  launched?: Launched;
}

function programOf([command = '', ...args]: readonly string[]): LaunchedProgram {
  const name = programName(command);
  const launched = Object.hasOwn(LAUNCHERS, name) ? LAUNCHERS[name]?.(args) : undefined;
  return { command, args, ...(launched && { launched }) };
}

/** The program that a launch comes down to; undefined when a shell's script hides it. */
export function launchedProgram(launch: StdioLaunch): LaunchedProgram | undefined {
  const peeled = peelWrappers(commandWords(launch.command, launch.args));
  return 'words' in peeled ? programOf(peeled.words) : undefined;
}

/** Variables that the launched `docker run` takes from its environment by name. */
export function containerVariables(launch: StdioLaunch): string[] {
  const peeled = peelWrappers(commandWords(launch.command, launch.args));
  if (!('words' in peeled)) return [];
  const [command = '', ...args] = peeled.words;
  return /^(docker|podman|nerdctl)$/.test(programName(command)) ? forwardedVariables(args) : [];
}

/** A whole command line in `command` is split, when its first word is a program known here; a path with spaces is not. */
function commandWords(command: string, args: readonly string[]): string[] {
  if (!/\s/.test(command.trim())) return [command.trim(), ...args];
  const words = splitCommandLine(command);
  const first = programName(words[0] ?? '');
  const known = Object.hasOwn(LAUNCHERS, first) || isWrapper(first);
  return known ? [...words, ...args] : [command, ...args];
}

/** A script in `node_modules` is the package that it lies in, at the release that is installed. */
function installed(origin: Origin, root: string | undefined): Origin {
  if (origin.type !== 'local' || origin.path === undefined) return origin;
  const path = origin.path.replaceAll('\\', '/');
  const match = /^(.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/.@][^/]*))(?:\/|$)/.exec(path);
  if (!match) return origin;
  const [, folder = '', name = ''] = match;
  const found: Origin = { type: 'npm', package: name, installed: true };
  const version = root === undefined ? undefined : installedVersion(root, folder);
  if (version !== undefined) found.version = version;
  else found.requested = '';
  return found;
}

function installedVersion(root: string, folder: string): string | undefined {
  const manifest = readJsonFile(`${resolve(root, folder)}/package.json`);
  const version = manifest && own(manifest, 'version');
  return typeof version === 'string' && /^\d[\w.+-]*$/.test(version) ? version : undefined;
}

/**
 * The source of a launch for the lock, by the rules of each launcher. `root` is the folder that relative paths are
 * resolved against. Never holds user-info or a query.
 */
export function deriveSource(launch: Launch, options: { root: string }): Source {
  return toSource(deriveOrigin(launch, options), options.root);
}

function toSource(origin: Origin, root: string): Source {
  const { type } = origin;
  if (type === 'remote') {
    const source: Source = { type };
    if (origin.url !== undefined) source.url = plainUrl(origin.url);
    if (origin.via) {
      const via = toSource(origin.via, root);
      if (via.type === 'npm' || via.type === 'pypi') {
        source.via = { type: via.type, package: via.package ?? '' };
        if (via.version !== undefined) source.via.version = via.version;
        if (via.requested !== undefined) source.via.requested = via.requested;
      }
    }
    return source;
  }
  const source: Source =
    type === 'npm' || type === 'pypi' || type === 'local' ? { type } : { type: 'local', kind: type };
  if (origin.opaque) source.kind = 'opaque-shell';
  if (origin.package !== undefined) source.package = origin.package;
  if (origin.version !== undefined) source.version = origin.version;
  if (origin.requested !== undefined) source.requested = origin.requested;
  if (origin.mutable) source.mutable = true;
  if (origin.path !== undefined) source.path = shownPath(origin.path, root);
  return source;
}

/** Without user-info, query and fragment. A reference in it stays as written. */
export function plainUrl(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}

/** Relative to the root when inside it, else with home folders as `${HOME}`. */
function shownPath(path: string, root: string): string {
  if (!isAbsolute(path)) return path;
  const rest = slashed(relative(root, path));
  if (!rest.startsWith('../') && rest !== '..' && !isAbsolute(rest)) return rest === '' ? '.' : `./${rest}`;
  return maskPaths(path, [{ path: homedir(), name: 'HOME' }]);
}
