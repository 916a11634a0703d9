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
  mkdirSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import { type EntryDraft, GENESIS, type LedgerEntry, makeEntry } from './entry.ts';
import { FileLock, removeLitter } from './file-lock.ts';
import { readEntries, type TornTail, tornDraft } from './tail.ts';

const syncData = promisify(fdatasync);
/** Jobs that share one write and one fsync. */
const MAX_GROUP = 1_000;

/** Something that is kept up to date with the entries, in their order. */
export interface Fold {
  apply(entry: LedgerEntry): void;
  /** Forgets everything: the entries come again from the first. */
  reset(): void;
}

export interface LedgerOptions {
  fold?: Fold;
  /** Default: the clock. */
  now?: () => Date;
  /** Told once when a file is begun anew, and when a torn tail was cut: neither may be silent. */
  notice?: (text: string) => void;
}

/**
 * Decides what to append, on the ground of everything that was appended before, by any process. Nothing else is appended
 * between the decision and its entries. To refuse, it throws: nothing is appended for it.
 */
export type Decision = () => EntryDraft[];

interface Job {
  decide: Decision;
  done: (entries: LedgerEntry[]) => void;
  fail: (error: unknown) => void;
}

/**
 * The append-only, hash-chained ledger (`GATE.md` §5), shared by processes. Appends that wait for each other go out
 * together, with one fsync; `commit` resolves when they are on disk. What is not an intact continuation of what this
 * process has read is never appended to: `E_LEDGER_…`.
 */
export class Ledger {
  readonly path: string;
  private readonly options: LedgerOptions;
  private readonly lock: FileLock;
  private readonly queue: Job[] = [];
  private draining = false;
  /** Decided entries are on their way to the disk: what is read there meanwhile is what is known already. */
  private writing = false;
  /** Bytes that were read and checked, in whole lines. */
  private offset = 0;
  private inode: number | undefined;
  private seq = 0;
  private lastHash = GENESIS;
  private lastLine: Buffer = Buffer.alloc(0);

  private constructor(path: string, options: LedgerOptions) {
    this.path = resolve(path);
    this.options = options;
    this.lock = new FileLock(`${this.path}.lock`);
  }

  /**
   * Reads and checks the whole ledger. One that does not exist is made by the first append. Throws the first problem
   * (`E_LEDGER_EDITED`, …), `E_LEDGER_UNREADABLE` and `E_LEDGER_UNWRITABLE`.
   */
  static async open(path: string, options: LedgerOptions = {}): Promise<Ledger> {
    const ledger = new Ledger(path, options);
    try {
      mkdirSync(dirname(ledger.path), { recursive: true });
      removeLitter(`${ledger.path}.lock`);
    } catch (error) {
      if (error instanceof AgentGateError) throw error;
      throw ledger.unwritable(error);
    }
    ledger.refresh();
    return ledger;
  }

  /** Entries that this process has read. */
  get size(): number {
    return this.seq;
  }

  /** Hash of the last entry that this process has read. */
  get head(): string {
    return this.lastHash;
  }

  /** Reads what others have appended. A half-written last line is left for later. Throws as `open` does. */
  refresh(): void {
    if (this.writing) return;
    const file = this.openFile('r');
    if (file === undefined) return;
    try {
      this.catchUp(file);
    } finally {
      closeSync(file);
    }
  }

