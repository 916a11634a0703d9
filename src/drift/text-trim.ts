import { boundary } from './text-boundary.ts';
import { columnsOf, isBlank } from './text-columns.ts';
import type { Item } from './text-items.ts';

/** Tokens of a changed sentence; `rest` for equal ones that are left out. */
export interface Part {
  rest: boolean;
  items: Item[];
}

/** Equal text shorter than this is not worth a cut, in columns. */
const WORTH = 6;

/**
 * A changed sentence in parts: whole when it fits a line, else the changes with what stands around them, and what is
 * equal and further away as `rest`. Cuts are between words, after a clause where there is one.
 */
export function keptEnds(items: readonly Item[], width: number): Part[] {
  const runs = runsOf(items);
  const sides = sizes(runs);
  if (Math.max(sides.old, sides.now) <= width) return [{ rest: false, items: [...items] }];
  const first = runs[0]?.equal === true ? runs[0] : undefined;
  const last = runs.length > 1 && runs.at(-1)?.equal === true ? runs.at(-1) : undefined;
  const half = Math.floor(width / 2);
  const middle = sizes(runs.filter((run) => run !== first && run !== last));
  const body = Math.max(middle.old, middle.now);
  const headRoom = Math.max(half, width - body - Math.min(last?.columns ?? 0, half) - 4);
  const head = Math.min(first?.columns ?? 0, headRoom);
  const used = (head + body) % width;
  const tailRoom = Math.max(width - used - 2, head + body > width ? half : WORTH);
  const parts: Part[] = [];
  const linesOf = (size: number): number => Math.ceil(size / width);
  let longer = Math.max(sides.old, sides.now);
  let open: Item[] = [];
  const close = (): void => {
    if (open.length > 0) parts.push({ rest: false, items: open });
    open = [];
  };
  for (const run of runs) {
    const keepStart = run === first ? 0 : run === last ? tailRoom : half;
    const keepEnd = run === last ? 0 : run === first ? headRoom : half;
    const from = run.equal ? cutAfterStart(run.items, keepStart) : run.items.length;
    const to = run.equal ? cutBeforeEnd(run.items, keepEnd) : run.items.length;
    const hidden = run.items.slice(from, to);
    const inner = run !== first && run !== last;
    const saved = from < to ? columns(hidden) : 0;
    const worth = inner
      ? run.columns > width && saved >= WORTH
      : linesOf(longer - saved + 1) < linesOf(longer);
    if (!run.equal || saved === 0 || !worth) {
      for (const item of run.items) open.push(item);
      continue;
    }
    longer -= saved;
    for (const item of run.items.slice(0, from)) open.push(item);
    close();
    parts.push({ rest: true, items: hidden });
    for (const item of run.items.slice(to)) open.push(item);
  }
  close();
  return parts;
}

interface ItemRun {
  equal: boolean;
  items: Item[];
  columns: number;
}

function runsOf(items: readonly Item[]): ItemRun[] {
  const runs: ItemRun[] = [];
  for (const item of items) {
    const equal = item.op === '=' && !item.changed;
    let run = runs.at(-1);
    if (run?.equal !== equal) {
      run = { equal, items: [], columns: 0 };
      runs.push(run);
    }
    run.items.push(item);
    run.columns += item.token === '\n' ? 0 : columnsOf(item.token);
  }
  return runs;
}

function sizes(runs: readonly ItemRun[]): { old: number; now: number } {
  let [old, now] = [0, 0];
  for (const run of runs)
    for (const { op, token } of run.items) {
      const size = token === '\n' ? 0 : columnsOf(token);
      if (op !== '+') old += size;
      if (op !== '-') now += size;
    }
  return { old, now };
}

function columns(items: readonly Item[]): number {
  return items.reduce((sum, { token }) => sum + (token === '\n' ? 0 : columnsOf(token)), 0);
}

/** The index after which at most `room` columns of the start have passed: behind a blank, a clause if one is near. */
function cutAfterStart(items: readonly Item[], room: number): number {
  let used = 0;
  let best = 0;
  let clause = 0;
  let tail = '';
  for (let i = 0; i < items.length; i++) {
    const token = items[i]?.token ?? '';
    const bare = isBlank(token);
    used += bare ? 0 : columnsOf(token);
    if (used > room) break;
    used += bare ? token.length : 0;
    tail = (tail + token).slice(-24);
    const place = boundary(tail, items[i + 1]?.token);
    if (place >= 1) best = i + 1;
    if (place >= 2 && used >= room * 0.6) clause = i + 1;
    if (i === items.length - 1) return items.length;
  }
  return clause > 0 ? clause : best;
}

/** The index from which on at most `room` columns follow. */
function cutBeforeEnd(items: readonly Item[], room: number): number {
  let used = 0;
  let best = items.length;
  let clause = items.length;
  for (let i = items.length - 1; i >= 0; i--) {
    const token = items[i]?.token ?? '';
    used += token === '\n' ? 0 : columnsOf(token);
    if (used > room) break;
    if (i === 0) return 0;
    const before = items[i - 1]?.token ?? '';
    if (!isBlank(before)) continue;
    best = i;
    const tail = `${items[i - 3]?.token ?? ''}${items[i - 2]?.token ?? ''}${before}`;
    if (boundary(tail, token) >= 2 && used >= room * 0.6) clause = i;
  }
  return clause < items.length ? clause : best;
}
