import { ciCommand } from './commands/ci.ts';
import { demoCommand } from './commands/demo.ts';
import { diffCommand } from './commands/diff.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { lockCommand } from './commands/lock.ts';
import { verifyCommand } from './commands/verify.ts';
import { gateStubs, isGateCommand, runGate } from './gate-bundle.ts';
import type { Io } from './io.ts';
import { program, runProgram } from './run-program.ts';

export { errorLine, type Finish } from './run-program.ts';

const COMMANDS = [
  lockCommand,
  ciCommand,
  diffCommand,
  verifyCommand,
  importCommand,
  initCommand,
  demoCommand,
  ...gateStubs,
];

/**
 * Runs the command line and gives the exit code. Never throws.
 *
 * @param args - the arguments after the program's name
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const [first, second] = args;
  if (isGateCommand(first)) return runGate(args, io);
  if (first === 'help' && isGateCommand(second)) return runGate([second ?? '', '--help'], io);
  return runProgram((finish) => program(io, finish, COMMANDS), args, io);
}
