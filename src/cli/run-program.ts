import { Command, CommanderError } from 'commander';
import { AgentGateError, isSystemError, messageOf, placed } from '../util/errors.ts';
import { visible, visibleLine } from '../util/hidden.ts';
import { logSafe } from '../util/log-safe.ts';
import { VERSION } from '../version.ts';
import { type Io, tell } from './io.ts';
import { EXIT_CODES } from './options.ts';

/** What a command gives back: the process's exit code. */
export type Finish = (code: number) => void;

/** Makes one command of the program. */
export type AddCommand = (io: Io, finish: Finish) => Command;

/** `agentgate` with the given commands. */
export function program(io: Io, finish: Finish, commands: readonly AddCommand[]): Command {
  const command = new Command('agentgate')
    .description('Pins the surface of your MCP servers in agentgate.lock and shows every change to it.')
    .version(VERSION, '-V, --version', 'Print the release.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(logSafe(text)),
    });
  for (const add of commands) command.addCommand(add(io, finish));
  inherit(command, 'agentgate');
  return command;
}

/** Every command, below others too, reports its errors as the program does, and names its own help. */
function inherit(command: Command, name: string): void {
  command.exitOverride();
  command.configureOutput({ outputError: (text, write) => write(usageLine(text, name)) });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inherit(child, `${name} ${child.name()}`);
  }
}

/**
 * Runs a program and gives the exit code (`DESIGN.md` §8): 0 clean, 1 drift or findings, 2 anything that could not be
 * checked, usage errors included. Never throws.
 *
 * @param args - the arguments after the program's name
 */
export async function runProgram(
  make: (finish: Finish) => Command,
  args: readonly string[],
  io: Io,
): Promise<number> {
  let code = 0;
  try {
    const command = make((value) => {
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
  if (isSystemError(error))
    return `agentgate: the system refused: ${visibleLine(messageOf(error))}; check the space on the disk and the permissions, then run it again (E_SYSTEM)`;
  if (!(error instanceof AgentGateError))
    return `agentgate: ${visibleLine(messageOf(error))}; this is a fault of agentgate, please report it (E_INTERNAL)`;
  const { place, rest } = placed(error.message, error.place);
  return `agentgate: ${visibleLine(place + rest).replace(/\.$/, '')} (${error.code})`;
}

/** The parser's message, which may run over several lines, as one line in the form of all others. */
function usageLine(text: string, name: string): string {
  const words = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\.?\s*\n\s*/g, '; ')
    .replace(/\.$/, '')
    .replace(/\. ([A-Z])/g, (_, letter: string) => `; ${letter.toLowerCase()}`);
  return `agentgate: ${words}; see ${name} --help (E_USAGE)\n`;
}
