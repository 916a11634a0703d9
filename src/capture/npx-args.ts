/** What an `npx` or `npm exec` command line asks for, as far as it is understood. */
export interface NpxCall {
  /** Registry specs: `--package`, else the first positional argument. */
  packages: NpmSpec[];
  /** The program to run; `undefined` when npm takes it from the package's manifest. */
  bin: string | undefined;
  /** Arguments of that program. */
  args: string[];
  /** npm's own options, as given, without `--package` and `--yes`: they count for fetching too. */
  options: string[];
  /** The same as npm hands them to the program: `npm_config_<name>`. */
  config: Map<string, string>;
}

export interface NpmSpec {
  raw: string;
  name: string;
  /** The exact release, when the spec names one. */
  version?: string;
}

/** Options without a value that do not change what runs. */
const SWITCHES = new Map([
  ['yes', ['yes', 'true']],
  ['y', ['yes', 'true']],
  ['quiet', ['loglevel', 'warn']],
  ['q', ['loglevel', 'warn']],
  ['silent', ['loglevel', 'silent']],
  ['s', ['loglevel', 'silent']],
  ['prefer-offline', ['prefer_offline', 'true']],
  ['prefer-online', ['prefer_online', 'true']],
  ['offline', ['offline', 'true']],
  ['ignore-scripts', ['ignore_scripts', 'true']],
]);

const VALUED = new Set(['registry', 'loglevel']);

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Splits `@scope/name@spec`; `undefined` for anything but a registry spec (git, URL, folder, alias). */
export function parseNpmSpec(raw: string): NpmSpec | undefined {
  const match = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@([^@:/\\]*))?$/i.exec(raw);
  const name = match?.[1];
  if (name === undefined) return undefined;
  const wanted = match?.[2];
  return { raw, name, ...(wanted !== undefined && VERSION.test(wanted) ? { version: wanted } : {}) };
}

/**
 * Reads the arguments of `npx` (npm's `npx-cli.js`: options end at the first positional argument). `undefined`
 * when there is anything that changes what runs and is not understood here (`--call`, a git spec, `--prefix`): such
 * a call is left to npx.
 */
export function parseNpxArgs(args: string[]): NpxCall | undefined {
  const packages: NpmSpec[] = [];
  const options: string[] = [];
  const config = new Map<string, string>();
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') {
      index++;
      break;
    }
    if (!arg.startsWith('-')) break;
    const [, key = '', inline] = /^-{1,2}([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const switched = SWITCHES.get(key);
    if (switched !== undefined && inline === undefined) {
      config.set(`npm_config_${switched[0]}`, switched[1] ?? '');
      if (switched[0] !== 'yes') options.push(arg);
      continue;
    }
    const isPackage = key === 'p' || key === 'package';
    if (!isPackage && !VALUED.has(key)) return undefined;
    const value = inline ?? args[++index];
    if (value === undefined) return undefined;
    if (!isPackage) {
      config.set(`npm_config_${key}`, value);
      options.push(`--${key}=${value}`);
      continue;
    }
    const spec = parseNpmSpec(value);
    if (spec === undefined) return undefined;
    packages.push(spec);
  }
  const rest = args.slice(index);
  const [first, ...others] = rest;
  if (first === undefined) return undefined;
  if (packages.length > 0) {
    config.set('npm_config_package', packages.map((spec) => spec.raw).join('\n\n'));
    return { packages, bin: first, args: others, options, config };
  }
  const spec = parseNpmSpec(first);
  if (spec === undefined) return undefined;
  return { packages: [spec], bin: undefined, args: others, options, config };
}

/**
 * The npx arguments in a launch: `npx …`, `npm exec … -- …`, `npm x … -- …`. `undefined` for every other command,
 * also for a path: only the npx that is found on the PATH is known to be npm's.
 */
export function npxArguments(command: string, args: string[]): string[] | undefined {
  if (command === 'npx' || command === 'npx.cmd') return args;
  if (command !== 'npm' && command !== 'npm.cmd') return undefined;
  if (args[0] !== 'exec' && args[0] !== 'x') return undefined;
  // Without `--`, npm takes options behind the package for its own.
  return args.includes('--') ? args.slice(1) : undefined;
}
