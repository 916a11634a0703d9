import { collectGarbage, collectSooner } from '../util/garbage.ts';
import { LIMITS } from './limits.ts';

/** What every server may take beside the pool, so that no neighbour can take it away; and all of them that way. Weight. */
const FREE = 1024 * 1024;
const ALL_FREE = 32 * FREE;
/** From here on, and after each further one of these, garbage is collected. Weight. */
const MUCH = 8 * 1024 * 1024;
/** An estimate of what one value of a parsed JSON text takes, beside its characters. */
const VALUE = 64;

/**
 * What all servers of a run may keep of their texts at the same time. Weight is an estimate of bytes in memory, see
 * {@link weightOf}.
 */
export class MemoryPool {
  /** What each server may take beside the pool. */
  readonly free: number;
  private readonly limit: number;
  private used = 0;
  /** Since garbage was collected last. */
  private taken = 0;

  constructor(limit: number = LIMITS.runWeight, servers = 1) {
    this.limit = limit;
    this.free = Math.min(FREE, Math.floor(ALL_FREE / servers));
  }

  /** Changes what one server takes; false, and nothing is changed, when it is not there. */
  change(by: number): boolean {
    if (by > 0 && this.used + by > this.limit) return false;
    this.used += by;
    if (this.used > MUCH) {
      collectSooner();
      this.taken += Math.max(0, by);
      if (this.taken > MUCH) {
        this.taken = 0;
        collectGarbage();
      }
    }
    return true;
  }
}

/** One server's part of a pool. Every method gives false when the pool has no more. */
export class MemoryShare {
  private readonly pool: MemoryPool;
  private taken = 0;
  private partial = 0;
  private kept = 0;
  private surface = 0;

  constructor(pool: MemoryPool) {
    this.pool = pool;
  }

  /** Bytes of a message that is not whole yet. */
  holdPartial(bytes: number): boolean {
    this.partial = bytes;
    return this.settle();
  }

  /** Weight of the answers that make up the surface being read. */
  holdAnswers(weight: number): boolean {
    this.kept = weight;
    return this.settle();
  }

  /** The surface is read, and stays. That of a second start takes its place: what is equal is not kept twice. */
  keepSurface(): void {
    this.surface = Math.max(this.surface, this.kept);
    this.kept = 0;
    this.partial = 0;
  }

  /** Nothing of this server is kept. */
  release(): void {
    this.partial = 0;
    this.kept = 0;
    this.surface = 0;
    this.settle();
  }

  private settle(): boolean {
    const wanted = Math.max(0, Math.max(this.partial + this.kept, this.surface) - this.pool.free);
    if (!this.pool.change(wanted - this.taken)) return false;
    this.taken = wanted;
    return true;
  }
}

/** Follows "server ". */
export const TOO_MUCH = `sent so much that all servers together take more than ${LIMITS.runWeight / 1024 / 1024} MiB; check it alone with --server, or skip it with a reason in agentgate.yml`;

/**
 * What a JSON text takes when it is parsed: V8 keeps a text in one byte a character, or in two when any of them is
 * beyond Latin-1 (and takes as much again to write it as UTF-8), and a value of its own for each element and member.
 */
export function weightOf(text: string, values: number): number {
  return text.length * (/[^\0-\xff]/.test(text) ? 4 : 1) + values * VALUE;
}
