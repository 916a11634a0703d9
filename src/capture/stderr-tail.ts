import type { Readable } from 'node:stream';

/** `DESIGN.md` §5: stderr is kept to its last 16 KiB. */
export const STDERR_LIMIT = 16 * 1024;

/** Drains a stream and keeps its last bytes. Returns a function that gives them as text, decoded leniently. */
export function keepTail(stream: Readable, limit = STDERR_LIMIT): () => string {
  let chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < limit * 2) return;
    const tail = Buffer.concat(chunks).subarray(-limit);
    chunks = [Buffer.from(tail)];
    size = tail.length;
  });
  stream.on('error', () => undefined);
  return () => {
    const tail = Buffer.concat(chunks).subarray(-limit);
    let start = 0;
    // A cut inside a character would show as a replacement character.
    while (size > limit && start < 4 && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
    return tail.subarray(start).toString('utf8');
  };
}
