import { lstat, mkdir, mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { isOutside, slashed } from '../util/paths.ts';
import type { Inputs } from './inputs.ts';

/** Where this run works and writes; all absolute. */
export interface Places {
  cwd: string;
  /** The working directory relative to the workspace, `/`-separated, `.` for itself. */
  workingDirectory: string;
  report: string;
  sarif: string;
}

/**
 * Resolves the paths of the inputs, and makes the folders of the files to be written.
 * @throws AgentGateError `E_INPUT` when the working directory is none, or a path leaves the workspace by a link
 */
export async function findPlaces(inputs: Inputs, workspace: string, env: NodeJS.ProcessEnv): Promise<Places> {
  const cwd = resolve(workspace, inputs.workingDirectory);
  const info = await stat(cwd).catch(() => undefined);
  if (!info?.isDirectory())
    throw new AgentGateError(
      'E_INPUT',
      `input working-directory names ${JSON.stringify(inputs.workingDirectory)}, which is no folder in the workspace; is the checkout step before this one?`,
    );
  await assertInside(cwd, workspace, 'working-directory');
  // A folder of its own: two checks in one job must not overwrite each other's files.
  const folder =
    inputs.report === undefined || inputs.sarif === undefined ? await temporaryFolder(env) : undefined;
  const place = async (input: 'report' | 'sarif', name: string): Promise<string> => {
    const given = inputs[input];
    if (given === undefined) return join(folder ?? tmpdir(), name);
    const path = resolve(cwd, given);
    await assertInside(await nearestFolder(dirname(path)), workspace, input);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  return {
    cwd,
    workingDirectory: slashed(relative(workspace, cwd)) || '.',
    report: await place('report', 'report.json'),
    sarif: await place('sarif', 'report.sarif'),
  };
}

/** A fresh folder that no server can know beforehand. */
export async function temporaryFolder(env: NodeJS.ProcessEnv): Promise<string> {
  return mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'agentgate-'));
}

/** The folder itself or what is there of its way: nothing is made before it is known where. */
async function nearestFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder))
    if ((await lstat(folder).catch(() => undefined)) || folder === dirname(folder)) return folder;
}

/** The pull request may have put a link where the workflow's author meant a folder of the checkout. */
async function assertInside(path: string, workspace: string, input: string): Promise<void> {
  if (isOutside(workspace, path)) return;
  if (!isOutside(await realpath(workspace), await realpath(path))) return;
  throw new AgentGateError(
    'E_INPUT',
    `input ${input} leads out of the workspace by a symbolic link; name the real folder`,
  );
}
