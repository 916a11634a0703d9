import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, killMarkedSync, sleepSync } from './process-table.ts';

/** The folders that one server may write to. */
export interface PrivateFolders {
  /** Holds the others, and what AgentGate itself needs for this server. Mode 0700. */
  root: string;
  home: string;
  tmpdir: string;
  /** Removes them all; idempotent, never throws. */
  remove(): Promise<void>;
}

const PREFIX = 'agentgate-';
const MAX_DEPTH = 64;
const open = new Set<string>();
let swept = false;

/**
 * A fresh HOME and TMPDIR, below the system's temporary folder. They are removed by `remove()`, or by
 * `removeAllFoldersSync()` when this process ends early; what a killed process left is swept by the next one.
 */
export async function createPrivateFolders(): Promise<PrivateFolders> {
  const base = realpathSync(tmpdir());
  if (!swept) {
    swept = true;
    await sweepStale(base);
  }
  // At once: between making a folder and knowing it this process could be told to stop.
  const root = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  open.add(root);
  const home = join(root, 'home');
  const temporary = join(root, 'tmp');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(temporary, { mode: 0o700 });
  return {
    root,
    home,
    tmpdir: temporary,
    remove: () => removeFolder(root),
  };
}

/** A folder of our own that is removed with the private ones; it belongs to no server. Mode 0711. */
export function createFolderSync(): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${process.pid}-`));
  chmodSync(path, 0o711);
  open.add(path);
  return path;
}

/** Removes a folder of `createFolderSync`; never throws. */
export async function removeFolder(path: string): Promise<void> {
  await removeTree(path);
  open.delete(path);
}

/** How often the removal of a folder is tried in which processes that were killed a moment ago may still write. */
const ATTEMPTS = 20;

/** Removes every open private folder at once; for the `exit` handler, where nothing asynchronous runs. */
export function removeAllFoldersSync(): void {
  for (const root of open) {
    for (let attempt = 1; attempt <= ATTEMPTS && existsSync(root); attempt++) {
      try {
        if (attempt > 1) makeWritableSync(root, 0);
        rmSync(root, { recursive: true, force: true });
      } catch {
        // What cannot be removed now is swept by the next run.
      }
      if (existsSync(root)) sleepSync(10);
    }
    open.delete(root);
  }
}

function makeWritableSync(folder: string, depth: number): void {
  if (depth > MAX_DEPTH) return;
  try {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) makeWritableSync(join(folder, entry.name), depth + 1);
  } catch {
    // Gone, or not ours.
  }
}

/** Servers make read-only folders (Go's module cache): those are made writable before a second attempt. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    await makeWritable(path, 0).catch(() => undefined);
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => undefined);
  }
}

async function makeWritable(folder: string, depth: number): Promise<void> {
  if (depth > MAX_DEPTH) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name), depth + 1).catch(() => undefined);
  }
}

/**
 * Folders whose process is gone, left behind by a SIGKILL, and what still runs with them as its home. Only our own
 * user's.
 */
async function sweepStale(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names) {
    const pid = /^agentgate-(\d+)-[A-Za-z0-9]{6}$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(base, name);
    const owner = await stat(path).catch(() => undefined);
    if (owner === undefined || (process.getuid !== undefined && owner.uid !== process.getuid())) continue;
    killMarkedSync(path);
    await removeTree(path);
  }
}
