/** What a launcher's own options are. */
export interface OptionTable {
  /** Options that take the next word as value when they have no `=`. Long with `--`, short with `-`. */
  values: ReadonlySet<string>;
  /** An unknown long option takes a value too, unless it is in `flags` (npm's way is the other one). */
  flags?: ReadonlySet<string>;
  /** Short options may carry their value in the same word (`-eTOKEN`, `-p3.12`). */
  attached?: boolean;
}

export interface ParsedOptions {
  /** Every value given, in order, by option name as written (`--from`, `-p`); a flag has `''`. */
  options: { name: string; value: string }[];
  /** The first word that is no option, and all after it. */
  rest: string[];
}

/** Reads options up to the first word that is none, or to `--`. */
export function readOptions(words: readonly string[], table: OptionTable): ParsedOptions {
  const options: ParsedOptions['options'] = [];
  let i = 0;
  for (; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') return { options, rest: words.slice(i + 1) };
    if (!word.startsWith('-') || word === '-') break;
    const at = word.indexOf('=');
    const name = at > 0 ? word.slice(0, at) : word;
    if (at > 0 && (name.startsWith('--') || table.values.has(name))) {
      options.push({ name, value: word.slice(at + 1) });
    } else if (table.values.has(word)) {
      options.push({ name: word, value: words[++i] ?? '' });
    } else if (table.attached && !word.startsWith('--') && table.values.has(word.slice(0, 2))) {
      options.push({ name: word.slice(0, 2), value: word.slice(2) });
    } else if (table.attached && /^-[a-zA-Z]{2,}$/.test(word) && table.values.has(`-${word.at(-1)}`)) {
      // A group of short options whose last takes a value: -ite NAME.
      options.push({ name: `-${word.at(-1)}`, value: words[++i] ?? '' });
    } else {
      options.push({ name: word, value: '' });
    }
  }
  return { options, rest: words.slice(i) };
}

/** The values of the options of these names, in order. */
export function valuesOf({ options }: ParsedOptions, ...names: string[]): string[] {
  return options.filter(({ name }) => names.includes(name)).map(({ value }) => value);
}

/** A set of words, written as one text. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}
