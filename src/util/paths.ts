import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** True when `path` is neither `folder` nor below it. Both absolute and free of links. */
export function isOutside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '..' || rest.startsWith(`..${sep}`) || isAbsolute(rest);
}

/** The real path of something that exists, else `undefined`. */
export function real(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A path with `/` between its segments, as locks, reports and configs hold it. */
export function slashed(path: string): string {
  return path.split(sep).join('/');
}
