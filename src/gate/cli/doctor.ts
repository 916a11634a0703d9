import { join, relative } from 'node:path';
import { Command } from 'commander';
import type { Io } from '../../cli/io.ts';
import { addOptions, type CommonOptions } from '../../cli/options.ts';
import type { Finish } from '../../cli/run-program.ts';
import { lockfilePath, workingDirectory } from '../../cli/shared.ts';
import { loadConfigs } from '../../config/load.ts';
import { workingTree } from '../../lock/find.ts';
import { AgentGateError } from '../../util/errors.ts';
import { visibleLine } from '../../util/hidden.ts';
import { slashed } from '../../util/paths.ts';
import { examineGithub } from '../doctor/github.ts';
import { githubAccess, repositoryName } from '../github/access.ts';

interface DoctorOptions extends Omit<CommonOptions, 'format'> {
  github?: boolean;
  repo?: string;
  branch?: string;
  check: string;
  json?: boolean;
}

const MARKS = { set: 'ok     ', missing: 'MISSING', unknown: 'unknown' } as const;

/** `agentgate doctor --github`: does GitHub demand a second person for a change of the lock? */
export function doctorCommand(io: Io, finish: Finish): Command {
  const command = new Command('doctor')
    .description(
      'Check that GitHub demands a review of every change to the lock (reads settings, changes nothing).',
    )
    .requiredOption('--github', 'Read the rulesets and branch protection of the repository.')
    .option('--repo <owner/name>', 'The repository; default: GITHUB_REPOSITORY.')
    .option('--branch <name>', 'The branch; default: the repository’s default branch.')
    .option('--check <name>', 'The name of the required check.', 'agentgate')
    .option('--json', 'Print JSON.')
    .action(async (options: DoctorOptions) => {
      finish(await doctor(io, options));
    });
  return addOptions(command, ['--cwd', '--config', '--lockfile', '--verbose']);
}

/** 0 when everything is set, 1 when something is missing, 2 when something could not be read. */
async function doctor(io: Io, options: DoctorOptions): Promise<number> {
  const repository = repositoryName(io.env, 'give --repo owner/name', options.repo);
  const { branch, findings } = await examineGithub({
    access: githubAccess(io.env),
    repository,
    check: options.check,
    paths: await reviewedPaths(io, options),
    ...(options.branch === undefined ? {} : { branch: options.branch }),
  });
  if (options.json === true) io.stdout.write(`${JSON.stringify({ repository, branch, findings })}\n`);
  else {
    io.stdout.write(`${repository}, branch ${visibleLine(branch)}\n`);
    for (const { state, text } of findings) io.stdout.write(`${MARKS[state]}  ${visibleLine(text)}\n`);
  }
  if (findings.some(({ state }) => state === 'unknown')) return 2;
  return findings.some(({ state }) => state === 'missing') ? 1 : 0;
}

/** Lock, policy, configs and workflows, as paths in the repository. */
async function reviewedPaths(io: Io, options: DoctorOptions): Promise<string[]> {
  const common: CommonOptions = { cwd: options.cwd, lockfile: options.lockfile };
  const cwd = workingDirectory(io, common);
  const root = (await workingTree(cwd)) ?? cwd;
  const inRepository = (path: string): string => slashed(relative(root, path));
  const paths = [inRepository(await lockfilePath(io, common)), inRepository(join(cwd, 'agentgate.yml'))];
  try {
    // An entry of the proxy leads on to a further file only with the keys that it was made for.
    for (const allClients of [false, true]) {
      const { files } = await loadConfigs({ cwd, config: options.config, allClients });
      paths.push(...files.map((file) => inRepository(join(cwd, file))));
    }
  } catch (error) {
    if (!(error instanceof AgentGateError) || error.code !== 'E_NO_CONFIG') throw error;
  }
  paths.push('.github/agentgate.yml', '.github/workflows/agentgate.yml');
  return [...new Set(paths)];
}
