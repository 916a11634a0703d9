#!/usr/bin/env node
import { installCrashHandler, installSignalHandlers } from '../capture/running.ts';
import { isGateCommand } from './gate-bundle.ts';
import { processIo } from './io.ts';
import { errorLine, main } from './main.ts';

const args = process.argv.slice(2);
// The gate starts servers from its own bundle, which ends them itself.
if (!isGateCommand(args[0])) installSignalHandlers();
installCrashHandler((error) => process.stderr.write(`${errorLine(error)}\n`));
// A reader that has seen enough (`| head`) must not leave servers running or change the exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await main(args, processIo());
