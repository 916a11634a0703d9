import { closeSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AgentGateError } from '../../util/errors.ts';
import { type EntryDraft, GENESIS, type LedgerEntry, makeEntry } from './entry.ts';
import { FileLock, removeLitter } from './file-lock.ts';
import { unwritableLedger } from './ledger-errors.ts';
import { LedgerFile } from './ledger-file.ts';
import { type TornTail, tornDraft } from './tail.ts';

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
type Decision = () => EntryDraft[];

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
  private readonly file: LedgerFile;
  private readonly queue: Job[] = [];
  private draining = false;
  /** Decided entries are on their way to the disk: what is read there meanwhile is what is known already. */
  private writing = false;
  private seq = 0;
  private lastHash = GENESIS;

  private constructor(path: string, options: LedgerOptions) {
    this.path = resolve(path);
    this.options = options;
    this.lock = new FileLock(`${this.path}.lock`);
    this.file = new LedgerFile(this.path);
  }

  /**
   * Reads and checks the whole ledger. One that does not exist is made by the first append. Throws the first problem
   * (`E_LEDGER_EDITED`, …), `E_LEDGER_UNREADABLE` and `E_LEDGER_UNWRITABLE`.
   */
  static async open(path: string, options: LedgerOptions = {}): Promise<Ledger> {
    const ledger = new Ledger(path, options);
    try {
      makeFolder(dirname(ledger.path));
      removeLitter(`${ledger.path}.lock`);
    } catch (error) {
      if (error instanceof AgentGateError) throw error;
      throw unwritableLedger(ledger.path, error);
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
    const file = this.file.open('r');
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
    this.file.checkWritable();
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
    const file = this.file.open('r+');
    try {
      const torn = file === undefined ? undefined : this.catchUp(file);
      this.writing = true;
      const group = this.decideAll(jobs, torn);
      if (group.lines.length === 0) return finish(group.decided);
      try {
        if (file === undefined) this.file.create(group.lines);
        else await this.file.append(file, group.lines, torn);
      } catch (error) {
        // What was decided did not happen: read it all again.
        this.forget();
        throw unwritableLedger(this.path, error);
      }
      if (file === undefined) this.options.notice?.(`a new ledger was begun: ${this.path}`);
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
      lines.push(line);
      this.take(entry);
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

  private catchUp(file: number): TornTail | undefined {
    const { entries, torn } = this.file.catchUp(file, { seq: this.seq, hash: this.lastHash });
    for (const entry of entries) this.take(entry);
    return torn;
  }

  private take(entry: LedgerEntry): void {
    this.seq = entry.seq + 1;
    this.lastHash = entry.hash;
    this.options.fold?.apply(entry);
  }

  private forget(): void {
    this.options.fold?.reset();
    this.file.forget();
    this.seq = 0;
    this.lastHash = GENESIS;
  }
}

function finish(decided: readonly { job: Job; entries: LedgerEntry[] }[]): void {
  for (const { job, entries } of decided) job.done(entries);
}

/**
 * A new folder is ignored by git: as a part of the working tree, the ledger would change the state that an approval of a
 * git call is bound to.
 */
function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) === undefined) return;
  writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
}
