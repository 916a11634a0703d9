import { Command } from 'commander';
import { addOptions } from '../../cli/options.ts';
import type { Finish } from '../../cli/run-program.ts';

/** Adds one command of a group; it runs with its options, then its arguments, and gives the exit code. */
export type AddCommand<Options> = (
  name: string,
  text: string,
  run: (options: Options, ...args: string[]) => Promise<number>,
) => Command;

/** How commands are added to a group: each has the flags given, of those that the whole command line shares. */
export function subcommands<Options>(
  group: Command,
  finish: Finish,
  flags: readonly string[],
): AddCommand<Options> {
  return (name, text, run) => {
    const command = new Command(name).description(text);
    command.action(async (...given: unknown[]) => {
      // Commander gives the arguments, then the options, then the command.
      finish(
        await run(
          given.at(-2) as Options,
          ...given
            .slice(0, -2)
            .filter((one) => one !== undefined)
            .map(String),
        ),
      );
    });
    group.addCommand(addOptions(command, flags));
    return command;
  };
}
