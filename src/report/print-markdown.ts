import { type Block, type Inline, shortCode, shortName } from './document.ts';
import { type HtmlSpans, inlineHtml } from './inline-html.ts';
import {
  codeSpan,
  escapeHtml,
  fence,
  plain,
  safeUrl,
  summaryHtml,
  tableCell,
  tableCode,
} from './markdown-escape.ts';

/** The blocks as GitHub-flavoured Markdown, a blank line between them, no newline at the end. */
export function printMarkdown(blocks: Block[]): string {
  return blocks.map(printBlock).join('\n\n');
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${inlineMarkdown(block.inlines, false)}`;
    case 'paragraph':
      return inlineMarkdown(block.inlines, false);
    case 'small':
      return `<sub>${inlineMarkdown(block.inlines, false)}</sub>`;
    case 'list':
      return block.items.map((item) => `- ${inlineMarkdown(item, false)}`).join('\n');
    case 'table':
      return printTable(block);
    case 'fence':
      return fence(block.text, block.info === 'text' ? '' : block.info);
    case 'details':
      return [
        `<details${block.open === true ? ' open' : ''}><summary>${inlineHtml(block.summary, SUMMARY)}</summary>`,
        printMarkdown(block.blocks),
        '</details>',
      ].join('\n\n');
    case 'alert':
      return [`[!${block.level.toUpperCase()}]`, ...printMarkdown(block.blocks).split('\n')]
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n');
  }
}

const RULE = { left: ':--', right: '--:', center: ':-:' };

function printTable(table: Extract<Block, { kind: 'table' }>): string {
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(table.columns.map((column) => column.title)),
    `|${table.columns.map((column) => RULE[column.align ?? 'left']).join('|')}|`,
    ...table.rows.map((cells) => row(cells.map((cell) => inlineMarkdown(cell, true)))),
  ].join('\n');
}

function inlineMarkdown(inlines: Inline[], inTable: boolean): string {
  let out = '';
  for (const inline of inlines) {
    const piece = spanMarkdown(inline, inTable);
    // Two code spans that touch would be one with longer ticks.
    out += out.endsWith('`') && piece.startsWith('`') ? ` ${piece}` : piece;
  }
  return out;
}

function spanMarkdown(inline: Inline, inTable: boolean): string {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'name':
      return inTable ? tableCell(shortName(inline.text)) : plain(shortName(inline.text));
    case 'code': {
      const span = inTable ? tableCode(shortCode(inline.text)) : codeSpan(shortCode(inline.text));
      if (inline.struck === true) return `~~${span}~~`;
      return inline.strong === true ? `**${span}**` : span;
    }
    case 'strong':
      return `**${inlineMarkdown(inline.children, inTable)}**`;
    case 'link': {
      const url = safeUrl(inline.url);
      return url === undefined ? inline.text : `[${inline.text}](${url})`;
    }
  }
}

/** Inside `<summary>`, where Markdown is not read. */
const SUMMARY: HtmlSpans = {
  name: (words) => summaryHtml(shortName(words), false),
  code: (words) => summaryHtml(shortCode(words), true),
  link: escapeHtml,
};
