import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** What a file was: its bytes' hash, and what tells cheaply that it may have changed. */
interface Seen {
  sha256: string;
  stamp: string;
}

/**
 * Watches the files that a running gate was started with (lock, policy). They are read once; a change on disk is no
 * command to a running gate, but it is noticed.
 */
export class WatchedFiles {
  private readonly seen = new Map<string, Seen>();

  async add(path: string): Promise<void> {
    this.seen.set(path, { sha256: await hashOf(path), stamp: stampOf(path) });
  }

  /** The first that no longer has the content that it was added with. */
  async changed(): Promise<string | undefined> {
    for (const [path, seen] of this.seen) {
      const stamp = stampOf(path);
      if (stamp === seen.stamp) continue;
      if ((await hashOf(path)) !== seen.sha256) return path;
      seen.stamp = stamp;
    }
    return undefined;
  }
}

function stampOf(path: string): string {
  try {
    const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  } catch {
    return 'none';
  }
}

async function hashOf(path: string): Promise<string> {
  try {
    return hash('sha256', await readFile(path), 'hex');
  } catch {
    return 'none';
  }
}