  /** Reads what others have appended, and checks that more could be appended. Throws as `open` does. */
  checkWritable(): void {
    this.refresh();
    try {
      accessSync(this.inode === undefined ? dirname(this.path) : this.path, constants.W_OK);
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  /** Appends what `decide` gives. Resolves when it is on disk. Rejects with what `decide` throws, and as `open` does. */
  commit(decide: Decision): Promise<LedgerEntry[]> {
    return new Promise((done, fail) => {
      this.queue.push({ decide, done, fail });
      if (!this.draining) void this.drain();
    });
  }

  async append(...drafts: EntryDraft[]): Promise<LedgerEntry[]> {
    return await this.commit(() => drafts);
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.queue.length > 0) {
      try {
        await this.lock.acquire();
      } catch (error) {
        for (const job of this.queue.splice(0)) job.fail(error);
        break;
      }
      const jobs = this.queue.splice(0, MAX_GROUP);
      try {
        await this.writeGroup(jobs);
      } catch (error) {
        for (const job of jobs) job.fail(error);
      } finally {
        this.lock.release();
      }
    }
    this.draining = false;
  }

  private async writeGroup(jobs: readonly Job[]): Promise<void> {
    const file = this.openFile('r+');
    try {
      const torn = file === undefined ? undefined : this.catchUp(file);
      this.writing = true;
      const group = this.decideAll(jobs, torn);
      if (group.lines.length === 0) return finish(group.decided);
      const bytes = Buffer.from(`${group.lines.join('\n')}\n`);
      try {
        if (file === undefined) this.create(bytes);
        else await this.write(file, bytes, torn);
      } catch (error) {
        // What was decided did not happen: read it all again.
        this.forget();
        throw this.unwritable(error);
      }
      this.offset += bytes.length;
      this.lastLine = Buffer.from(`${group.lines.at(-1)}\n`);
      if (torn !== undefined)
        this.options.notice?.(
          `a half-written last line of ${this.path} (${torn.bytes.length} bytes) was cut off and recorded`,
        );
      finish(group.decided);
    } finally {
      this.writing = false;
      if (file !== undefined) closeSync(file);
    }
  }

  /** Runs the decisions one after the other, each on the state that the one before leaves. */
  private decideAll(jobs: readonly Job[], torn: TornTail | undefined) {
    const lines: string[] = [];
    const decided: { job: Job; entries: LedgerEntry[] }[] = [];
    const now = this.options.now?.() ?? new Date();
    const add = (draft: EntryDraft): LedgerEntry => {
      const { entry, line } = makeEntry(draft, { seq: this.seq, prevHash: this.lastHash, now });
      this.seq = entry.seq + 1;
      this.lastHash = entry.hash;
      lines.push(line);
      this.options.fold?.apply(entry);
      return entry;
    };
    if (torn !== undefined) add(tornDraft(torn));
    for (const job of jobs) {
      const before = lines.length;
      try {
        decided.push({ job, entries: job.decide().map(add) });
      } catch (error) {
        // Half of a decision is none: unless nothing of it was added, start over without it.
        if (lines.length > before) {
          this.forget();
          throw error;
        }
        job.fail(error);
      }
    }
    return { lines, decided };
  }

  private async write(file: number, bytes: Buffer, torn: TornTail | undefined): Promise<void> {
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
  }

  /** Written whole under another name first: a ledger that is empty was emptied by somebody. */
  private create(bytes: Buffer): void {
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
    this.options.notice?.(`a new ledger was begun: ${this.path}`);
  }

  private openFile(flags: 'r' | 'r+'): number | undefined {
    let file: number;
    try {
      file = openSync(this.path, flags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && this.inode === undefined) return undefined;
      if (code === 'ENOENT') throw this.problem('E_LEDGER_TRUNCATED', 'was removed while it was in use');
      throw flags === 'r' ? this.unreadable(error) : this.unwritable(error);
    }
    const { ino } = fstatSync(file);
    if (this.inode !== undefined && this.inode !== ino) {
      closeSync(file);
      throw this.problem('E_LEDGER_REWRITTEN', 'was replaced by another file while it was in use');
    }
    this.inode = ino;
    return file;
  }

  /** Reads the new lines. Gives a last line without its line feed, which counts as not written. */
  private catchUp(file: number): TornTail | undefined {
    const { size } = fstatSync(file);
    if (size === 0) throw this.problem('E_LEDGER_TRUNCATED', 'is empty: somebody emptied it');
    if (size < this.offset) throw this.problem('E_LEDGER_TRUNCATED', 'was cut while it was in use');
    const from = this.offset - this.lastLine.length;
    const bytes = Buffer.alloc(size - from);
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(file, bytes, read, bytes.length - read, from + read);
      if (count === 0) throw this.problem('E_LEDGER_TRUNCATED', 'was cut while it was read');
      read += count;
    }
    if (!bytes.subarray(0, this.lastLine.length).equals(this.lastLine))
      throw this.problem('E_LEDGER_REWRITTEN', 'was rewritten while it was in use');
    const fresh = bytes.subarray(this.lastLine.length);
    const { entries, length, lastLine, torn, problem } = readEntries(fresh, {
      seq: this.seq,
      hash: this.lastHash,
    });
    if (problem !== undefined) throw this.problem(problem.code, `line ${problem.line}: ${problem.text}`);
    for (const entry of entries) {
      this.options.fold?.apply(entry);
      this.seq = entry.seq + 1;
      this.lastHash = entry.hash;
    }
    this.offset += length;
    if (lastLine !== undefined) this.lastLine = lastLine;
    return torn;
  }

  private forget(): void {
    this.options.fold?.reset();
    this.offset = 0;
    this.seq = 0;
    this.lastHash = GENESIS;
    this.lastLine = Buffer.alloc(0);
  }

  private problem(code: string, text: string): AgentGateError {
    return new AgentGateError(
      code,
      `The ledger ${this.path} ${text}; nothing is carried out on such a ledger, run "agentgate ledger verify".`,
      { file: this.path },
    );
  }

  private unreadable(cause: unknown): AgentGateError {
    return new AgentGateError(
      'E_LEDGER_UNREADABLE',
      `The ledger ${this.path} cannot be read: ${messageOf(cause)}.`,
      { file: this.path },
      { cause },
    );
  }

  private unwritable(cause: unknown): AgentGateError {
    return new AgentGateError(
      'E_LEDGER_UNWRITABLE',
      `The ledger ${this.path} cannot be written: ${messageOf(cause)}; nothing is carried out without it.`,
      { file: this.path },
      { cause },
    );
  }
}

/** A folder that an administrator has given to a group (`chmod 2770`): an operator of another user writes there, too. */
function isShared(folder: string): boolean {
  return process.platform !== 'win32' && (statSync(folder).mode & 0o2020) === 0o2020;
}

function finish(decided: readonly { job: Job; entries: LedgerEntry[] }[]): void {
  for (const { job, entries } of decided) job.done(entries);
}
