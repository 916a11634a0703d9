import { AgentGateError } from '../../util/errors.ts';
import type { LedgerEntry } from './entry.ts';
import { unreadableLedger } from './ledger-errors.ts';
import { readPlain } from './plain-file.ts';
import { type LedgerReport, verifyLedger } from './verify.ts';

/** A ledger's bytes. Throws `E_LEDGER_MISSING` and `E_LEDGER_UNREADABLE`. */
export function readLedgerFile(path: string): Buffer {
  try {
    return readPlain(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new AgentGateError(
        'E_LEDGER_MISSING',
        `There is no ledger ${path}; the first call that the gate records begins it.`,
        { file: path },
      );
    throw unreadableLedger(path, error);
  }
}

/** What a ledger holds that is whole, but for a torn tail. Throws the first problem. */
export function readWholeLedger(path: string): LedgerReport {
  const report = verifyLedger(readLedgerFile(path));
  const problem = report.problems.find(({ code }) => code !== 'E_LEDGER_TORN');
  if (problem !== undefined)
    throw new AgentGateError(problem.code, `The ledger ${path}, line ${problem.line}, ${problem.text}.`, {
      file: path,
    });
  return report;
}

/** All entries of a ledger. Throws as {@link readWholeLedger} does. */
export function readLedgerEntries(path: string): LedgerEntry[] {
  return readWholeLedger(path).list;
}
