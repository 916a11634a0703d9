#!/usr/bin/env node
import { installSignalHandlers } from '../capture/running.ts';
import { processIo } from './io.ts';
import { main } from './main.ts';

installSignalHandlers();
process.exitCode = await main(process.argv.slice(2), processIo());
