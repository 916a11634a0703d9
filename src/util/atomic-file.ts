import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Writes a file whole or not at all: a temporary file beside it, fsync, rename. An interrupted write leaves the
 * old file. A link is replaced, never followed. Synchronous inside, so that a signal that this process handles cannot end it in the midst. Errors of the
 * file system are thrown as they are. A device or pipe (`/dev/stdout`) is written to and never replaced.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await writePartsAtomic(path, [data]);
}

/**
 * As {@link writeFileAtomic}, for what would take too much memory in one piece. `confirm` is called when all is written
 * but the name; what it throws leaves the old file.
 */
export async function writePartsAtomic(
  path: string,
  parts: Iterable<string | Uint8Array>,
  confirm: () => void = () => undefined,
): Promise<void> {
  const special = specialTarget(path);
  if (special === 'stream') return writeInPlace(path, parts);
  const target = special ?? path;
  const temporary = join(dirname(target), `.agentgate-${randomUUID()}.tmp`);
  const file = openSync(temporary, 'wx', 0o644);
  try {
    try {
      for (const part of parts) writeFileSync(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    confirm();
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Links here lead to what the process has open: they belong to the machine. */
const SYSTEM = /^\/(?:dev|proc)\//;

/**
 * `stream` for what is neither a file nor missing: renaming a file over a device would take it from the whole machine.
 * The file behind a link of the system, where standard output goes to one. Else undefined.
 */
function specialTarget(path: string): string | undefined {
  // A link in a checkout may lead to a device, a disk among them, or to a log that reads commands.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && !SYSTEM.test(resolve(path))) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) return 'stream';
  return stats?.isFile() && SYSTEM.test(resolve(path)) ? realpathSync(path) : undefined;
}

function writeInPlace(path: string, parts: Iterable<string | Uint8Array>): void {
  // Opening a pipe that nobody reads would wait for ever; without waiting it fails (ENXIO).
  const probe = openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  const file = openSync(path, constants.O_WRONLY);
  closeSync(probe);
  try {
    for (const part of parts) writeFileSync(file, part);
  } finally {
    closeSync(file);
  }
}
