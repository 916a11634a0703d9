import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions, OUTPUT_FLAGS, SURVEY_FLAGS } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function initCommand(io: Io, finish: Finish): Command {
  const command = new Command('init')
    .description('Write a starter workflow, a policy and the first lock. Files that exist are left alone.')
    .action(async (options: CommonOptions) => {
      const { runInit } = await import('../run/init.ts');
      finish(await runInit(io, options));
    });
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}
