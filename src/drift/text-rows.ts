import type { Run } from './text-words.ts';

/** A part of a line that is the same on both sides, or not. */
export interface Span {
  text: string;
  changed: boolean;
}

/** One line of at most about `width` columns. */
export interface DiffLine {
  kind: ' ' | '-' | '+';
  spans: Span[];
  /** True when the text's own line ends here; false where the line was only wrapped, or the text ends. */
  ends: boolean;
}

/** Lines that belong together: one line of context, or what goes and what comes in its place. */
export interface Row {
  changed: boolean;
  lines: DiffLine[];
}

/** Lays runs of tokens out in rows. Both sides are wrapped at the same places, so that one word changes one row. */
export function layOut(runs: readonly Run[], width: number): Row[] {
  const builder = new RowBuilder(width);
  for (const { op, tokens } of runs) for (const token of tokens) builder.add(op, token);
  builder.flush();
  return builder.rows;
}

class Side {
  readonly kind: '-' | '+';
  lines: DiffLine[] = [];
  private line: DiffLine | undefined;
  width = 0;

  constructor(kind: '-' | '+') {
    this.kind = kind;
  }

  get atStart(): boolean {
    return this.line === undefined;
  }

  add(token: string, changed: boolean): void {
    this.line ??= { kind: this.kind, spans: [], ends: false };
    if (token === '\n') {
      this.line.ends = true;
      // An empty line that is new or gone still has to show as such.
      if (changed && this.line.spans.length === 0) this.line.spans.push({ text: '', changed });
      this.close();
      return;
    }
    const last = this.line.spans.at(-1);
    if (last?.changed === changed) last.text += token;
    else this.line.spans.push({ text: token, changed });
    this.width += token.length;
  }

  close(): void {
    if (this.line) this.lines.push(this.line);
    this.line = undefined;
    this.width = 0;
  }

  take(): DiffLine[] {
    this.close();
    const { lines } = this;
    this.lines = [];
    return lines;
  }
}

class RowBuilder {
  readonly rows: Row[] = [];
  private readonly width: number;
  private readonly old = new Side('-');
  private readonly now = new Side('+');
  private changed = false;

  constructor(width: number) {
    this.width = width;
  }

  add(op: Run['op'], token: string): void {
    if (op === '=') {
      const room = this.width - Math.max(this.old.width, this.now.width);
      // A blank may hang over the edge; a word moves to the next row.
      if (token !== '\n' && token.trim() !== '' && token.length > room && room < this.width) this.flush();
      this.old.add(token, false);
      this.now.add(token, false);
      if (token === '\n') this.flush();
      return;
    }
    this.changed = true;
    const side = op === '-' ? this.old : this.now;
    if (token !== '\n' && token.trim() !== '' && side.width > 0 && side.width + token.length > this.width)
      side.close();
    side.add(token, true);
    // A whole line came or went: what follows stands on its own.
    if (token === '\n' && this.old.atStart && this.now.atStart) this.flush();
  }

  flush(): void {
    const old = this.old.take();
    const now = this.now.take();
    if (this.changed) this.rows.push({ changed: true, lines: [...old, ...now] });
    else for (const line of old) this.rows.push({ changed: false, lines: [{ ...line, kind: ' ' }] });
    this.changed = false;
  }
}
