import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AgentGateError } from '../util/errors.ts';
import { parseLock } from './read.ts';
import type { Lock } from './types.ts';

/** Bytes; ten times a lock of 10,000 tools. V8 holds no string over 512 Mi code units. */
const MAX_BYTES = 320 * 1024 * 1024;

/** A lock, and the file that it was read from. */
export interface LockFile {
  lock: Lock;
  /** As stored, for line numbers. */
  text: string;
  /** Of the file's bytes, hexadecimal. */
  sha256: string;
}

/**
 * Reads a lock from a file. `file` is the name to show. Throws as `parseLock` does, and `E_LOCK_MISSING`,
 * `E_LOCK_UNREADABLE`, `E_LOCK_TOO_LARGE` and `E_LOCK_ENCODING` (no valid UTF-8).
 */
export async function readLock(path: string, file: string): Promise<LockFile> {
  const bytes = await readBytes(path, file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AgentGateError(
      'E_LOCK_ENCODING',
      `${file} is not valid UTF-8: restore it from git, or save it as UTF-8.`,
      { file },
    );
  }
  return { lock: parseLock(text, file), text, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function readBytes(path: string, file: string): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // A pipe that nobody writes to would hold `open` for ever, and the process with it.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (stats.size > MAX_BYTES) throw tooLarge(file);
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
      if (size > MAX_BYTES) throw tooLarge(file);
      chunks.push(buffer.subarray(0, bytesRead));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      waits++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  throw unreadable(file, 'nothing more came through this pipe');
}

function tooLarge(file: string): AgentGateError {
  return new AgentGateError(
    'E_LOCK_TOO_LARGE',
    `${file} is larger than ${MAX_BYTES} bytes: it cannot be a lock.`,
    { file },
  );
}

function unreadable(file: string, why: string, cause?: unknown): AgentGateError {
  return new AgentGateError(
    'E_LOCK_UNREADABLE',
    `${file} cannot be read (${why}): check that it is a file and its permissions.`,
    { file },
    { cause },
  );
}
