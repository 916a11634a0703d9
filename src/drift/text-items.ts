import type { TextRun } from './text-compare.ts';
import { words } from './text-words.ts';

/** A token where it stands. */
export interface Item {
  op: TextRun['op'];
  token: string;
  /** Differs, or stands so lonely between two changes that it is read as part of them. */
  changed: boolean;
}

/** Equal text that is left out, as nothing near it changed; `tail` is its end, for what follows on the same line. */
export interface Gap {
  gap: true;
  tail: string;
  endsLine: boolean;
}

export interface ItemList {
  items: (Item | Gap)[];
  /** Lines of changed text beyond the limits, which are in no item. */
  left: { removed: number; added: number };
}

export interface ItemLimits {
  width: number;
  /** Whether equal text far from changes may be left out. */
  gaps: boolean;
  /** Lines and characters of changed text, for what goes and for what comes. */
  lines: number;
  characters: number;
}

/** Lines of equal text that are kept on each side of a change, in widths. */
const NEAR = 8;

/** The runs as tokens, as far as they are needed for hunks. */
export function itemsOf(runs: readonly TextRun[], limits: ItemLimits): ItemList {
  const items: (Item | Gap)[] = [];
  const left = { removed: 0, added: 0 };
  const room = {
    '-': { lines: limits.lines, characters: limits.characters },
    '+': { lines: limits.lines, characters: limits.characters },
  };
  const crumbs = crumbsOf(runs);
  runs.forEach((run, i) => {
    const { op } = run;
    if (op !== '=') {
      const { kept, lines } = fitting(run.text, room[op], limits.width);
      left[op === '-' ? 'removed' : 'added'] += lines;
      for (const token of words(kept)) items.push({ op, token, changed: true });
      return;
    }
    const parts = limits.gaps
      ? parted(run.text, limits.width * NEAR, i > 0, i + 1 < runs.length)
      : [run.text];
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

/** As much of a text as there is room for, and how many lines are left. */
function fitting(
  text: string,
  room: { lines: number; characters: number },
  width: number,
): { kept: string; lines: number } {
  let at = 0;
  while (at < text.length && room.lines > 0 && room.characters > 0) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found + 1;
    const most = Math.min(room.characters, room.lines * width);
    if (end - at <= most) {
      room.lines -= Math.max(1, Math.ceil((end - at - 1) / width));
      room.characters -= end - at;
      at = end;
      continue;
    }
    at += most;
    const unit = text.charCodeAt(at - 1);
    if (unit >= 0xd800 && unit <= 0xdbff) at--;
    room.lines = 0;
  }
  return { kept: text.slice(0, at), lines: linesIn(text, at, width) };
}

function linesIn(text: string, from: number, width: number): number {
  let count = 0;
  for (let at = from; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    count += Math.max(1, Math.ceil((end - at) / width));
    at = end + 1;
  }
  return count;
}

/** Equal text with its middle left out, where it is long. Cut where lines begin, else at blanks. */
function parted(text: string, near: number, after: boolean, before: boolean): (string | Gap)[] {
  if (text.length <= near * 3) return [text];
  const head = after ? cutAfter(text, near) : 0;
  const tail = before ? cutNear(text, text.length - near) : text.length;
  const gap: Gap = {
    gap: true,
    tail: text.slice(Math.max(head, tail - 24), tail).replace(/^[\s\S]*\n/, ''),
    endsLine: text.charCodeAt(tail - 1) === 10,
  };
  return [text.slice(0, head), gap, text.slice(tail)].filter((part) => part !== '');
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
