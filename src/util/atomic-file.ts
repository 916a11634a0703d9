import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: a temporary file beside it, fsync, rename. An interrupted write leaves the
 * old file. Synchronous inside, so that a signal that this process handles cannot end it in the midst. Errors of the
 * file system are thrown as they are.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await writePartsAtomic(path, [data]);
}

/** As {@link writeFileAtomic}, for what would take too much memory in one piece. */
export async function writePartsAtomic(path: string, parts: Iterable<string | Uint8Array>): Promise<void> {
  const temporary = join(dirname(path), `.agentgate-${randomUUID()}.tmp`);
  const file = openSync(temporary, 'wx', 0o644);
  try {
    try {
      for (const part of parts) writeFileSync(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
