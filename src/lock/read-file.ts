import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
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
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES)
      throw new AgentGateError(
        'E_LOCK_TOO_LARGE',
        `${file} is larger than ${MAX_BYTES} bytes: it cannot be a lock.`,
        {
          file,
        },
      );
    return await readFile(path);
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
    throw new AgentGateError(
      'E_LOCK_UNREADABLE',
      `${file} cannot be read (${code ?? 'unknown error'}): check that it is a file and its permissions.`,
      { file },
      { cause },
    );
  }
}
