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
  private parts: Uint8Array[] = [];
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
      this.held += part.length;
      if (this.held > this.limits.lineBytes)
        return { lines, fault: tooLarge('a line of more than', this.limits.lineBytes) };
      if (part.length > 0) this.parts.push(part);
      if (lf === -1) return { lines };
      this.take(lines);
      from = lf + 1;
    }
  }

  /** The last line, when the stream ends without a line end. */
  end(): Line[] {
    const lines: Line[] = [];
    this.take(lines);
    return lines;
  }

  private take(lines: Line[]): void {
    let bytes: Uint8Array =
      this.parts.length === 1 ? (this.parts[0] as Uint8Array) : Buffer.concat(this.parts);
    this.parts = [];
    this.held = 0;
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
