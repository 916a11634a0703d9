import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isForbiddenVariable, type JobEnvironment } from './environment.ts';
import { realHome } from './package-caches.ts';

export interface NpmConfigInput {
  /** False: everything that could be a credential is left out. */
  credentials: boolean;
  /** Names of variables that a project's own `.npmrc` may use. */
  passEnv: string[];
  /** The project's folder, whose `.npmrc` may say which registry a scope comes from. */
  project: string | undefined;
}

/** Settings of a project's `.npmrc` that say where packages come from; others could name programs to run. */
const PROJECT_KEYS =
  /^(registry|@[^:\s]+:registry|\/\/[^\s]+:_?auth(token)?|\/\/[^\s]+:(username|_password))$/i;
const CREDENTIAL = /(_auth|_password|_authtoken|username|email|certfile|keyfile|\bkey\b|\bcert\b|otp)/i;

/**
 * Writes copies of the job's npm settings into `folder` and gives the variables that make npm use them. The job's own
 * files stay hidden from what npm starts.
 *
 * Variables (`${NODE_AUTH_TOKEN}`) are put in for the user's own file only: a project's `.npmrc` comes with the pull
 * request, and could send any variable of the job to a registry of its own. There, only `pass-env` counts.
 */
export async function copyNpmConfig(
  folder: string,
  job: JobEnvironment,
  input: NpmConfigInput,
): Promise<Map<string, string>> {
  const env = new Map<string, string>();
  for (const [name, value] of Object.entries(job)) {
    if (value === undefined || !/^npm_config_/i.test(name) || isForbiddenVariable(name)) continue;
    const key = name.slice('npm_config_'.length).toLowerCase();
    if (['userconfig', 'globalconfig', 'cache', 'prefix', 'yes', 'call', 'package'].includes(key)) continue;
    if (!input.credentials && (CREDENTIAL.test(key) || /\/\/[^/]*@/.test(value))) continue;
    env.set(name, value);
  }
  const home = realHome(job);
  const userFile = job.NPM_CONFIG_USERCONFIG || job.npm_config_userconfig || (home && join(home, '.npmrc'));
  const user = lines(userFile)
    .filter((line) => input.credentials || !isCredential(line))
    .map((line) => expand(line, (name) => (isForbiddenVariable(name) ? undefined : job[name])));
  const target = join(folder, 'user-npmrc');
  await writeFile(target, `${user.join('\n')}\n`, { mode: 0o600 });
  env.set('npm_config_userconfig', target);

  const kept = projectSettings(input.project).map((line) =>
    expand(line, (name) =>
      input.passEnv.includes(name) && !isForbiddenVariable(name) ? job[name] : undefined,
    ),
  );
  // The fetch runs in `folder`: this is its project file.
  await writeFile(join(folder, '.npmrc'), `${kept.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  return env;
}

/** The lines of a project's own `.npmrc` that say where packages come from, as written. */
export function projectSettings(project: string | undefined): string[] {
  const all = project === undefined ? [] : lines(join(project, '.npmrc'));
  return all.filter((line) => PROJECT_KEYS.test(line.slice(0, Math.max(line.indexOf('='), 0)).trim()));
}

function isCredential(line: string): boolean {
  return (
    CREDENTIAL.test(line.slice(0, line.indexOf('='))) || /\/\/[^/\s]*@/.test(line) || line.includes('${')
  );
}

function lines(file: string | undefined): string[] {
  if (file === undefined || !existsSync(file)) return [];
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** npm's own form of reference; an unset variable stays as written, as in npm. */
function expand(line: string, value: (name: string) => string | undefined): string {
  return line.replace(/\$\{([^}?]+)\??\}/g, (whole, name: string) => value(name) ?? whole);
}
