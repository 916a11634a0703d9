import { createPublicKey } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { emit } from '../../cli/shared.ts';
import { loadPrivateKey } from '../keys.ts';
import { verifierKey, writeCheckpoint } from '../ledger/checkpoint.ts';
import { readWholeLedger } from '../ledger/read.ts';
import { operatorFiles } from './init.ts';
import { type LedgerOptions, places } from './ledger-options.ts';

/** `agentgate ledger checkpoint`: prints a signed C2SP tlog-checkpoint of the ledger as it is. */
export async function checkpoint(io: Io, options: LedgerOptions): Promise<number> {
  const { cwd, path, keyFile } = await places(io, options);
  const { entries: size, root } = readWholeLedger(path);
  const key = options.key === undefined ? operatorFiles(keyFile).checkpointKey : resolve(cwd, options.key);
  const privateKey = loadPrivateKey(key, cwd);
  const origin = options.origin ?? `agentgate/${basename(cwd).replace(/[^A-Za-z0-9._-]/g, '-') || 'ledger'}`;
  const note = writeCheckpoint({ size, root: Buffer.from(root, 'hex') }, { origin, privateKey });
  await emit(io, options as CommonOptions, note);
  io.stderr.write(`verifier key: ${verifierKey(origin, createPublicKey(privateKey))}\n`);
  return 0;
}
