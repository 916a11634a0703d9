import { Command } from 'commander';
import { displayPath } from '../../check.ts';
import { countLock } from '../../lock/read.ts';
import { readLock } from '../../lock/read-file.ts';
import type { Io } from '../io.ts';
import type { Finish } from '../main.ts';
import { addOptions, type CommonOptions } from '../options.ts';
import { emit, lockfilePath } from '../shared.ts';

export function verifyCommand(io: Io, finish: Finish): Command {
  const command = new Command('verify')
    .description('Check offline that the lock is whole: every stored definition reproduces its hashes.')
    .action(async (options: CommonOptions) => {
      const path = await lockfilePath(io, options);
      const shown = displayPath(io.cwd, path);
      const counts = countLock((await readLock(path, shown)).lock);
      const capabilities =
        counts.tools + counts.prompts + counts.resources + counts.resourceTemplates + counts.skills;
      const hashOnly = counts.hashOnly > 0 ? `, ${counts.hashOnly} of them by hash only` : '';
      const servers = `${counts.servers} ${counts.servers === 1 ? 'server' : 'servers'}`;
      const pinned = `${capabilities} ${capabilities === 1 ? 'capability' : 'capabilities'}`;
      await emit(io, options, `${shown} is whole: ${servers}, ${pinned}${hashOnly}.`);
      finish(0);
    });
  return addOptions(command, ['--lockfile', '--cwd', '--output', '--no-color', '--quiet', '--verbose']);
}
