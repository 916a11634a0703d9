import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, relative, resolve } from 'node:path';
import { Command } from 'commander';
import type { Io } from '../../cli/io.ts';
import { addOptions, type CommonOptions } from '../../cli/options.ts';
import type { Finish } from '../../cli/run-program.ts';
import { emit, lockfilePath, workingDirectory } from '../../cli/shared.ts';
import { readLock } from '../../lock/read-file.ts';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import { visible, visibleLine } from '../../util/hidden.ts';
import { loadPrivateKey } from '../keys.ts';
import { readCheckpoint, verifierKey, writeCheckpoint } from '../ledger/checkpoint.ts';
import { Ledger } from '../ledger/ledger.ts';
import { leafHash, MerkleTree } from '../ledger/merkle.ts';
import { readLedgerEntries, readLedgerFile } from '../ledger/read.ts';
import { splitLines, type TreeHead, verifyLedger } from '../ledger/verify.ts';
import { loadGatePolicy } from '../policy.ts';
import { Witness } from '../witness.ts';
import { operatorFiles } from './init.ts';

interface LedgerOptions extends Omit<CommonOptions, 'format'> {
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
}

/** `agentgate ledger verify|checkpoint|trail`. */
export function ledgerCommand(io: Io, finish: Finish): Command {
  const ledger = new Command('ledger').description(
    'Check the ledger of the gate, anchor it, and read one call’s life.',
  );
  const add = (
    name: string,
    text: string,
    run: (options: LedgerOptions, ...args: string[]) => Promise<number>,
  ): Command => {
    const command = new Command(name)
      .description(text)
      .option('--ledger <file>', 'The ledger; default: the policy’s.');
    command.action(async (...given: unknown[]) => {
      finish(await run(given.at(-2) as LedgerOptions, ...given.slice(0, -2).map(String)));
    });
    ledger.addCommand(addOptions(command, ['--cwd', '--output', '--verbose']));
    return command;
  };
  add(
    'verify',
    'Check the chain, and against checkpoints that nothing was cut off or rewritten.',
    (options) => verify(io, options),
  )
    .option('--checkpoint <file...>', 'Signed checkpoints that were kept elsewhere.')
    .option('--public-key <file>', 'The key that signed them (PEM); default: the operator’s.')
    .option('--json', 'Print JSON.');
  add('checkpoint', 'Print a signed checkpoint (C2SP tlog-checkpoint) of the ledger as it is.', (options) =>
    checkpoint(io, options),
  )
    .option('--key <file>', 'The Ed25519 key that signs (PEM); default: the operator’s.')
    .option('--origin <name>', 'The name of this log; default: from the name of the project’s folder.');
  add(
    'record-pr',
    'Record who approved which lock, after a pull request that changed it was merged.',
    (options) => recordPr(io, options),
  )
    .requiredOption('--pr <number>', 'The number of the pull request.')
    .requiredOption('--head-sha <sha>', 'The head that was reviewed.')
    .requiredOption('--merge-sha <sha>', 'The commit that the merge made.')
    .requiredOption('--reviewers <logins...>', 'Who approved.')
    .option('--lockfile <file>', 'The lock as merged; default: the nearest agentgate.lock.');
  add('trail', 'Print the life of one proposal or checkpoint.', (options, id = '') => trail(io, options, id))
    .argument('<id>')
    .option('--json', 'Print JSON lines, as in the ledger.');
  return ledger;
}

async function places(io: Io, options: LedgerOptions) {
  const cwd = workingDirectory(io, options as CommonOptions);
  const { gate } = await loadGatePolicy(cwd, io.env.HOME || homedir());
  const path = options.ledger === undefined ? gate.ledger : resolve(cwd, options.ledger);
  return { cwd, path, keyFile: gate.approvals.keyFile };
}

async function verify(io: Io, options: LedgerOptions): Promise<number> {
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
  const entries = `${report.entries} ${report.entries === 1 ? 'entry' : 'entries'}`;
  if (report.ok)
    lines.push(
      report.anchored
        ? `The ledger is complete: ${entries}, a continuation of every checkpoint given.`
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

async function checkpoint(io: Io, options: LedgerOptions): Promise<number> {
  const { cwd, path, keyFile } = await places(io, options);
  const bytes = readLedgerFile(path);
  readLedgerEntries(path);
  const tree = new MerkleTree();
  for (const line of splitLines(bytes).lines) tree.add(leafHash(line));
  const key = options.key === undefined ? operatorFiles(keyFile).checkpointKey : resolve(cwd, options.key);
  const privateKey = loadPrivateKey(key, cwd);
  const origin = options.origin ?? `agentgate/${basename(cwd).replace(/[^A-Za-z0-9._-]/g, '-') || 'ledger'}`;
  const note = writeCheckpoint({ size: tree.size, root: tree.root() }, { origin, privateKey });
  await emit(io, options as CommonOptions, note);
  io.stderr.write(`verifier key: ${verifierKey(origin, createPublicKey(privateKey))}\n`);
  return 0;
}

async function recordPr(io: Io, options: LedgerOptions): Promise<number> {
  const { path, cwd } = await places(io, options);
  const number = Number(options.pr);
  if (!Number.isSafeInteger(number) || number <= 0)
    throw new AgentGateError('E_USAGE', '--pr takes the number of a pull request.');
  const sha = (name: string, value = ''): string => {
    if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value))
      throw new AgentGateError('E_USAGE', `${name} takes a whole commit id.`);
    return value;
  };
  const reviewers = options.reviewers ?? [];
  const wrong = reviewers.find((login) => !/^[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\[bot\])?$/.test(login));
  if (wrong !== undefined) throw new AgentGateError('E_USAGE', `${JSON.stringify(wrong)} is no login.`);
  const lockfile = await lockfilePath(io, { cwd: options.cwd, lockfile: options.lockfile });
  const { sha256 } = await readLock(lockfile, relative(cwd, lockfile));
  const ledger = await Ledger.open(path, { notice: (text) => io.stderr.write(`agentgate: ${text}\n`) });
  await ledger.append({
    type: 'lock_drift_approved',
    proposal_id: null,
    server: null,
    actor: 'github',
    payload: {
      pr: number,
      head_sha: sha('--head-sha', options.headSha),
      merge_sha: sha('--merge-sha', options.mergeSha),
      lock_sha256: sha256,
      reviewers,
    },
  });
  return 0;
}

async function trail(io: Io, options: LedgerOptions, id: string): Promise<number> {
  const { path } = await places(io, options);
  const entries = readLedgerEntries(path).filter(
    ({ proposal_id }) => proposal_id === id || (id.length >= 13 && proposal_id?.startsWith(id) === true),
  );
  if (entries.length === 0)
    throw new AgentGateError(
      'E_PROPOSAL_UNKNOWN',
      `The ledger says nothing of ${JSON.stringify(id.slice(0, 80))}.`,
    );
  const lines = entries.map((entry) =>
    options.json === true
      ? JSON.stringify(entry)
      : `${entry.ts}  ${String(entry.seq).padStart(6)}  ${entry.type.padEnd(18)} ${visibleLine(entry.actor)}\n${visible(
          JSON.stringify(entry.payload, null, 2),
        ).replace(/^/gm, '    ')}`,
  );
  await emit(io, options as CommonOptions, lines.join('\n'));
  return 0;
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
