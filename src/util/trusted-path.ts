import { delimiter, isAbsolute } from 'node:path';
import { isOutside, real } from './paths.ts';

/**
 * The entries of a PATH that nothing in `folders` can fill: absolute ones, outside of them, also where they lead. What
 * runs with the job's own rights is looked up on these alone: a checkout comes with the pull request, and workflows put
 * folders of it on the PATH (`node_modules/.bin`, a virtual environment). The empty entry, and a relative one, mean the
 * working directory.
 */
export function trustedPath(path: string, folders: readonly string[]): string {
  const closed = folders.flatMap((folder) => [folder, real(folder) ?? folder]);
  const isClosed = (entry: string): boolean => closed.some((folder) => !isOutside(folder, entry));
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isClosed(entry) && !isClosed(real(entry) ?? entry))
    .join(delimiter);
}
