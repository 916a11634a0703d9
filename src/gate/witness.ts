import { hash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, own } from '../util/json.ts';
import { readPlain } from './ledger/plain-file.ts';
import { type LedgerReport, type TreeHead, verifyLedger } from './ledger/verify.ts';

/**
 * The operator's own memory of a ledger, beside the operator's key and not in the project: how long it was and its root
 * when the operator last used it. A token that was used cannot become new by cutting the ledger.
 */
export class Witness {
  private readonly file: string;
  private readonly ledger: string;

  constructor(keyFile: string, ledger: string) {
    this.ledger = resolve(ledger);
    const name = hash('sha256', this.ledger, 'hex').slice(0, 32);
    this.file = join(dirname(keyFile), 'ledger-heads', `${name}.json`);
  }

  /**
   * What was last seen; undefined when nothing was, and for who may not look into the operator's folder. Throws
   * `E_WITNESS` for a file that cannot be read.
   */
  async seen(): Promise<TreeHead | undefined> {
    let text: string;
    try {
      text = await readFile(this.file, 'utf8');
    } catch (error) {
      if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw new AgentGateError('E_WITNESS', `${this.file} cannot be read.`, {}, { cause: error });
    }
    try {
      const value: unknown = JSON.parse(text);
      const size = isObject(value) ? own(value, 'size') : undefined;
      const root = isObject(value) ? own(value, 'root') : undefined;
      if (typeof size === 'number' && typeof root === 'string' && /^[0-9a-f]{64}$/.test(root))
        return { size, root: Buffer.from(root, 'hex'), from: 'that the operator remembers' };
    } catch {
      // As below.
    }
    throw new AgentGateError('E_WITNESS', `${this.file} does not hold what was last seen of a ledger.`);
  }

  /** Throws `E_LEDGER_TRUNCATED` or `E_LEDGER_REWRITTEN` when the ledger is not a continuation of what was last seen. */
  async check(): Promise<void> {
    const head = await this.seen();
    if (head !== undefined) this.continued(head);
  }

  /** Remembers the ledger as it is now. Throws as {@link check} does. */
  async remember(): Promise<void> {
    const seen = await this.seen();
    const { entries, root } = seen === undefined ? verifyLedger(this.bytes()) : this.continued(seen);
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const head = { ledger: this.ledger, size: entries, root };
    await writeFileAtomic(this.file, `${JSON.stringify(head)}\n`);
  }

  private continued(head: TreeHead): LedgerReport {
    const report = verifyLedger(this.bytes(), [head]);
    const problem = report.problems.find(({ code }) => code !== 'E_LEDGER_TORN');
    if (problem !== undefined)
      throw new AgentGateError(
        problem.code,
        `The ledger ${this.ledger} ${problem.text}; nothing is carried out on such a ledger: put it back, or begin anew as docs/gate.md says ("The ledger").`,
        { file: this.ledger },
      );
    return report;
  }

  private bytes(): Buffer {
    try {
      return readPlain(this.ledger);
    } catch {
      return Buffer.alloc(0);
    }
  }
}
