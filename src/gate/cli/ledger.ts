import { Command } from 'commander';
import type { Io } from '../../cli/io.ts';
import type { Finish } from '../../cli/run-program.ts';
import { checkpoint } from './ledger-checkpoint.ts';
import { recordDrift } from './ledger-drift.ts';
import type { LedgerOptions } from './ledger-options.ts';
import { recordPr } from './ledger-pr.ts';
import { trail } from './ledger-trail.ts';
import { verify } from './ledger-verify.ts';
import { subcommands } from './subcommands.ts';

/** `agentgate ledger verify|checkpoint|record-pr|record-drift|trail`. */
export function ledgerCommand(io: Io, finish: Finish): Command {
  const ledger = new Command('ledger').description(
    'Check the ledger of the gate, anchor it, and read one call’s life.',
  );
  const addTo = subcommands<LedgerOptions>(ledger, finish, ['--cwd', '--output', '--verbose']);
  const add: typeof addTo = (name, text, run) =>
    addTo(name, text, run).option('--ledger <file>', 'The ledger; default: the policy’s.');
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
    'Record who approved the lock that was merged: asked of GitHub, in a job on push; or as told by all four options.',
    (options) => recordPr(io, options),
  )
    .option('--pr <number>', 'The number of the pull request.')
    .option('--head-sha <sha>', 'The head that was reviewed.')
    .option('--merge-sha <sha>', 'The commit that the merge made.')
    .option('--reviewers <logins...>', 'Who approved.')
    .option('--lockfile <file>', 'The lock as merged; default: the nearest agentgate.lock.');
  add('record-drift', 'Record the drift that a check has seen, from its JSON report.', (options) =>
    recordDrift(io, options),
  ).requiredOption('--report <file>', 'The JSON report of "agentgate ci" or of the action.');
  add('trail', 'Print the life of one proposal or checkpoint.', (options, id = '') => trail(io, options, id))
    .argument('<id>')
    .option('--json', 'Print JSON lines, as in the ledger.');
  return ledger;
}
