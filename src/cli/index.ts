#!/usr/bin/env node
import { installCrashHandler, installSignalHandlers } from '../capture/running.ts';
import { processIo } from './io.ts';
import { errorLine, main } from './main.ts';

installSignalHandlers();
installCrashHandler((error) => process.stderr.write(`${errorLine(error)}\n`));
// A reader that has seen enough (`| head`) must not leave servers running or change the exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await main(process.argv.slice(2), processIo());
