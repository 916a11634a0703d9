#!/usr/bin/env node
// Starts children that try to outlive it: one in its group, one in a session of its own, and a daemon whose parents
// are gone. Prints their ids, as it sees them, and ignores the end of its input and SIGTERM.
// Arguments: a marker that all of them carry in their command line.
import { spawn } from 'node:child_process';

const marker = process.argv[2] ?? 'family';
const sleeper = `process.title; process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)`;
const daemon = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleeper)}, ${JSON.stringify(marker)}], { detached: true, stdio: 'ignore' }).unref()`;
process.on('SIGTERM', () => {});
spawn(process.execPath, ['-e', sleeper, marker], { stdio: 'ignore' });
spawn(process.execPath, ['-e', sleeper, marker], { detached: true, stdio: 'ignore' });
const parent = spawn(process.execPath, ['-e', daemon, marker], { detached: true, stdio: 'ignore' });
parent.on('exit', () => console.log('ready'));
setInterval(() => {}, 1000);
