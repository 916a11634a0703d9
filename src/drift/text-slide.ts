import { boundary } from './text-boundary.ts';
import type { TextRun } from './text-compare.ts';
import { words } from './text-words.ts';

/** Tokens that a change may be moved over, each way, and characters looked at for it. */
const REACH = 120;
const NEAR = 800;

/**
 * What was put in or taken out can often stand at several places (`A. [N. ]B.` and `A.[ N.] B.` are the same):
 * moves each such change to where lines and sentences begin and end.
 */
export function slide(runs: readonly TextRun[]): TextRun[] {
  const out = runs.map((run) => ({ ...run }));
  out.forEach((run, i) => {
    const before = out[i - 1];
    const after = out[i + 1];
    if (run.op === '=' || before?.op !== '=' || (after !== undefined && after.op !== '=')) return;
    const left = words(nearEnd(before.text));
    const middle = edgesOf(run.text);
    const right = words(nearStart(after?.text ?? ''));
    const all = [...left, ...middle, ...right];
    const start = left.length;
    const size = middle.length;
    let low = start;
    while (low > 0 && start - low < REACH && all[low - 1] === all[low + size - 1]) low--;
    let high = start;
    while (high + size < all.length && high - start < REACH && all[high] === all[high + size]) high++;
    if (low === high) return;
    let best = start;
    let most = -1;
    for (let at = low; at <= high; at++) {
      const score = scoreAt(all, at) + scoreAt(all, at + size);
      if (score >= most) {
        best = at;
        most = score;
      }
    }
    const moved = best - start;
    if (moved === 0) return;
    const text = (from: number, to: number): string => all.slice(from, to).join('');
    if (moved < 0) {
      const taken = text(best, start);
      before.text = before.text.slice(0, before.text.length - taken.length);
      if (after) after.text = text(best + size, start + size) + after.text;
      else out.push({ op: '=', text: text(best + size, start + size) });
    } else {
      const given = text(start, best);
      before.text += given;
      if (after) after.text = after.text.slice(text(start + size, best + size).length);
    }
    run.text = text(best, best + size);
  });
  return out.filter((run) => run.text !== '');
}

/** The tokens of a text; of a long one those near its ends, with all between them as one. */
function edgesOf(text: string): string[] {
  if (text.length <= NEAR * 4) return words(text);
  const start = nearStart(text);
  const end = nearEnd(text);
  const between = text.slice(start.length, text.length - end.length);
  return [...words(start), between, ...words(end)];
}

/** The end of a text, from a token's start on; empty when no such place is near. */
function nearEnd(text: string): string {
  if (text.length <= NEAR) return text;
  const part = text.slice(-NEAR);
  const at = part.search(/[ \n](?=\S)/u);
  return at < 0 ? '' : part.slice(at + 1);
}

function nearStart(text: string): string {
  if (text.length <= NEAR) return text;
  const part = text.slice(0, NEAR);
  const at = Math.max(part.lastIndexOf('\n'), part.search(/\S [^ ]*$/u) + 1);
  return at <= 0 ? '' : part.slice(0, at);
}

function scoreAt(tokens: readonly string[], at: number): number {
  let tail = '';
  for (let i = at - 1; i >= 0 && tokens[i] !== '\n' && tail.length < 16; i--) tail = (tokens[i] ?? '') + tail;
  const place = boundary(tail, tokens[at]);
  // A paragraph's start is better than a line's.
  return place === 4 && (at < 2 || tokens[at - 2] === '\n') ? 5 : place;
}
