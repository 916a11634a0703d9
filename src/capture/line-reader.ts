import type { ChannelFault } from './channel.ts';

const LF = 10;
const CR = 13;

export interface Line {
  /** Without its line end; invalid UTF-8 is replaced. */
  text: string;
  /** Bytes, without the line end. */
  bytes: number;
  validUtf8: boolean;
}

export interface LineLimits {
  /** Bytes of one line. */
  lineBytes: number;
  /** Bytes of all lines. */
  totalBytes: number;
}

/**
 * Cuts a stream of bytes into lines: LF ends a line, a CR before it goes, a byte order mark goes, blank lines are left
 * out. Chunks may be cut anywhere, in the middle of a character too. `push` and `end` give the lines that became whole;
 * over a limit they give a fault, and the reader is dead from then on.
 */
export class LineReader {
  private readonly limits: LineLimits;
  private readonly strict = new TextDecoder('utf-8', { fatal: true });
  private readonly lenient = new TextDecoder('utf-8');
  /** The line that is not whole yet; it grows by doubling, so that chunks of a byte cost no more than others. */
  private buffer = new Uint8Array(0);
  private held = 0;
  private total = 0;

  constructor(limits: LineLimits) {
    this.limits = limits;
  }

  push(chunk: Uint8Array): { lines: Line[]; fault?: ChannelFault } {
    const lines: Line[] = [];
    this.total += chunk.length;
    if (this.total > this.limits.totalBytes)
      return { lines, fault: tooLarge('more than', this.limits.totalBytes) };
    let from = 0;
    for (;;) {
      const lf = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, lf === -1 ? chunk.length : lf);
      if (this.held + part.length > this.limits.lineBytes)
        return { lines, fault: tooLarge('a line of more than', this.limits.lineBytes) };
      if (lf === -1) {
        this.keep(part);
        return { lines };
      }
      this.take(part, lines);
      from = lf + 1;
    }
  }

  /** The last line, when the stream ends without a line end. */
  end(): Line[] {
    const lines: Line[] = [];
    this.take(new Uint8Array(0), lines);
    return lines;
  }

  /** Bytes of the line that is not whole yet. */
  get partial(): number {
    return this.held;
  }

  private keep(part: Uint8Array): void {
    const length = this.held + part.length;
    if (length > this.buffer.length) {
      const grown = new Uint8Array(Math.min(Math.max(length, this.buffer.length * 2), this.limits.lineBytes));
      grown.set(this.buffer.subarray(0, this.held));
      this.buffer = grown;
    }
    this.buffer.set(part, this.held);
    this.held = length;
  }

  private take(rest: Uint8Array, lines: Line[]): void {
    let bytes = rest;
    if (this.held > 0) {
      this.keep(rest);
      bytes = this.buffer.subarray(0, this.held);
      this.buffer = new Uint8Array(0);
      this.held = 0;
    }
    if (bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    const line = this.decode(bytes);
    if (line.text.trim() !== '') lines.push(line);
  }

  private decode(bytes: Uint8Array): Line {
    try {
      return { text: this.strict.decode(bytes), bytes: bytes.length, validUtf8: true };
    } catch {
      return { text: this.lenient.decode(bytes), bytes: bytes.length, validUtf8: false };
    }
  }
}

function tooLarge(what: string, bytes: number): ChannelFault {
  return { code: 'E_TOO_LARGE', text: `sent ${what} ${Math.round(bytes / 1024 / 1024)} MiB` };
}
