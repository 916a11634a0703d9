import { Command, CommanderError } from 'commander';
import { AgentGateError, messageOf, placed } from '../util/errors.ts';
import { visible, visibleLine } from '../util/hidden.ts';
import { logSafe } from '../util/log-safe.ts';
import { VERSION } from '../version.ts';
import { ciCommand } from './commands/ci.ts';
import { demoCommand } from './commands/demo.ts';
import { diffCommand } from './commands/diff.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { lockCommand } from './commands/lock.ts';
import { verifyCommand } from './commands/verify.ts';
import { type Io, tell } from './io.ts';

/** What a command gives back: the process's exit code. */
export type Finish = (code: number) => void;

function program(io: Io, finish: Finish): Command {
  const command = new Command('agentgate')
    .description('Pins the surface of your MCP servers in agentgate.lock and shows every change to it.')
    .version(VERSION, '-V, --version', 'Print the release.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(logSafe(text)),
      outputError: (text, write) => write(usageLine(text)),
    });
  for (const add of [
    lockCommand,
    ciCommand,
    diffCommand,
    verifyCommand,
    importCommand,
    initCommand,
    demoCommand,
  ]) {
    const child = add(io, finish);
    command.addCommand(child);
  }
  for (const child of [command, ...command.commands]) {
    child.exitOverride();
    child.copyInheritedSettings(command);
  }
  return command;
}

/**
 * Runs the command line and gives the exit code (`DESIGN.md` §8): 0 clean, 1 drift or findings, 2 anything that
 * could not be checked, usage errors included. Never throws.
 *
 * @param args - the arguments after the program's name
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let code = 0;
  try {
    const command = program(io, (value) => {
      code = value;
    });
    if (args.length === 0) {
      command.outputHelp({ error: true });
      return 2;
    }
    await command.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    tell(io, errorLine(error));
    const wordy = args.includes('--verbose') || args.includes('-v');
    if (wordy && error instanceof Error && error.stack) tell(io, visible(error.stack));
    return 2;
  }
}

/** One line for an error: where, what, and its code. */
export function errorLine(error: unknown): string {
  if (!(error instanceof AgentGateError))
    return `agentgate: ${visibleLine(messageOf(error))}; this is a fault of agentgate, please report it (E_INTERNAL)`;
  const { place, rest } = placed(error.message, error.place);
  return `agentgate: ${visibleLine(place + rest).replace(/\.$/, '')} (${error.code})`;
}

/** The parser's message, which may run over several lines, as one line in the form of all others. */
function usageLine(text: string): string {
  const words = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\.?\s*\n\s*/g, '; ')
    .replace(/\.$/, '')
    .replace(/\. ([A-Z])/g, (_, letter: string) => `; ${letter.toLowerCase()}`);
  return `agentgate: ${words}; see agentgate --help (E_USAGE)\n`;
}
