import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: a temporary file beside it, fsync, rename. An interrupted write leaves the
 * old file. Errors of the file system are thrown as they are.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.agentgate-${randomUUID()}.tmp`);
  // A signal may end the process in the midst of it.
  const onExit = (): void => rmSync(temporary, { force: true });
  process.on('exit', onExit);
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    process.off('exit', onExit);
  }
}
