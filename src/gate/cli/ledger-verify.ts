import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { emit } from '../../cli/shared.ts';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import { visibleLine } from '../../util/hidden.ts';
import { readCheckpoint } from '../ledger/checkpoint.ts';
import { readLedgerFile } from '../ledger/read.ts';
import { type TreeHead, verifyLedger } from '../ledger/verify.ts';
import { Witness } from '../witness.ts';
import { operatorFiles } from './init.ts';
import { type LedgerOptions, places } from './ledger-options.ts';

/** `agentgate ledger verify`: 0 when the chain is whole and goes on from every checkpoint given, else 1. */
export async function verify(io: Io, options: LedgerOptions): Promise<number> {
  const { cwd, path, keyFile } = await places(io, options);
  const heads: TreeHead[] = [];
  for (const file of options.checkpoint ?? []) {
    const publicKey = publicKeyOf(
      options.publicKey === undefined
        ? `${operatorFiles(keyFile).checkpointKey}.pub`
        : resolve(cwd, options.publicKey),
    );
    heads.push(readCheckpoint(textOf(resolve(cwd, file)), { publicKey, from: file }));
  }
  const remembered = await new Witness(keyFile, path).seen();
  if (remembered !== undefined) heads.push(remembered);
  const report = verifyLedger(readForVerify(path, heads), heads);
  if (options.json === true) {
    const { list, ...rest } = report;
    await emit(io, options as CommonOptions, JSON.stringify(rest));
    return report.ok ? 0 : 1;
  }
  const lines = report.problems.map(
    ({ code, line, text }) => `${code}: ${line === 0 ? 'the ledger' : `line ${line}`} ${visibleLine(text)}`,
  );
  const anchor =
    options.checkpoint === undefined ? 'what the operator last saw' : 'every checkpoint that was given';
  const entries = `${report.entries} ${report.entries === 1 ? 'entry' : 'entries'}`;
  if (report.ok)
    lines.push(
      report.anchored
        ? `The ledger is complete: ${entries}, a continuation of ${anchor}.`
        : `The ledger is consistent: ${entries}. Completeness is not known: give a checkpoint that was kept elsewhere.`,
    );
  else if (report.repairable) lines.push(`Nothing that was acknowledged is lost: ${entries} are whole.`);
  lines.push(`head ${report.head}`, `root ${report.root}`);
  await emit(io, options as CommonOptions, lines.join('\n'));
  return report.ok ? 0 : 1;
}

/** A ledger that is gone although something is known of it was removed, which is the worst truncation. */
function readForVerify(path: string, heads: readonly TreeHead[]): Buffer {
  try {
    return readLedgerFile(path);
  } catch (error) {
    if (error instanceof AgentGateError && error.code === 'E_LEDGER_MISSING' && heads.length > 0)
      return Buffer.alloc(0);
    throw error;
  }
}

function publicKeyOf(path: string): KeyObject {
  try {
    const key = createPublicKey(readFileSync(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new AgentGateError('E_KEY_INVALID', `The public key ${path} cannot be read: ${messageOf(error)}.`);
  }
  throw new AgentGateError('E_KEY_INVALID', `${path} is no Ed25519 public key.`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AgentGateError('E_CHECKPOINT', `The checkpoint ${path} cannot be read: ${messageOf(error)}.`);
  }
}
