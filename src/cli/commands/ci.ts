import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions, EXIT_CODES, OUTPUT_FLAGS, SURVEY_FLAGS } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function ciCommand(io: Io, finish: Finish): Command {
  const command = new Command('ci')
    .alias('scan')
    .description('Start every declared server and compare what it shows with the lock. Writes nothing.')
    .action(async (options: CommonOptions) => {
      const { runCi } = await import('../run/ci.ts');
      finish(await runCi(io, options));
    });
  command.addHelpText('after', EXIT_CODES);
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}
