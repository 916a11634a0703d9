import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { endAll, installSignalHandlers } from '../../capture/running.ts';
import type { Io } from '../../cli/io.ts';
import type { Finish } from '../../cli/run-program.ts';
import { type Operator, summaryOf } from '../../proxy/operator.ts';
import { visible, visibleLine } from '../../util/hidden.ts';
import { isObject, type JsonObject, own } from '../../util/json.ts';
import { printableJson } from '../../util/printable-json.ts';
import { readLedgerEntries } from '../ledger/read.ts';
import { isRunning } from '../proposals.ts';
import type { Outcome } from '../store.ts';
import { checkpointLines } from './checkpoint-list.ts';
import { initGate } from './init.ts';
import { type GateOptions, openOperator } from './options.ts';
import { rollback } from './rollback.ts';
import { serveOperator } from './serve.ts';
import { subcommands } from './subcommands.ts';
import { watch } from './watch.ts';

const FLAGS = ['--config', '--lockfile', '--cwd', '--all-clients', '--isolation', '--verbose'] as const;

/** `agentgate gate …`: the operator's commands (`GATE.md` §3). */
export function gateCommand(io: Io, finish: Finish): Command {
  const gate = new Command('gate').description(
    'Decide on calls that wait for a human: list, approve, reject, execute.',
  );
  const add = subcommands<GateOptions>(gate, finish, FLAGS);
  const out = (text: string): void => {
    io.stdout.write(`${text}\n`);
  };
  const open = (options: GateOptions): Promise<Operator> => openOperator(io, options);

  add('init', 'Make the operator’s keys, outside of the project.', (options) => initGate(io, options));
  add('list', 'List the calls that wait for a human.', async (options) => {
    const operator = await open(options);
    const proposals = operator.list(options.all === true);
    if (options.json === true)
      out(printableJson(JSON.stringify(proposals.map((proposal) => summaryOf(operator.store, proposal)))));
    else if (proposals.length === 0) out('Nothing waits.');
    else
      for (const proposal of proposals) {
        const state = isRunning(proposal) ? 'RUNNING' : operator.store.state(proposal);
        out(
          `${proposal.id}  ${state.padEnd(16)}  ${visibleLine(`${proposal.server} ${proposal.tool}`)}  ${visibleLine(proposal.reason)}`,
        );
      }
    return 0;
  })
    .option('--all', 'Those that are decided, too.')
    .option('--json', 'Print JSON.');
  add('show', 'Show one call as it would be sent.', async (options, id = '') => {
    const operator = await open(options);
    out((await operator.show(id)).text);
    return 0;
  }).argument('<id>');
  add('approve', 'Approve one call, and print its token.', async (options, id = '') => {
    const operator = await open(options);
    const shown = await operator.show(id);
    io.stderr.write(`${shown.text}\n`);
    const { token, claims, proposal } = await operator.approve(id);
    io.stderr.write(
      `Approved until ${new Date(claims.exp * 1000).toISOString()}, for one call. Carry it out with:\n  agentgate gate execute ${proposal.id} --token <token>\nor let the agent repeat the identical call.\n`,
    );
    out(token);
    return 0;
  }).argument('<id>');
  add('reject', 'Reject one call, with a reason that the agent gets.', async (options, id = '') => {
    const operator = await open(options);
    const proposal = await operator.reject(id, options.reason ?? '');
    out(`${proposal.id} is rejected.`);
    return 0;
  })
    .argument('<id>')
    .requiredOption('--reason <text>', 'Why; the agent reads it.');
  add('execute', 'Carry out one approved call, once.', async (options, id = '') => {
    const removeHandlers = installSignalHandlers();
    try {
      const operator = await open(options);
      const { proposal, outcome } = await operator.execute(id, options.token ?? '', options.dryRun === true);
      if (outcome === undefined) {
        out(
          `${proposal.id} would be carried out: the token fits, and nothing has changed. Nothing was sent.`,
        );
        return 0;
      }
      return printOutcome(proposal.id, outcome, out);
    } finally {
      await endAll();
      removeHandlers();
    }
  })
    .argument('<id>')
    .requiredOption('--token <token>', 'What "agentgate gate approve" printed.')
    .option('--dry-run', 'Check everything, and send nothing.');
  add('watch', 'Print calls as they come to wait.', async (options) =>
    watch(io, await open(options), options),
  ).option('--once', 'End with the first.');
  add('rollback', 'Put back what a checkpoint kept; without an id, list them.', async (options, id = '') => {
    const operator = await open(options);
    if (id !== '') return await rollback(operator, id, options, out);
    const { ledger } = operator.workspace.policy.gate;
    const lines = existsSync(ledger) ? checkpointLines(readLedgerEntries(ledger)) : [];
    out(lines.length === 0 ? 'No checkpoint has kept a file yet.' : lines.join('\n'));
    return 0;
  })
    .argument('[id]')
    .option('--all', 'Put back all that was kept, also what others changed.')
    .option('--dry-run', 'Say what would be put back.');
  add('serve', 'Serve the operator’s tools by MCP, with their own secret.', (options) =>
    serveOperator(io, options),
  )
    .requiredOption('--operator', 'As the operator; there is no other side here.')
    .option('--listen <address>', 'Where: 127.0.0.1:PORT.', '127.0.0.1:0');
  return gate;
}

/** Prints what became of a call. 0 when it was carried out, 1 when the server said no, 2 when nobody knows. */
function printOutcome(id: string, outcome: Outcome, out: (text: string) => void): number {
  if (outcome.kind === 'unknown') {
    out(
      `${id} OUTCOME_UNKNOWN: it was sent and its end is not known (${visibleLine(outcome.message)}). (E_OUTCOME_UNKNOWN)`,
    );
    return 2;
  }
  out(
    outcome.kind === 'done'
      ? `${id} EXECUTED`
      : `${id} FAILED: ${visibleLine(outcome.message)} (${outcome.code})`,
  );
  if (outcome.result !== undefined && isObject(outcome.result)) out(visible(resultText(outcome.result)));
  return outcome.kind === 'done' ? 0 : 1;
}

function resultText(result: JsonObject): string {
  const content = own(result, 'content');
  if (!Array.isArray(content)) return JSON.stringify(result);
  return content
    .map((part) => {
      const text = isObject(part) ? own(part, 'text') : undefined;
      return typeof text === 'string' ? text : JSON.stringify(part).slice(0, 2_000);
    })
    .join('\n');
}
