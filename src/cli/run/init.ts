import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { loadConfigs } from '../../config/load.ts';
import { loadPolicy, POLICY_FILES } from '../../config/policy.ts';
import { LOCK_NAME, workingTree } from '../../lock/find.ts';
import { AgentGateError } from '../../util/errors.ts';
import { slashed } from '../../util/paths.ts';
import type { Io } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { emit, lockfilePath, workingDirectory } from '../shared.ts';
import { STARTER_POLICY, starterWorkflow } from '../starter.ts';
import { runLock } from './lock.ts';

/** Writes what is missing, then the first lock; gives the exit code. */
export async function runInit(io: Io, options: CommonOptions): Promise<number> {
  const cwd = workingDirectory(io, options);
  // Whatever would make the lock impossible is said before anything is written.
  const policy = await loadPolicy(cwd);
  await loadConfigs({ cwd, config: options.config, allClients: options.allClients === true });
  const say = (text: string): Promise<void> =>
    options.quiet || options.format !== undefined ? Promise.resolve() : emit(io, {}, text);
  // Only workflows at the root of a repository are run.
  const root = (await workingTree(cwd)) ?? cwd;
  const workflow = join(root, '.github/workflows/agentgate.yml');
  const folder = slashed(relative(root, cwd));
  const lockfile = slashed(relative(cwd, await lockfilePath(io, options)));
  const inputs = {
    'working-directory': folder === '' ? undefined : folder,
    config: options.config,
    lockfile: lockfile === LOCK_NAME ? undefined : lockfile,
    'all-clients': options.allClients || undefined,
    skills: options.skills === 'true' ? true : options.skills,
  };
  await say(await outcome(workflow, slashed(relative(cwd, workflow)), starterWorkflow(inputs)));
  if (policy.file !== undefined) await say(`${policy.file} is there already, left as it is.`);
  else await say(await outcome(join(cwd, POLICY_FILES[0]), POLICY_FILES[0], STARTER_POLICY));
  return runLock(io, options);
}

async function outcome(absolute: string, shown: string, text: string): Promise<string> {
  const written = await writeNew(absolute, shown, text);
  return written ? `${shown} written.` : `${shown} is there already, left as it is.`;
}

/** Creates the file; false when it exists. */
async function writeNew(absolute: string, shown: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'EEXIST') return false;
    throw new AgentGateError('E_OUTPUT', `cannot write ${shown} (${code}); its folder must be writable`);
  }
}
