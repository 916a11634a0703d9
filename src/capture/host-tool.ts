import { basename } from 'node:path';
import { trustedPath } from '../util/trusted-path.ts';
import type { JobEnvironment } from './environment.ts';
import { findCommand } from './find-command.ts';

/** Whose project a program must not come from. */
export interface ProjectFolders {
  cwd: string;
  /** The project's own folder. */
  root?: string;
}

/** The job's PATH without what the project could fill, see `trustedPath`. */
export function hostPath({ cwd, root }: ProjectFolders, job: JobEnvironment): string {
  const folders = [cwd, root, job.GITHUB_WORKSPACE].filter((folder) => folder !== undefined && folder !== '');
  return trustedPath(job.PATH ?? job.Path ?? '', folders as string[]);
}

/**
 * The program that may run with the job's own rights: the one that the job's PATH gives for this name. `undefined` for a
 * path, and when there is none or the project itself brings it.
 */
export function hostTool(command: string, project: ProjectFolders, job: JobEnvironment): string | undefined {
  if (basename(command) !== command) return undefined;
  const found = findCommand(command, job.PATH ?? job.Path ?? '', project.cwd);
  return found !== undefined && found === findCommand(command, hostPath(project, job), '/')
    ? found
    : undefined;
}
