import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { workingDirectory } from '../../cli/shared.ts';
import { Ledger } from '../ledger/ledger.ts';
import { readLedgerEntries } from '../ledger/read.ts';
import { loadGatePolicy } from '../policy.ts';

/** The options of `agentgate ledger …`, as commander gives them. */
export interface LedgerOptions extends Omit<CommonOptions, 'format'> {
  ledger?: string;
  checkpoint?: string[];
  publicKey?: string;
  key?: string;
  origin?: string;
  json?: boolean;
  pr?: string;
  headSha?: string;
  mergeSha?: string;
  reviewers?: string[];
  report?: string;
}

/** The working directory, the ledger and the operator's key, absolute. Throws as `loadGatePolicy` does. */
export async function places(io: Io, options: LedgerOptions) {
  const cwd = workingDirectory(io, options as CommonOptions);
  const { gate } = await loadGatePolicy(cwd, io.env.HOME || homedir());
  const path = options.ledger === undefined ? gate.ledger : resolve(cwd, options.ledger);
  return { cwd, path, keyFile: gate.approvals.keyFile };
}

/** A ledger to append to, and the entries that it has. Throws as `Ledger.open` and `readLedgerEntries` do. */
export async function openLedger(io: Io, path: string) {
  const ledger = await Ledger.open(path, { notice: (text) => io.stderr.write(`agentgate: ${text}\n`) });
  // One that does not exist yet is no error here.
  return { ledger, entries: ledger.size === 0 ? [] : readLedgerEntries(path) };
}
