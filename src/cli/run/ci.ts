import { check } from '../../check.ts';
import { hideSecrets } from '../../report/hide-secrets.ts';
import type { Io } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { emitReport, lockfilePath, withServers } from '../shared.ts';

/** Compares the live servers with the lock, prints the report and gives the exit code. */
export async function runCi(io: Io, options: CommonOptions): Promise<number> {
  const lockfile = await lockfilePath(io, options);
  const { report, secrets } = await withServers(io, options, 1, (survey) =>
    check({ ...survey, lockfile, failOn: options.failOn }),
  );
  await emitReport(io, options, hideSecrets(report, secrets));
  return report.exitCode;
}
