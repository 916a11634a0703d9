import { Command } from 'commander';
import { check } from '../../check.ts';
import { hideSecrets } from '../../report/hide-secrets.ts';
import type { Io } from '../io.ts';
import type { Finish } from '../main.ts';
import { addOptions, type CommonOptions } from '../options.ts';
import { emitReport, lockfilePath, OUTPUT_FLAGS, SURVEY_FLAGS, withServers } from '../shared.ts';

export function ciCommand(io: Io, finish: Finish): Command {
  const command = new Command('ci')
    .alias('scan')
    .description('Start every declared server and compare what it shows with the lock. Writes nothing.')
    .action(async (options: CommonOptions) => {
      const lockfile = await lockfilePath(io, options);
      const { report, secrets } = await withServers(io, options, 1, (survey) =>
        check({ ...survey, lockfile, failOn: options.failOn }),
      );
      await emitReport(io, options, hideSecrets(report, secrets));
      finish(report.exitCode);
    });
  return addOptions(command, [...SURVEY_FLAGS, '--fail-on', ...OUTPUT_FLAGS]);
}
