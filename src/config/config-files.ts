import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { isOutside } from '../util/paths.ts';
import { isJobFile } from './job-files.ts';

/** No config is near it; a larger one is a mistake or an attack on memory: YAML takes 180 times its size. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * Reads a text file below `cwd`. `file` is relative and `/`-separated. Throws `E_CONFIG_READ` when it cannot be
 * read, is no regular file, is over {@link MAX_CONFIG_BYTES} or no UTF-8, and `E_CONFIG_OUTSIDE` when it, or the
 * file that it links to, lies outside `cwd`.
 */
export async function readConfigFile(cwd: string, file: string): Promise<string> {
  const path = join(cwd, file);
  let bytes: Buffer;
  try {
    const target = await realpath(path);
    if (isOutside(await realpath(cwd), target)) throw outside(file);
    if (isJobFile(target)) {
      throw new AgentGateError(
        'E_CONFIG_READ',
        `${file} leads to a file of the job itself; it was not read.`,
        {
          file,
        },
      );
    }
    // A pipe that nobody writes to would hold `open` for ever, and the process with it.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new AgentGateError('E_CONFIG_READ', `${file} is not a file.`, { file });
      if (stat.size > MAX_CONFIG_BYTES) {
        throw new AgentGateError(
          'E_CONFIG_READ',
          `${file} is over 1 MiB, more than any config; it was not read.`,
          { file },
        );
      }
      bytes = await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AgentGateError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const why = code === 'ENOENT' ? 'it does not exist' : code;
    throw new AgentGateError('E_CONFIG_READ', `${file} cannot be read: ${why}.`, { file }, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AgentGateError(
      'E_CONFIG_SYNTAX',
      `${file} is not UTF-8; save it as UTF-8.`,
      { file },
      { cause },
    );
  }
}

/** The error of a path outside the working directory. */
export function outside(file: string): AgentGateError {
  return new AgentGateError(
    'E_CONFIG_OUTSIDE',
    `${file} lies outside the working directory; set the working directory to a folder that holds it.`,
    { file },
  );
}
