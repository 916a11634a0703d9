import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of odd servers and recorded surfaces beside the project, or undefined where there is none. */
export function sharedDir(): string | undefined {
  const folder = resolve(import.meta.dirname, '../../../shared');
  return existsSync(join(folder, 'peers')) ? realpathSync(folder) : undefined;
}
