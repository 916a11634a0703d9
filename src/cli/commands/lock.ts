import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions, OUTPUT_FLAGS, SURVEY_FLAGS } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function lockCommand(io: Io, finish: Finish): Command {
  const command = new Command('lock')
    .alias('pin')
    .description('Pin what the declared servers show now. Shows every change before it is written.')
    .argument('[server...]', 'only these servers, by their key')
    .option('-y, --yes', 'Change what is pinned without asking.')
    .action(async (servers: string[], options: CommonOptions) => {
      const { runLock } = await import('../run/lock.ts');
      finish(await runLock(io, { ...options, server: [...(options.server ?? []), ...servers] }));
    });
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}
