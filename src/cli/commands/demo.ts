import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function demoCommand(io: Io, finish: Finish): Command {
  const command = new Command('demo')
    .description('See a rug pull being caught: needs no set-up, starts three embedded example servers.')
    .action(async (options: { color?: boolean; output?: string }) => {
      const { runDemo } = await import('../demo/run.ts');
      await runDemo(io, options);
      finish(0);
    });
  return addOptions(command, ['--output', '--no-color', '--verbose']);
}
