import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { writePartsAtomic } from '../util/atomic-file.ts';
import { AgentGateError, isSystemError } from '../util/errors.ts';
import { collectGarbage } from '../util/garbage.ts';
import { type JsonObject, setOwn } from '../util/json.ts';
import { lockParts } from './format.ts';
import { refuseLargeParts } from './lock-size.ts';
import { readLock } from './read-file.ts';
import type { Lock, LockedServer } from './types.ts';

export interface MergeOptions {
  /** Keys whose old entry stays as it is: servers that failed, and those that were not asked for. */
  keep: readonly string[];
  /** Version of the release that writes. */
  version: string;
  now: Date;
}

/**
 * The new lock: fresh entries, the old ones of `keep`, nothing else (what is no longer declared is dropped). Members
 * that this release does not know are kept: of the lock, and of servers and capabilities that are still there.
 */
export function mergeLock(
  old: Lock | undefined,
  fresh: ReadonlyMap<string, LockedServer>,
  options: MergeOptions,
): Lock {
  const servers = new Map<string, LockedServer>();
  for (const key of options.keep) {
    const entry = old?.servers.get(key);
    if (entry !== undefined) servers.set(key, entry);
  }
  for (const [key, entry] of fresh) servers.set(key, withExtras(entry, old?.servers.get(key)));
  return {
    lockfileVersion: 1,
    agentgateVersion: options.version,
    // Whole seconds, as in the specification's example.
    generatedAt: options.now.toISOString().replace(/\.\d+Z$/, 'Z'),
    servers,
    extra: old?.extra ?? {},
  };
}

function withExtras(fresh: LockedServer, old: LockedServer | undefined): LockedServer {
  if (old === undefined) return fresh;
  const entry: LockedServer = { ...fresh, extra: joined(old.extra, fresh.extra) };
  for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const) {
    const [records, before] = [fresh[list], old[list]];
    if (records === undefined || before === undefined) continue;
    entry[list] = new Map(
      [...records].map(([name, record]) => {
        const extra = joined(before.get(name)?.extra ?? {}, record.extra);
        return [name, { ...record, extra }];
      }),
    );
  }
  if (fresh.instructions && old.instructions)
    entry.instructions = {
      ...fresh.instructions,
      extra: joined(old.instructions.extra, fresh.instructions.extra),
    };
  return entry;
}

function joined(old: JsonObject, fresh: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const source of [old, fresh])
    for (const [key, value] of Object.entries(source)) setOwn(result, key, value);
  return result;
}

/** True when two locks differ in nothing but `generatedAt` and `agentgateVersion`. */
export function isSameContent(a: Lock, b: Lock): boolean {
  const others = lockParts(undated(b));
  for (const part of lockParts(undated(a))) if (others.next().value !== part) return false;
  return others.next().done === true;
}

function undated(lock: Lock): Lock {
  return { lockfileVersion: 1, servers: lock.servers, extra: lock.extra };
}

/** What was read where a lock is to be written; `null` when there was no file. */
export type KnownLock = { lock: Lock; sha256: string } | null;

/**
 * Writes a lock whole or not at all. A file that holds the same content already is left alone, byte for byte and
 * mtime: then `written` is false.
 *
 * `known` is what was read there before: as long as the file is still that one, it is not read again, and when it is not,
 * `E_LOCK_CHANGED` is thrown, since what another run pinned meanwhile would be lost. Throws as `readLock` does when the
 * file there cannot be read as a lock: it is never overwritten. Throws `E_LOCK_WRITE` when the file system refuses, and
 * `E_LOCK_TOO_LARGE` when the lock could not be read again.
 */
export async function writeLock(path: string, lock: Lock, known?: KnownLock): Promise<{ written: boolean }> {
  const isKnown = known !== undefined && digestOf(path) === known?.sha256;
  const before = isKnown ? known?.lock : await readIfThere(path);
  if (before !== undefined && isSameContent(before, lock)) return { written: false };
  // Looked at again in the last moment: another run may take as long to write as this one.
  const confirm = (): void => {
    if (known !== undefined && digestOf(path) !== known?.sha256) throw changed(path);
  };
  confirm();
  collectGarbage();
  try {
    await writePartsAtomic(path, refuseLargeParts(lockParts(lock), basename(path)), confirm);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw new AgentGateError(
      'E_LOCK_WRITE',
      `${basename(path)} cannot be written (${cause.code}) and is as it was: check that its folder is there and ` +
        'writable and that the disk has room, then run this again.',
      { file: basename(path) },
      { cause },
    );
  }
  return { written: true };
}

function changed(path: string): AgentGateError {
  const file = basename(path);
  return new AgentGateError(
    'E_LOCK_CHANGED',
    `${file} was changed while the servers were looked at, by another run as it seems; it is left as it is now: run this again.`,
    { file },
  );
}

/** Hexadecimal; undefined for what is no file, or cannot be read. */
function digestOf(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(file).isFile()) return undefined;
    const digest = createHash('sha256');
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk))
      digest.update(chunk.subarray(0, size));
    return digest.digest('hex');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function readIfThere(path: string): Promise<Lock | undefined> {
  try {
    return (await readLock(path, basename(path))).lock;
  } catch (error) {
    if (error instanceof AgentGateError && error.code === 'E_LOCK_MISSING') return undefined;
    throw error;
  }
}

/**
 * The time for `generatedAt`: `SOURCE_DATE_EPOCH` (seconds since 1970, reproducible-builds.org) when it is set, else
 * now. Throws `E_SOURCE_DATE_EPOCH` when it is set and no such number.
 */
export function lockTime(env: NodeJS.ProcessEnv): Date {
  const epoch = env.SOURCE_DATE_EPOCH;
  if (epoch === undefined || epoch === '') return new Date();
  const date = new Date(Number(epoch) * 1000);
  // Year 9999 is the last that ISO 8601 writes with four digits.
  if (!/^\d{1,12}$/.test(epoch) || Number(epoch) > 253_402_300_799)
    throw new AgentGateError(
      'E_SOURCE_DATE_EPOCH',
      'The variable SOURCE_DATE_EPOCH is not a whole number of seconds since 1970: correct it or unset it.',
    );
  return date;
}
