import { breaksAfter, columnsOf, isBlank, isClosing, pieces } from './text-columns.ts';

/** A part of a line that is the same on both sides, or not. */
export interface Span {
  text: string;
  changed: boolean;
}

/** One line of at most `width` columns, blanks at its end not counted. */
export interface DiffLine {
  kind: ' ' | '-' | '+';
  spans: Span[];
  /** True when the text's own line ends here; false where the line was only wrapped, or the text ends. */
  ends: boolean;
  /** False when the text's own line began before: the line was wrapped, or stands after a sentence. */
  starts: boolean;
  /** Text of the same sentence is left out before or after. */
  cutBefore?: true;
  cutAfter?: true;
  /** On a line of a change: only white space differs; what stands in its place has much in common with it. */
  spacing?: true;
  near?: true;
  /** The line end itself is new or gone. */
  endChanged?: true;
}

/**
 * Fills lines with the tokens of one side. A line breaks at blanks, in scripts without spaces also between characters,
 * never before closing punctuation; a word that is longer than a line is cut.
 */
export class LineFiller {
  readonly lines: DiffLine[] = [];
  private readonly kind: DiffLine['kind'];
  private readonly width: number;
  private starts: boolean;
  private line: DiffLine | undefined;
  private columns = 0;
  private word: Span[] = [];
  private wordColumns = 0;
  private mayBreak = false;

  /** `starts`: the first token begins a line of the text. */
  constructor(kind: DiffLine['kind'], width: number, starts: boolean) {
    this.kind = kind;
    this.width = width;
    this.starts = starts;
  }

  add(token: string, changed: boolean): void {
    if (token === '\n') {
      this.flushWord();
      const line = this.open();
      line.ends = true;
      if (changed) line.endChanged = true;
      // An empty line that is new or gone still has to show as such.
      if (changed && line.spans.length === 0) line.spans.push({ text: '', changed });
      this.close();
      return;
    }
    if (isBlank(token)) {
      this.flushWord();
      // Blanks may hang over the edge once; a long run of them fills lines as words do.
      if (this.columns >= this.width && token.length > 2) this.close();
      this.put(token, changed, token.length);
      return;
    }
    const wide = breaksAfter(token);
    if ((wide || this.mayBreak) && !isClosing(token)) this.flushWord();
    this.word.push({ text: token, changed });
    this.wordColumns += columnsOf(token);
    this.mayBreak = wide;
  }

  /** Ends the last line and gives all of them. */
  finish(): DiffLine[] {
    this.flushWord();
    this.close();
    return this.lines;
  }

  private open(): DiffLine {
    this.line ??= { kind: this.kind, spans: [], ends: false, starts: this.starts };
    return this.line;
  }

  private close(): void {
    if (this.line) {
      this.lines.push(this.line);
      this.starts = this.line.ends;
    }
    this.line = undefined;
    this.columns = 0;
  }

  private put(text: string, changed: boolean, columns: number): void {
    const { spans } = this.open();
    const last = spans.at(-1);
    if (last?.changed === changed) last.text += text;
    else spans.push({ text, changed });
    this.columns += columns;
  }

  private flushWord(): void {
    const { word, wordColumns } = this;
    if (word.length === 0) return;
    this.word = [];
    this.wordColumns = 0;
    this.mayBreak = false;
    if (this.columns > 0 && this.columns + wordColumns > this.width) this.close();
    for (const { text, changed } of word) {
      const columns = columnsOf(text);
      if (this.columns + columns <= this.width) {
        this.put(text, changed, columns);
        continue;
      }
      if (this.columns > 0) this.close();
      const parts = pieces(text, this.width);
      parts.forEach((part, i) => {
        if (i > 0) this.close();
        this.put(part, changed, columnsOf(part));
      });
    }
  }
}
