import { randomBytes } from 'node:crypto';
import {
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentGateError } from '../../util/errors.ts';
import { isObject, own } from '../../util/json.ts';
import { type Owner, ownerJson, ownerOf, stateOf, thisProcess } from './owner.ts';

/** Milliseconds. */
const WAIT_MS = 10_000;
/** A file of a lock is written in less. */
const LITTER_MS = 60_000;
/** A claim of a claim of a claim: each needs a process that died in the microseconds of a take-over. */
const MAX_CLAIMS = 6;

interface Held {
  owner: Owner;
  /** Never used twice. */
  nonce: string;
}

/**
 * A lock between processes: a file that only one can create, with its owner's number and start time in it. Of a dead
 * owner it is taken over.
 *
 * Take-over without the ABA trap: the lock of nonce N may be replaced only by who holds the claim `<path>.<N>`, itself
 * such a lock. Nonces are never used twice, so that a claimer who still reads N after claiming knows that nobody has
 * replaced it, and nobody else may; a late claimer reads another nonce and gives up.
 */
export class FileLock {
  private readonly path: string;
  private nonce: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Throws `E_LEDGER_BUSY` after 10 s, and `E_LEDGER_UNWRITABLE` when no file can be made there. */
  async acquire(waitMs = WAIT_MS): Promise<void> {
    const until = performance.now() + waitMs;
    for (let wait = 0.5; ; wait = Math.min(wait * 1.5, 8)) {
      this.nonce = tryAcquire(this.path, 0);
      if (this.nonce !== undefined) return;
      if (performance.now() > until)
        throw new AgentGateError(
          'E_LEDGER_BUSY',
          `${this.path} is held by ${holder(this.path)}; if that process is gone, remove the file and try again.`,
          { file: this.path },
        );
      await sleep(wait * (0.5 + Math.random()));
    }
  }

  release(): void {
    if (this.nonce === undefined) return;
    this.nonce = undefined;
    removeFile(this.path);
  }
}

/**
 * Removes what killed processes left beside a lock: files that never got its name, and claims to earlier owners. Neither
 * is ever used again.
 */
export function removeLitter(path: string): void {
  const name = basename(path);
  const current = read(path)?.nonce;
  for (const file of readdirSync(dirname(path))) {
    if (!file.startsWith(`${name}.`) || file === `${name}.${current}`) continue;
    const litter = join(dirname(path), file);
    if (isLitter(litter)) removeFile(litter);
  }
}

function isLitter(path: string): boolean {
  try {
    const held = read(path);
    return held !== undefined && stateOf(held.owner) === 'dead';
  } catch {
    // Being written at this moment, or cut off by a kill long ago.
    const stats = statSync(path, { throwIfNoEntry: false });
    return path.endsWith('.new') && stats !== undefined && Date.now() - stats.mtimeMs > LITTER_MS;
  }
}

/** The nonce when the lock is ours now. */
function tryAcquire(path: string, depth: number): string | undefined {
  const held = read(path);
  if (held !== undefined && stateOf(held.owner) !== 'dead') return undefined;
  const nonce = randomBytes(12).toString('hex');
  const temporary = `${path}.${nonce}.new`;
  try {
    // Written whole before it gets its name, so that nobody ever reads a half of it.
    writeFileSync(temporary, JSON.stringify({ ...ownerJson(thisProcess()), nonce }), {
      flag: 'wx',
      mode: 0o644,
    });
  } catch (error) {
    throw new AgentGateError(
      'E_LEDGER_UNWRITABLE',
      `${path} cannot be created (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}): check the folder of the ledger.`,
      { file: path },
      { cause: error },
    );
  }
  try {
    if (held === undefined) {
      linkSync(temporary, path);
      return nonce;
    }
    return takeOver(path, held, temporary, depth) ? nonce : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    removeFile(temporary);
  }
}

function takeOver(path: string, dead: Held, temporary: string, depth: number): boolean {
  if (depth >= MAX_CLAIMS) return false;
  const claim = `${path}.${dead.nonce}`;
  if (tryAcquire(claim, depth + 1) === undefined) return false;
  try {
    if (read(path)?.nonce !== dead.nonce) return false;
    renameSync(temporary, path);
    return true;
  } finally {
    removeFile(claim);
  }
}

/** Undefined when there is no file. Throws `E_LEDGER_BUSY` for a file that is no lock: nobody may take that over. */
function read(path: string): Held | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    const owner = ownerOf(value);
    const nonce = isObject(value) ? own(value, 'nonce') : undefined;
    if (owner !== undefined && typeof nonce === 'string' && /^[0-9a-f]{24}$/.test(nonce))
      return { owner, nonce };
  } catch {
    // As below.
  }
  throw new AgentGateError(
    'E_LEDGER_BUSY',
    `${path} is not a lock of AgentGate; find out what wrote it, then remove it.`,
    { file: path },
  );
}

function holder(path: string): string {
  const held = read(path);
  if (held === undefined) return 'one process after the other';
  return `process ${held.owner.pid} on ${held.owner.place.split('|')[0] || 'this host'}`;
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
