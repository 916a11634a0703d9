import { installCrashHandler, installSignalHandlers } from '../capture/running.ts';
import { check } from '../check.ts';
import { messageOf } from '../util/errors.ts';
import { run } from './run.ts';
import { log } from './toolkit.ts';

installSignalHandlers();
installCrashHandler((error) =>
  log(`AgentGate ended by a fault of its own, please report it: ${messageOf(error)}`),
);
process.exitCode = await run({ env: process.env, check });
