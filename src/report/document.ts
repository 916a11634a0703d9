import { grouped } from '../util/grouped.ts';

/**
 * The shape that every rendering is made from: blocks with inline spans. Texts in `text` spans are our own words;
 * everything that comes from a server, a config or a pull request is a `name` (prose), `code` or a fence, and each
 * printer makes those safe for its format.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'code'; text: string; struck?: boolean; strong?: boolean }
  | { kind: 'strong'; children: Inline[] }
  /** `url` is given by the caller of a renderer, never taken from a report. */
  | { kind: 'link'; text: string; url: string };

export interface TableColumn {
  title: string;
  align?: 'left' | 'right' | 'center';
}

export type Block =
  | { kind: 'heading'; level: 2 | 3 | 4; inlines: Inline[] }
  | { kind: 'paragraph'; inlines: Inline[] }
  | { kind: 'small'; inlines: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'table'; columns: TableColumn[]; rows: Inline[][][] }
  /** `marks`: parts of a line, by its index, that are emphasised where that can be shown. */
  | { kind: 'fence'; info: 'diff' | 'json' | 'text' | 'sh'; text: string; marks?: FenceMarks }
  /** `short` stands for `blocks` where nothing can be unfolded. */
  | { kind: 'details'; summary: Inline[]; open?: boolean; blocks: Block[]; short?: Block[] }
  | { kind: 'alert'; level: 'caution' | 'warning' | 'note'; blocks: Block[] };

/** Start and end in UTF-16 units of the line. */
export type FenceMarks = ReadonlyMap<number, readonly (readonly [number, number])[]>;

export const text = (words: string): Inline => ({ kind: 'text', text: words });
export const name = (words: string): Inline => ({ kind: 'name', text: words });
export const code = (words: string): Inline => ({ kind: 'code', text: words });
export const strong = (...children: Inline[]): Inline => ({ kind: 'strong', children });
export const paragraph = (...inlines: Inline[]): Block => ({ kind: 'paragraph', inlines });
export const heading = (level: 2 | 3 | 4, ...inlines: Inline[]): Block => ({
  kind: 'heading',
  level,
  inlines,
});

/** The items with `separator` between them. */
export function joined(items: Inline[][], separator: string): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? item : [text(separator), ...item]));
}

/** `1 tool`, `2 tools`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export const details = (summary: Inline[], blocks: Block[], short?: Block[]): Block => ({
  kind: 'details',
  summary,
  blocks,
  ...(short === undefined ? {} : { short }),
});

/** Characters of a `code` and of a `name` span that are shown: a name of a megabyte must not fill a comment. */
const CODE = 400;
const NAME = 1_000;

export const shortCode = (words: string): string => shortened(words, CODE);
export const shortName = (words: string): string => shortened(words, NAME);

function shortened(words: string, length: number): string {
  return words.length <= length ? words : `${cut(words, length - 1)}…`;
}

/** The first `length` UTF-16 units, never half a surrogate pair. */
export function cut(words: string, length: number): string {
  if (words.length <= length) return words;
  const unit = words.charCodeAt(length - 1);
  return words.slice(0, unit >= 0xd800 && unit <= 0xdbff ? length - 1 : length);
}
