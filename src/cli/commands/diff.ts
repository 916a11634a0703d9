import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions, EXIT_CODES, OUTPUT_FLAGS, SURVEY_FLAGS } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function diffCommand(io: Io, finish: Finish): Command {
  const command = new Command('diff')
    .description(
      'Show what differs: live servers against the lock, or two lock files without starting anything.',
    )
    .argument('[old]', 'a lock file')
    .argument('[new]', 'another lock file')
    .action(async (old: string | undefined, newer: string | undefined, options: CommonOptions) => {
      const { runDiff } = await import('../run/diff.ts');
      finish(await runDiff(io, old, newer, options));
    });
  command.addHelpText('after', EXIT_CODES);
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}
