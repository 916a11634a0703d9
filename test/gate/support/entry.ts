/** The command line with the gate's commands, as a process of its own. */
import { Command } from 'commander';
import { processIo } from '../../../src/cli/io.ts';
import { errorLine, main } from '../../../src/cli/main.ts';
import { gateCommand, ledgerCommand, proxyCommand } from '../../../src/gate/cli/index.ts';

const io = processIo();
const args = process.argv.slice(2);
let code = 0;
if (['gate', 'proxy', 'ledger'].includes(args[0] ?? '')) {
  const program = new Command('agentgate').exitOverride();
  const finish = (value: number): void => {
    code = value;
  };
  for (const make of [gateCommand, ledgerCommand, proxyCommand]) program.addCommand(make(io, finish));
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`${errorLine(error)}\n`);
    code = 2;
  }
} else code = await main(args, io);
process.exitCode = code;
