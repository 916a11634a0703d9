import { visible, visibleLine } from '../util/hidden.ts';
import { withoutCommands } from '../util/log-safe.ts';
import { type Block, type Inline, shortCode, shortName } from './document.ts';
import { type Style, style } from './style.ts';
import { wrapLines } from './text-lines.ts';

export interface TextOptions {
  color?: boolean;
  /** Columns; 80 by default. */
  width?: number;
  /** Show only the first line of what is folded elsewhere. */
  folded?: boolean;
}

/** Columns that are used: a terminal may be told to be of any width. */
export function textWidth(width = 80): number {
  return Math.max(40, Math.min(width, 200));
}

/** The blocks for a terminal or a log: no control codes but our colours, no workflow commands. */
export function printText(blocks: Block[], options: TextOptions = {}): string {
  const paint = style(options.color === true);
  const width = textWidth(options.width);
  const lines = printAll(blocks, width, paint, options.folded === true);
  return `${withoutCommands(lines.join('\n'))}\n`;
}

function printBlock(block: Block, width: number, paint: Style, folded: boolean): string[] {
  switch (block.kind) {
    case 'heading':
      return wrapStyled(plainText(block.inlines), width, paint.bold);
    case 'paragraph':
      return wrapStyled(plainText(block.inlines), width, (line) => line);
    case 'small':
      return wrapStyled(plainText(block.inlines), width, paint.dim);
    case 'list':
      return block.items.flatMap((item) => indent(wrapLines(plainText(item), width - 2), '- ', '  '));
    case 'fence':
      return visible(block.text)
        .replaceAll('\t', '    ')
        .split('\n')
        .map((line) => (line === '' ? '' : `  ${block.info === 'diff' ? paintDiff(line, paint) : line}`));
    case 'table':
      return printTable(block, width, paint);
    case 'details': {
      if (folded && block.short === undefined) return [];
      const inner = folded ? (block.short ?? []) : block.blocks;
      return [
        ...wrapStyled(plainText(block.summary), width, (line) => line),
        ...indent(printAll(inner, width - 2, paint, folded), '  ', '  '),
      ];
    }
    case 'alert':
      return indent(printAll(block.blocks, width - 2, paint, folded), paint.red('│ '), paint.red('│ '));
  }
}

function printAll(blocks: Block[], width: number, paint: Style, folded: boolean): string[] {
  return blocks
    .map((block) => printBlock(block, width, paint, folded))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => [...(index === 0 ? [] : ['']), ...lines]);
}

function paintDiff(line: string, paint: Style): string {
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('@@') ? paint.cyan(line) : paint.dim(line);
}

function wrapStyled(words: string, width: number, paint: (line: string) => string): string[] {
  return wrapLines(words, width).map(paint);
}

function indent(lines: string[], first: string, rest: string): string[] {
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
}

function plainText(inlines: Inline[]): string {
  return inlines.map(spanText).join('');
}

function spanText(inline: Inline): string {
  switch (inline.kind) {
    case 'strong':
      return plainText(inline.children);
    case 'link':
      return `${inline.text}: ${inline.url}`;
    case 'text':
      return inline.text;
    case 'name':
      return visibleLine(shortName(inline.text).replace(/\s+/g, ' ').trim()) || '(empty)';
    case 'code': {
      const words = visibleLine(shortCode(inline.text).replace(/\r?\n/g, ' ⏎ ')) || '(empty)';
      return inline.struck === true ? `[-${words}-]` : words;
    }
  }
}

/** Columns side by side where they fit, else one `title: value` a line. */
function printTable(table: Extract<Block, { kind: 'table' }>, width: number, paint: Style): string[] {
  const cells = table.rows.map((row) => row.map(plainText));
  const widths = table.columns.map((column, index) =>
    Math.max(column.title.length, ...cells.slice(0, 500).map((row) => row[index]?.length ?? 0)),
  );
  const total = widths.reduce((sum, one) => sum + one + 2, 0);
  if (total <= width) {
    const line = (row: string[]): string =>
      row
        .map((cell, index) =>
          table.columns[index]?.align === 'right'
            ? cell.padStart(widths[index] ?? 0)
            : cell.padEnd(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd();
    return [paint.dim(line(table.columns.map((column) => column.title))), ...cells.map(line)];
  }
  return cells.flatMap((row) =>
    row.flatMap((cell, index) => {
      if (cell === '') return [];
      const label = index === 0 ? '' : `${table.columns[index]?.title ?? ''}: `;
      return indent(wrapLines(label + cell, width - 6), index === 0 ? '  ' : '    ', '      ');
    }),
  );
}
