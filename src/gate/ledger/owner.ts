import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject, type JsonObject, own } from '../../util/json.ts';

/** A process, named so that another one with the same number is not taken for it. */
export interface Owner {
  pid: number;
  /** Host, boot and process namespace: where the number means something. */
  place: string;
  /** Start time in clock ticks since boot (`/proc/<pid>/stat`, field 22); `""` where it is not known. */
  start: string;
}

let self: Owner | undefined;

/** This process. */
export function thisProcess(): Owner {
  self ??= { pid: process.pid, place: place(), start: statOf(process.pid)?.start ?? '' };
  return self;
}

/**
 * `dead` only when that is certain: on this host, in this boot and namespace, no such process is there, or one that
 * started at another time, or one that has ended and waits for its parent (a zombie).
 */
export function stateOf(owner: Owner): 'alive' | 'dead' | 'unknown' {
  const me = thisProcess();
  if (owner.place !== me.place) return ofEarlierBoot(owner.place, me.place) ? 'dead' : 'unknown';
  const stat = statOf(owner.pid);
  if (stat !== undefined)
    return stat.state === 'Z' || stat.state === 'X' || stat.start !== owner.start ? 'dead' : 'alive';
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  return 'alive';
}

/** An owner as it was written down; undefined for anything else. */
export function ownerOf(value: unknown): Owner | undefined {
  if (!isObject(value)) return undefined;
  const [pid, where, start] = [own(value, 'pid'), own(value, 'place'), own(value, 'start')];
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return typeof where === 'string' && typeof start === 'string' ? { pid, place: where, start } : undefined;
}

export function ownerJson(owner: Owner): JsonObject {
  return { pid: owner.pid, place: owner.place, start: owner.start };
}

function place(): string {
  const read = (work: () => string): string => {
    try {
      return work().trim();
    } catch {
      return '';
    }
  };
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  return `${hostname()}|${boot}|${namespace}`;
}

/** The same host, booted again: none of its earlier processes lives. */
function ofEarlierBoot(theirs: string, mine: string): boolean {
  const [host, boot] = theirs.split('|');
  const [myHost, myBoot] = mine.split('|');
  return host === myHost && boot !== '' && myBoot !== '' && boot !== undefined && boot !== myBoot;
}

function statOf(pid: number): { state: string; start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return state === undefined || start === undefined ? undefined : { state, start };
  } catch {
    return undefined;
  }
}
