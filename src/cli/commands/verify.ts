import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function verifyCommand(io: Io, finish: Finish): Command {
  const command = new Command('verify')
    .description('Check offline that the lock is whole: every stored definition reproduces its hashes.')
    .action(async (options: CommonOptions) => {
      const { runVerify } = await import('../run/verify.ts');
      finish(await runVerify(io, options));
    });
  return addOptions(command, ['--lockfile', '--cwd', '--output', '--no-color', '--quiet', '--verbose']);
}
