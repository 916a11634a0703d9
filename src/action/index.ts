import { check } from '../check.ts';
import { run } from './run.ts';

process.exitCode = await run({ env: process.env, check });
