import { createHash } from 'node:crypto';

/** The hash of a leaf: `SHA-256(0x00 || line)`, the line without its line feed (RFC 6962 §2.1). */
export function leafHash(line: string | Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(line).digest();
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

/** RFC 6962 Merkle tree, built leaf by leaf: keeps one hash for each level. */
export class MerkleTree {
  private readonly full: (Buffer | undefined)[] = [];
  size = 0;

  add(leaf: Buffer): void {
    let node = leaf;
    let level = 0;
    for (;;) {
      const left = this.full[level];
      if (left === undefined) break;
      node = nodeHash(left, node);
      this.full[level] = undefined;
      level++;
    }
    this.full[level] = node;
    this.size++;
  }

  /** The tree's root; of no leaves the hash of nothing. */
  root(): Buffer {
    let root: Buffer | undefined;
    for (const node of this.full) {
      if (node === undefined) continue;
      root = root === undefined ? node : nodeHash(node, root);
    }
    return root ?? createHash('sha256').digest();
  }
}
