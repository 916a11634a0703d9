import { existsSync } from 'node:fs';
import { join } from 'node:path';

const own = join(import.meta.dirname, '../../node_modules/.bin/node');
/**
 * A Node that strips types: the project's own, since the machine's may not. On Windows that one is a script that only a
 * shell starts; there npm's scripts run these tests with it already.
 */
export const NODE = process.platform !== 'win32' && existsSync(own) ? own : process.execPath;
