import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentGateError } from '../util/errors.ts';
import { collectGarbage, collectSooner } from '../util/garbage.ts';
import { type LockLines, lockLines } from './lines.ts';
import { LARGE_LOCK, LOCK_BYTES, LOCK_WEIGHT, tooLarge } from './lock-size.ts';
import { parseLock } from './read.ts';
import type { Lock } from './types.ts';

/** A lock, and what is known of the file that it was read from. */
export interface LockFile {
  lock: Lock;
  lines: LockLines;
  /** Of the file's bytes, hexadecimal. */
  sha256: string;
  /** Of the file, in bytes. */
  size: number;
}

/**
 * Reads a lock from a file. `file` is the name to show. Throws as `parseLock` does, and `E_LOCK_MISSING`,
 * `E_LOCK_UNREADABLE`, `E_LOCK_TOO_LARGE` and `E_LOCK_ENCODING` (no valid UTF-8).
 */
export async function readLock(path: string, file: string): Promise<LockFile> {
  const { text, sha256, size } = decode(await readBytes(path, file), file);
  if (text.length <= LARGE_LOCK) return { lock: parseLock(text, file), lines: lockLines(text), sha256, size };
  // Of a large lock nothing stays that can be let go: its bytes are gone here, its text at the end.
  collectSooner();
  collectGarbage();
  const lock = parseLock(text, file);
  return { lock, lines: lockLines(text, { now: true }), sha256, size };
}

function decode(bytes: Buffer, file: string): { text: string; sha256: string; size: number } {
  if (bytes.length > LOCK_WEIGHT / 2 && isWide(bytes)) throw tooLarge(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, sha256: hash('sha256', bytes, 'hex'), size: bytes.length };
  } catch {
    throw new AgentGateError(
      'E_LOCK_ENCODING',
      `${file} is not valid UTF-8: restore it from git, or save it as UTF-8.`,
      { file },
    );
  }
}

/** True for UTF-8 of which V8 makes a text of two bytes a character: one beyond U+00FF begins with such a byte. */
function isWide(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte >= 0xc4) return true;
  return false;
}

async function readBytes(path: string, file: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // A pipe that nobody writes to would hold `open` for ever, and the process with it.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (stats.size > LOCK_BYTES) throw tooLarge(file);
    if (stats.isFIFO()) return await readPipe(handle, file);
    // A link in a repository may lead to a device that never ends.
    if (!stats.isFile()) throw unreadable(file, stats.isDirectory() ? 'EISDIR' : 'it is no file');
    return await handle.readFile();
  } catch (cause) {
    if (cause instanceof AgentGateError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new AgentGateError(
        'E_LOCK_MISSING',
        `There is no ${file}: run "agentgate lock" and commit the file.`,
        {
          file,
        },
      );
    throw unreadable(file, code ?? 'unknown error', cause);
  } finally {
    await handle?.close();
  }
}

/** Waits of a pipe's reader, 10 ms each: half a minute. */
const MAX_WAITS = 3_000;

/** What a shell's `<(git show main:agentgate.lock)` gives, up to the end that its writer makes. */
async function readPipe(handle: FileHandle, file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let waits = 0; waits < MAX_WAITS; ) {
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536));
      if (bytesRead === 0) return Buffer.concat(chunks);
      size += bytesRead;
      if (size > LOCK_BYTES) throw tooLarge(file);
      chunks.push(buffer.subarray(0, bytesRead));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      waits++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  throw unreadable(file, 'nothing more came through this pipe');
}

function unreadable(file: string, why: string, cause?: unknown): AgentGateError {
  return new AgentGateError(
    'E_LOCK_UNREADABLE',
    `${file} cannot be read (${why}): it must be a file that you may read.`,
    { file },
    { cause },
  );
}
