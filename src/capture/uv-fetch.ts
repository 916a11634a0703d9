import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedStdio } from '../config/types.ts';
import { isForbiddenVariable, type JobEnvironment } from './environment.ts';
import { installError, prepareFetch, runFetch } from './fetch.ts';
import { findCommand } from './find-command.ts';
import { packageCaches } from './package-caches.ts';
import type { StartOptions } from './start-options.ts';

/** Options of uvx that take a value and say what is installed. */
const VALUED = new Set([
  '--from',
  '--with',
  '--python',
  '-p',
  '--index',
  '--index-url',
  '--extra-index-url',
  '--default-index',
]);

/** In the server's temporary folder. */
const OWN_CACHE = 'uv-cache';

/** Ends at once, without reading a `.pth` file or `sitecustomize` of what was installed: that would be the package's code. */
const NOTHING = ['python', '-I', '-S', '-c', ''];

/**
 * For a launch by `uvx` or `uv tool run`: fills uv's cache, so that the start itself does not count the download.
 * First with the job's index credentials and wheels only, which run no code of the package; when there is no wheel,
 * without the credentials and with builds, into a cache of this server's own: what a build writes must not reach the
 * packages of others. `undefined` when there is nothing to fetch; after a build the launch gets its cache.
 */
export async function fetchByUv(
  launch: ResolvedStdio,
  options: StartOptions,
  notes: string[],
): Promise<ResolvedStdio | undefined> {
  const args = uvxArguments(launch.command, launch.args);
  const wanted = args && uvxSpecs(args);
  if (wanted === undefined) return undefined;
  const job = options.job ?? process.env;
  if (findCommand(launch.command, job.PATH ?? '', launch.cwd) === undefined) return undefined;
  const fetch = await prepareFetch(options, 'uv');
  const caches = packageCaches(job).filter((cache) => cache.manager === 'uv');
  for (const cache of caches) await mkdir(cache.path, { recursive: true });
  const run = (env: Map<string, string>, writable: string[], overlays: string[]) =>
    runFetch(fetch, {
      command: launch.command,
      args: [...(launch.command.startsWith('uvx') ? [] : ['tool', 'run']), ...wanted, ...NOTHING],
      env,
      cwd: fetch.folder,
      writable,
      overlays,
    });
  const shared = caches.map((cache) => cache.path);
  const careful = await run(new Map([...indexVariables(job, true), ['UV_NO_BUILD', '1']]), shared, []);
  if (careful.code === 0) return launch;
  const own = join(options.folders.tmpdir, OWN_CACHE);
  await mkdir(own, { recursive: true });
  const variables = indexVariables(job, false).set('UV_CACHE_DIR', own);
  const built = await run(variables, [own], shared);
  if (built.code !== 0) throw installError(options.server, 'uv could not fetch its package', built);
  notes.push('the package was built from source, without the credentials of the index');
  return { ...launch, env: new Map([['UV_CACHE_DIR', own], ...launch.env]) };
}

function uvxArguments(command: string, args: string[]): string[] | undefined {
  if (command === 'uvx' || command === 'uvx.exe') return args;
  if (command !== 'uv' && command !== 'uv.exe') return undefined;
  return args[0] === 'tool' && args[1] === 'run' ? args.slice(2) : undefined;
}

/** The options before the program's name, with `--from`; `undefined` when one of them is unknown. */
function uvxSpecs(args: string[]): string[] | undefined {
  const options: string[] = [];
  let from = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (!arg.startsWith('-')) {
      // A folder or file is built in place: that is the project's own code, not a package.
      if (!from && /^[./]/.test(arg)) return undefined;
      return from ? options : ['--from', arg, ...options];
    }
    const [name = ''] = arg.split('=');
    if (name === '--from') from = true;
    if (VALUED.has(name)) {
      options.push(arg);
      if (!arg.includes('=')) options.push(args[++index] ?? '');
    } else if (['--quiet', '-q', '--offline', '--isolated', '--no-cache', '--refresh'].includes(arg))
      options.push(arg);
    else return undefined;
  }
  return undefined;
}

function indexVariables(job: JobEnvironment, credentials: boolean): Map<string, string> {
  const env = new Map<string, string>();
  for (const [name, value] of Object.entries(job)) {
    if (value === undefined || isForbiddenVariable(name)) continue;
    if (!/^(UV_.*INDEX.*|UV_KEYRING_PROVIDER|PIP_(EXTRA_)?INDEX_URL)$/.test(name)) continue;
    const isCredential = /USERNAME|PASSWORD/.test(name) || /\/\/[^/\s]*@/.test(value);
    if (credentials || !isCredential) env.set(name, value);
  }
  return env;
}
