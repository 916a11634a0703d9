import { installSignalHandlers } from '../../capture/running.ts';
import type { Io } from '../../cli/io.ts';
import { program, runProgram } from '../../cli/run-program.ts';
import { doctorCommand } from './doctor.ts';
import { gateCommand } from './gate.ts';
import { ledgerCommand } from './ledger.ts';
import { proxyCommand } from './proxy.ts';
import { sqlCommand } from './sql.ts';

const COMMANDS = [proxyCommand, gateCommand, ledgerCommand, sqlCommand, doctorCommand];

/** Runs one of the gate's commands and gives the exit code. Never throws. */
export async function gateMain(args: readonly string[], io: Io): Promise<number> {
  // This bundle starts servers of its own, which the command line's handlers do not know.
  installSignalHandlers();
  return runProgram((finish) => program(io, finish, COMMANDS), args, io);
}
