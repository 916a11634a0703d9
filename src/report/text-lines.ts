import { visible } from '../util/hidden.ts';

/** Columns of a line in a fence: GitHub's comment column shows about 100 without scrolling. */
export const FENCE_WIDTH = 92;

/**
 * The text as lines of at most `width` characters, broken at blanks where there are any, so that nothing is
 * hidden by scrolling (a known trick is a long run of blanks before the payload). Hidden characters are made visible.
 */
export function wrapLines(words: string, width = FENCE_WIDTH): string[] {
  const out: string[] = [];
  for (const line of visible(words).split('\n')) {
    let rest = line;
    while (rest.length > width) {
      const at = rest.lastIndexOf(' ', width);
      let cutAt = at > width / 3 ? at + 1 : width;
      const unit = rest.charCodeAt(cutAt - 1);
      if (unit >= 0xd800 && unit <= 0xdbff) cutAt--;
      out.push(rest.slice(0, cutAt).trimEnd());
      rest = rest.slice(cutAt);
    }
    out.push(rest);
  }
  return out;
}

/** Lines for a `diff` fence, each with its sign and a blank. */
export function signed(sign: '+' | '-' | ' ', lines: string[]): string[] {
  return lines.map((line) => `${sign} ${line}`.trimEnd());
}

/** Lines of a run of removed ones that stay when a diff is too long: what is new matters more. */
const KEPT_REMOVED = 3;

/** At most about `max` lines of a diff, the rest counted; long runs of removed lines go first. */
export function capped(lines: string[], max: number, where: string): string[] {
  if (lines.length <= max) return lines;
  const out: string[] = [];
  let shown = 0;
  let index = 0;
  while (index < lines.length && shown < max) {
    let end = index;
    while (end < lines.length && lines[end]?.startsWith('-')) end++;
    const run = end - index;
    if (run > KEPT_REMOVED + 1) {
      out.push(...lines.slice(index, index + KEPT_REMOVED), `@@ ${count(run - KEPT_REMOVED)} gone @@`);
      shown += KEPT_REMOVED + 1;
      index = end;
    } else {
      out.push(lines[index] ?? '');
      shown++;
      index++;
    }
  }
  if (index < lines.length) out.push(`@@ ${count(lines.length - index)}: ${where} @@`);
  return out;
}

function count(lines: number): string {
  return `${lines.toLocaleString('en-US')} more ${lines === 1 ? 'line' : 'lines'}`;
}

/** `out.push(...items)` for lists of any length: arguments are limited by the stack. */
export function append<T>(out: T[], items: readonly T[]): void {
  for (const item of items) out.push(item);
}
