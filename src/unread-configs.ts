import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from './lock/types.ts';
import type { Report } from './report/model.ts';
import { isOutside } from './util/paths.ts';

/**
 * Says of entries that nothing declares any more where their config is there all the same and was not read: the run was
 * then not asked for what the lock was made of, as where `--config` was left out.
 *
 * @param gone - keys of such entries
 * @param read - the configs that were read, relative to the working directory
 * @param folder - that of the lock: the paths in it are relative to where it was made, as a rule beside it
 */
export function unreadConfigs(
  lock: Lock,
  gone: readonly string[],
  { read, folder }: { read: readonly string[]; folder: string },
): Report['info'] {
  return gone.flatMap((key) => {
    const config = lock.servers.get(key)?.config;
    if (config === undefined || read.includes(config)) return [];
    const path = join(folder, config);
    if (isOutside(folder, path) || !existsSync(path)) return [];
    return [
      {
        code: 'config-unread',
        server: key,
        message: `it was pinned from ${config}, which is there and was not read: name it with --config (config of the action), as the lock was made`,
      },
    ];
  });
}
