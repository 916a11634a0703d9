import { hashOf } from '../lock/hash.ts';
import type { LogMessage } from './notices.ts';
import type { ListKey, VerifiedSurface } from './surface.ts';

export type ChangedList = 'tools' | 'prompts' | 'resources';

/** A client's session, as far as the server has news for it. */
export interface Listener {
  listsChanged(lists: ReadonlySet<ChangedList>): void;
  log(message: LogMessage): void;
  /** Of a resource that it subscribed to, or did not. */
  updated(uri: string): void;
}

/** Milliseconds between two news that a list has changed: a client reads the list each time. */
const PAUSE_MS = 1_000;

const LISTS: readonly [ListKey, ChangedList][] = [
  ['tools', 'tools'],
  ['prompts', 'prompts'],
  ['resources', 'resources'],
  ['resourceTemplates', 'resources'],
];

/** All clients of a proxy. */
export class Audience {
  readonly listeners = new Set<Listener>();
  /** Of what each list let through when it was verified last. */
  private seen: Map<ListKey, string> | undefined;
  private readonly waiting = new Set<ChangedList>();
  private timer: NodeJS.Timeout | undefined;

  /** Told each verified surface; passes on which lists let something else through than before. */
  verified(surface: VerifiedSurface): void {
    const before = this.seen;
    const now = new Map<ListKey, string>();
    for (const [key] of LISTS) now.set(key, digestOf(surface, key));
    this.seen = now;
    if (before === undefined) return;
    for (const [key, list] of LISTS) if (before.get(key) !== now.get(key)) this.waiting.add(list);
    if (this.waiting.size > 0 && this.timer === undefined) this.tell();
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting.clear();
  }

  private tell(): void {
    const lists = new Set(this.waiting);
    this.waiting.clear();
    for (const listener of this.listeners) listener.listsChanged(lists);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.waiting.size > 0) this.tell();
    }, PAUSE_MS).unref();
  }
}

function digestOf(surface: VerifiedSurface, key: ListKey): string {
  const parts = [...surface.allowed[key]].map(([name, { definition }]) => [name, hashOf(definition)]);
  return hashOf(parts);
}
