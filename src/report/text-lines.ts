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

/** At most `max` lines, the rest counted. */
export function capped(lines: string[], max: number, where: string): string[] {
  if (lines.length <= max) return lines;
  const more = lines.length - max;
  return [...lines.slice(0, max), `@@ ${more.toLocaleString('en-US')} more lines: ${where} @@`];
}
