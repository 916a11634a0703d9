import { hash } from 'node:crypto';
import type { JsonObject } from '../util/json.ts';
import type { Incoming } from './channel.ts';
import { LIMITS } from './limits.ts';

/**
 * Answers that other clients may have dropped (dug out of a noisy line, or with further members), by id: a later regular
 * answer must say the same, or we would pin what they never saw.
 */
export class IrregularAnswers {
  private readonly digests = new Map<string, string>();

  /** Remembers the first answer to an id, when clients may drop it. */
  add(key: string, incoming: Incoming): void {
    if (isRegular(incoming)) return;
    const [oldest] = this.digests.keys();
    if (this.digests.size >= LIMITS.irregular && oldest !== undefined) this.digests.delete(oldest);
    this.digests.set(key, digestOf(incoming.message));
  }

  /** True when a further answer to an id is one that clients take, and says something else. */
  contradicts(key: string, incoming: Incoming): boolean {
    const earlier = this.digests.get(key);
    return earlier !== undefined && isRegular(incoming) && earlier !== digestOf(incoming.message);
  }
}

/** JSON-RPC clients drop an answer with members of their own making. */
function isRegular({ message, recovered }: Incoming): boolean {
  return recovered !== true && Object.keys(message).length === 3;
}

function digestOf(message: JsonObject): string {
  return hash('sha256', JSON.stringify(message), 'hex');
}
