/**
 * Reads server-sent events (WHATWG HTML, "Interpreting an event stream") from text that may be cut anywhere and gives
 * the data of each `message` event. Other event types are left out.
 */
export class EventStreamReader {
  private rest = '';
  private data: string[] = [];
  private type = '';
  private length = 0;
  private afterCr = false;
  private readonly maxLength: number;

  /** `maxLength` bounds one event, in UTF-16 code units. */
  constructor(maxLength: number) {
    this.maxLength = maxLength;
  }

  /** Length of the event that is not whole yet, in UTF-16 code units. */
  get partial(): number {
    return this.length;
  }

  /** Gives undefined when an event is over the bound; the reader is dead from then on. */
  push(text: string): string[] | undefined {
    const events: string[] = [];
    // A line feed that belongs to a CR of the chunk before ends no line of its own.
    const chunk = this.afterCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.afterCr = text.endsWith('\r');
    const lines = chunk.split(/\r\n|\n|\r/);
    for (const [index, part] of lines.entries()) {
      this.length += part.length;
      if (this.length > this.maxLength) return undefined;
      this.rest += part;
      if (index === lines.length - 1) break;
      const event = this.line(this.rest);
      this.rest = '';
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  private line(line: string): string | undefined {
    if (line === '') {
      const event = this.type === '' || this.type === 'message' ? this.data.join('\n') : '';
      this.data = [];
      this.type = '';
      this.length = 0;
      return event === '' ? undefined : event;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.type = value;
    return undefined;
  }
}
