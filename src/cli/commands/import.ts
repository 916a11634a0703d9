import { Command } from 'commander';
import type { Io } from '../io.ts';
import { addOptions, type CommonOptions, OUTPUT_FLAGS, SURVEY_FLAGS } from '../options.ts';
import type { Finish } from '../run-program.ts';

export function importCommand(io: Io, finish: Finish): Command {
  const command = new Command('import')
    .description(
      'Move over from the lock of toolprint or of npm mcp-agentgate: what it vouches for is verified against the ' +
        'live servers by its own hash rule, and only what matches is pinned.',
    )
    .argument('<file>', 'toolprint.lock, or the agentgate.lock of mcp-agentgate')
    .option('-y, --yes', 'Replace the imported file without asking, when it is the lock itself.')
    .action(async (file: string, options: CommonOptions) => {
      const { runImport } = await import('../run/import.ts');
      finish(await runImport(io, file, options));
    });
  return addOptions(
    command,
    [...SURVEY_FLAGS, ...OUTPUT_FLAGS].filter((flag) => flag !== '--skills'),
  );
}
