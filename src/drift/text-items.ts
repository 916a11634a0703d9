import type { TextRun } from './text-compare.ts';
import { type EndLimits, type Ends, endsOf } from './text-ends.ts';
import { words } from './text-words.ts';

/** A token where it stands. */
export interface Item {
  op: TextRun['op'];
  token: string;
  /** Differs, or stands so lonely between two changes that it is read as part of them. */
  changed: boolean;
}

/**
 * Text that is left out: equal, as nothing near it changed, or changed, as there was too much of it. `tail` is its end,
 * for what follows on the same line.
 */
export interface Gap {
  gap: true;
  tail: string;
  endsLine: boolean;
  /** Lines of changed text. */
  left: number;
}

export interface ItemList {
  items: (Item | Gap)[];
  /** Lines of changed text beyond the limits, for which gaps stand. */
  left: { removed: number; added: number };
}

/** The limits hold for what goes and for what comes. */
export interface ItemLimits extends EndLimits {
  /** Whether equal text far from changes may be left out. */
  gaps: boolean;
}

/** Lines of equal text that are kept on each side of a change, in widths. */
const NEAR = 8;

/** The runs as tokens, as far as they are needed for hunks. */
export function itemsOf(runs: readonly TextRun[], limits: ItemLimits): ItemList {
  const items: (Item | Gap)[] = [];
  const left = { removed: 0, added: 0 };
  const crumbs = crumbsOf(runs);
  const kept = keptOf(runs, limits);
  runs.forEach((run, i) => {
    const { op, text } = run;
    if (op !== '=') {
      const ends = kept.get(i) ?? { head: text.length, tail: text.length, left: 0 };
      const add = (part: string): void => {
        for (const token of words(part)) items.push({ op, token, changed: true });
      };
      add(text.slice(0, ends.head));
      if (ends.left > 0) items.push(gapIn(text, ends.head, ends.tail, ends.left));
      add(text.slice(ends.tail));
      left[op === '-' ? 'removed' : 'added'] += ends.left;
      return;
    }
    const parts = limits.gaps ? parted(text, limits.width * NEAR, i > 0, i + 1 < runs.length) : [text];
    for (const part of parts)
      if (typeof part === 'string')
        for (const token of words(part)) items.push({ op, token, changed: crumbs.has(i) });
      else items.push(part);
  });
  return { items, left };
}

/** Equal runs that are shown as changed: lone short words between two changes that are longer cannot be read. */
function crumbsOf(runs: readonly TextRun[]): Set<number> {
  const crumbs = new Set<number>();
  const sizes = runs.map((run) => (run.op === '=' ? 0 : run.text.trim().length));
  const around = (from: number, step: number): number => {
    let most = 0;
    for (let i = from; i >= 0 && i < runs.length && runs[i]?.op !== '='; i += step)
      most = Math.max(most, sizes[i] ?? 0);
    return most;
  };
  runs.forEach((run, i) => {
    if (run.op !== '=' || i === 0 || i === runs.length - 1) return;
    if (run.text.length > 16 || run.text.includes('\n')) return;
    const bare = run.text.trim();
    if ((bare.match(/\S+/g) ?? []).length > 2) return;
    if (bare.length <= Math.min(around(i - 1, -1), around(i + 1, 1))) crumbs.add(i);
  });
  return crumbs;
}

/** What is kept of each changed run, by its index. */
function keptOf(runs: readonly TextRun[], limits: EndLimits): Map<number, Ends> {
  const kept = new Map<number, Ends>();
  for (const op of ['-', '+'] as const) {
    const side = runs.flatMap((run, index) => (run.op === op ? [{ index, text: run.text }] : []));
    const ends = endsOf(
      side.map(({ text }) => text),
      limits,
    );
    side.forEach(({ index }, i) => {
      const one = ends[i];
      if (one !== undefined) kept.set(index, one);
    });
  }
  return kept;
}

function gapIn(text: string, from: number, to: number, left: number): Gap {
  return {
    gap: true,
    tail: text.slice(Math.max(from, to - 24), to).replace(/^[\s\S]*\n/, ''),
    endsLine: text.charCodeAt(to - 1) === 10,
    left,
  };
}

/** Equal text with its middle left out, where it is long. Cut where lines begin, else at blanks. */
function parted(text: string, near: number, after: boolean, before: boolean): (string | Gap)[] {
  if (text.length <= near * 3) return [text];
  const head = after ? cutAfter(text, near) : 0;
  const tail = before ? cutNear(text, text.length - near) : text.length;
  return [text.slice(0, head), gapIn(text, head, tail, 0), text.slice(tail)].filter((part) => part !== '');
}

function cutAfter(text: string, at: number): number {
  const line = text.indexOf('\n', at);
  return line >= 0 && line < at * 2 ? line + 1 : cutNear(text, at);
}

function cutNear(text: string, at: number): number {
  const line = text.lastIndexOf('\n', at);
  if (at - line < 2_000 && line > 0) return line + 1;
  const blank = text.lastIndexOf(' ', at);
  if (at - blank < 200 && blank > 0) return blank + 1;
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}
