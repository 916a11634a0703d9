export interface PathMask {
  /** Absolute folder. */
  path: string;
  /** What stands for it, as in `${CWD}`. */
  name: string;
}

/** A path ends at the end of the text, a separator, a quote, white space, or what ends a word in a command line. */
const END = `(?=$|[/\\\\'"\`\\s:;,=)\\]}])`;

/**
 * Replaces host paths by `${NAME}`, the longest first, as whole paths only: `/home/ann` is not found in
 * `/home/anna` or in `x/home/ann`. A path is also found with its separators as `/`. The file system's root is no path to mask.
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
    const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    masked = masked.replace(new RegExp(`(?<![\\w.~\\-}])${escaped}${END}`, 'g'), () => `\${${name}}`);
  }
  return masked;
}
