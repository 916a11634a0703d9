import { boundary } from './text-boundary.ts';
import { isBlank } from './text-columns.ts';
import type { Gap, Item } from './text-items.ts';

/** How a stretch of text lies among the others. */
export interface Place {
  /** Begins a line of the text. */
  starts: boolean;
  /** What stands before it changed. */
  before: boolean;
  /** What stands after it changed. */
  after: boolean;
  cleanStart: boolean;
  cleanEnd: boolean;
}

/** Tokens from one place where both sides can be parted to the next. */
export interface Segment extends Place {
  items: (Item | Gap)[];
}

/** Cuts the tokens where lines and sentences begin on both sides. */
export function segmentsOf(items: readonly (Item | Gap)[]): Segment[] {
  const nextOf = nextTokens(items);
  const segments: Segment[] = [];
  let start = 0;
  let cleanStart = true;
  let starts = true;
  const cut = (end: number, clean: boolean, line: boolean): void => {
    if (end > start)
      segments.push({
        items: items.slice(start, end),
        starts,
        before: false,
        after: false,
        cleanStart,
        cleanEnd: clean,
      });
    start = end;
    cleanStart = clean;
    starts = line;
  };
  for (let i = 1; i < items.length; i++) {
    const previous = items[i - 1];
    const item = items[i];
    if (previous === undefined || item === undefined) continue;
    if ('gap' in item || 'gap' in previous) {
      const clean = tailOf(items, i, '+') === '' && tailOf(items, i, '-') === '';
      cut(i, clean, clean);
      continue;
    }
    if (previous.op !== '=' && item.op !== '=') continue;
    if (!mayEnd(previous) && !mayEnd(item) && previous.op === item.op) continue;
    const oldTail = tailOf(items, i, '+');
    const newTail = tailOf(items, i, '-');
    const old = boundary(oldTail, nextOf(i, '+'));
    const now = boundary(newTail, nextOf(i, '-'));
    if (old < 3 || now < 3) continue;
    // Between a sentence and an equal blank the blank goes with the sentence.
    if (previous.op === '=' && item.op === '=' && oldTail !== '' && isBlank(item.token)) continue;
    if (previous.op === '=' && item.op === '=' && item.token === '\n' && oldTail !== '') continue;
    cut(i, true, oldTail === '' && newTail === '');
  }
  cut(items.length, true, true);
  neighbours(segments);
  return segments;
}

/** Says of each segment whether the nearest one that can be read changed, before and after it. */
function neighbours(segments: Segment[]): void {
  const states = segments.map(({ items }) => {
    if (items.some((item) => !('gap' in item) && item.op !== '=')) return true;
    return items.every((item) => !('gap' in item) && item.token.trim() === '') ? undefined : false;
  });
  let state = false;
  segments.forEach((segment, i) => {
    segment.before = state;
    state = states[i] ?? state;
  });
  state = false;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment) segment.after = state;
    state = states[i] ?? state;
  }
}

function mayEnd({ token }: Item): boolean {
  return /[\s.!?…。！？"'”’）」』】)\]*_`]$/u.test(token);
}

/** What stands before a place on the same line, on the side that has no tokens of kind `without`. */
function tailOf(items: readonly (Item | Gap)[], at: number, without: '-' | '+'): string {
  let tail = '';
  for (let i = at - 1; i >= 0 && tail.length < 24; i--) {
    const item = items[i];
    if (item === undefined) break;
    if ('gap' in item) return item.tail + tail;
    if (item.op === without) continue;
    if (item.token === '\n') break;
    tail = item.token + tail;
  }
  return tail;
}

function nextTokens(items: readonly (Item | Gap)[]): (at: number, without: '-' | '+') => string | undefined {
  const empty = (): (string | undefined)[] => items.map(() => undefined);
  const next = { '-': empty(), '+': empty() };
  for (const without of ['-', '+'] as const) {
    let token: string | undefined;
    for (let i = items.length - 1; i >= 0; i--) {
      const item = items[i];
      if (item !== undefined && 'gap' in item) token = 'X';
      else if (item !== undefined && item.op !== without) token = item.token;
      next[without][i] = token;
    }
  }
  return (at, without) => next[without][at];
}
