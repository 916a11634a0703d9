import { literalPattern } from '../util/pattern.ts';

export interface PathMask {
  /** Absolute folder. */
  path: string;
  /** What stands for it, as in `${CWD}`. */
  name: string;
}

/** A path ends at the end of the text, a separator, a quote, white space, or what ends a word in a command line. */
const END = `(?=$|[/\\\\'"\`\\s:;,=)\\]}])`;

/** It starts no word's middle; `-v/path` is an option with its value attached. */
const START = `(?:(?<![\\w.~\\-}])|(?<=(?:^|\\s)-[A-Za-z]))`;

/** Anybody's home folder on Linux, macOS and Windows: a lock made on a laptop must read the same in CI. */
const ANY_HOME = new RegExp(
  `${START}(?:/home/|/Users/|[A-Za-z]:[\\\\/]Users[\\\\/])[^/\\\\'"\`\\s:;,=()\\[\\]{}$]+${END}`,
  'g',
);
const HOME_MARK = `\${HOME}`;

/**
 * Replaces host paths by `${NAME}`, the longest first, as whole paths only: `/home/ann` is not found in
 * `/home/anna` or in `x/home/ann`. A path is also found with its separators as `/`. The file system's root is no path to
 * mask. The home folders of others are `${HOME}` too.
 */
export function maskPaths(text: string, masks: readonly PathMask[]): string {
  const forms = masks.flatMap(({ path, name }) => {
    const trimmed = path.replace(/[\\/]+$/, '');
    const slashed = trimmed.replaceAll('\\', '/');
    return [...new Set([trimmed, slashed])].filter((form) => form.length > 1).map((form) => ({ form, name }));
  });
  forms.sort((a, b) => b.form.length - a.form.length);
  let masked = text;
  for (const { form, name } of forms) {
    const escaped = literalPattern(form);
    masked = masked.replace(new RegExp(`${START}${escaped}${END}`, 'g'), () => `\${${name}}`);
  }
  return masked.replace(ANY_HOME, () => HOME_MARK);
}
