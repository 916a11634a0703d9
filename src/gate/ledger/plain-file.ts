import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Not there on Windows, where nothing of the kind can be opened by a path. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/**
 * Opens a plain file. To open a pipe would wait for a writer, and a device may never end: those throw, as the file system
 * throws for what it cannot open.
 */
export function openPlain(path: string, flags: 'r' | 'r+'): number {
  const access = flags === 'r' ? constants.O_RDONLY : constants.O_RDWR;
  const file = openSync(path, access | NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error('it is no plain file');
}

/** All bytes of a plain file. Throws as {@link openPlain} does. */
export function readPlain(path: string): Buffer {
  const file = openPlain(path, 'r');
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
