import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { LedgerEntry } from './entry.ts';
import { ledgerProblem, unreadableLedger, unwritableLedger } from './ledger-errors.ts';
import { openPlain } from './plain-file.ts';
import { readEntries, type TornTail } from './tail.ts';

const syncData = promisify(fdatasync);

/**
 * A ledger's file as one process has read it, up to the end of a line. What it reads next must be a continuation of that,
 * in the same file. Writing is for who holds the ledger's lock.
 */
export class LedgerFile {
  readonly path: string;
  private inode: number | undefined;
  /** Bytes that were read and checked, in whole lines. */
  private offset = 0;
  private lastLine: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.path = path;
  }

  /** A descriptor, which the caller closes; undefined when there is no file yet. */
  open(flags: 'r' | 'r+'): number | undefined {
    let file: number;
    try {
      file = openPlain(this.path, flags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && this.inode === undefined) return undefined;
      if (code === 'ENOENT')
        throw ledgerProblem(this.path, 'E_LEDGER_TRUNCATED', 'was removed while it was in use');
      throw flags === 'r' ? unreadableLedger(this.path, error) : unwritableLedger(this.path, error);
    }
    const { ino } = fstatSync(file);
    if (this.inode !== undefined && this.inode !== ino) {
      closeSync(file);
      throw ledgerProblem(
        this.path,
        'E_LEDGER_REWRITTEN',
        'was replaced by another file while it was in use',
      );
    }
    this.inode = ino;
    return file;
  }

  /** Throws `E_LEDGER_UNWRITABLE` where nothing could be appended. */
  checkWritable(): void {
    try {
      accessSync(this.inode === undefined ? dirname(this.path) : this.path, constants.W_OK);
    } catch (error) {
      throw unwritableLedger(this.path, error);
    }
  }

  /**
   * Reads the new lines, which go on from `chain`; a last line without its line feed counts as not written. Throws the first
   * problem.
   */
  catchUp(
    file: number,
    chain: { seq: number; hash: string },
  ): { entries: LedgerEntry[]; torn?: TornTail | undefined } {
    const problem = (code: string, text: string) => ledgerProblem(this.path, code, text);
    const { size } = fstatSync(file);
    if (size === 0) throw problem('E_LEDGER_TRUNCATED', 'is empty: somebody emptied it');
    if (size < this.offset) throw problem('E_LEDGER_TRUNCATED', 'was cut while it was in use');
    const from = this.offset - this.lastLine.length;
    const bytes = Buffer.alloc(size - from);
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(file, bytes, read, bytes.length - read, from + read);
      if (count === 0) throw problem('E_LEDGER_TRUNCATED', 'was cut while it was read');
      read += count;
    }
    if (!bytes.subarray(0, this.lastLine.length).equals(this.lastLine))
      throw problem('E_LEDGER_REWRITTEN', 'was rewritten while it was in use');
    const fresh = readEntries(bytes.subarray(this.lastLine.length), chain);
    if (fresh.problem !== undefined)
      throw problem(fresh.problem.code, `line ${fresh.problem.line}: ${fresh.problem.text}`);
    this.offset += fresh.length;
    if (fresh.lastLine !== undefined) this.lastLine = fresh.lastLine;
    return { entries: fresh.entries, torn: fresh.torn };
  }

  /** Appends whole lines in the place of a torn tail, on disk when it resolves. Throws what the file system throws. */
  async append(file: number, lines: readonly string[], torn: TornTail | undefined): Promise<void> {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    let written = 0;
    try {
      while (written < bytes.length)
        written += writeSync(file, bytes, written, bytes.length - written, this.offset + written);
      if (torn !== undefined && torn.bytes.length > bytes.length)
        ftruncateSync(file, this.offset + bytes.length);
      await syncData(file);
    } catch (error) {
      try {
        ftruncateSync(file, this.offset);
      } catch {
        // Then a torn tail is left, which the next append cuts.
      }
      throw error;
    }
    this.advance(bytes, lines);
  }

  /** Makes the file. Written whole under another name first: a ledger that is empty was emptied by somebody. */
  create(lines: readonly string[]): void {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const temporary = `${this.path}.${process.pid}.new`;
    const file = openSync(temporary, 'w', 0o640);
    try {
      if (isShared(dirname(this.path))) fchmodSync(file, 0o660);
      writeSync(file, bytes);
      fsyncSync(file);
      linkSync(temporary, this.path);
      this.inode = fstatSync(file).ino;
    } finally {
      closeSync(file);
      unlinkSync(temporary);
    }
    const folder = openSync(dirname(this.path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    this.advance(bytes, lines);
  }

  /** The next reading begins at the first line. */
  forget(): void {
    this.offset = 0;
    this.lastLine = Buffer.alloc(0);
  }

  private advance(bytes: Buffer, lines: readonly string[]): void {
    this.offset += bytes.length;
    this.lastLine = Buffer.from(`${lines.at(-1)}\n`);
  }
}

/** A folder that an administrator has given to a group (`chmod 2770`): an operator of another user writes there, too. */
function isShared(folder: string): boolean {
  return process.platform !== 'win32' && (statSync(folder).mode & 0o2020) === 0o2020;
}
