import { visible, visibleLine } from '../util/hidden.ts';
import { type Block, type FenceMarks, shortCode, shortName } from './document.ts';
import { type HtmlSpans, inlineHtml } from './inline-html.ts';
import { escapeHtml, safeUrl } from './markdown-escape.ts';

/** The blocks as HTML: no scripts, no styles, every foreign text escaped and its hidden characters shown. */
export function printHtml(blocks: Block[]): string {
  return blocks.map(printBlock).join('\n');
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.inlines, SPANS)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inlineHtml(block.inlines, SPANS)}</p>`;
    case 'small':
      return `<p class="small">${inlineHtml(block.inlines, SPANS)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inlineHtml(item, SPANS)}</li>`).join('')}</ul>`;
    case 'fence':
      return `<pre>${block.info === 'diff' ? diffHtml(block.text, block.marks) : escapeHtml(visible(block.text))}</pre>`;
    case 'table':
      return printTable(block);
    case 'details':
      return `<details${block.open === true ? ' open' : ''}><summary>${inlineHtml(block.summary, SPANS)}</summary>\n${printHtml(block.blocks)}\n</details>`;
    case 'alert':
      return `<div class="alert ${block.level}">\n${printHtml(block.blocks)}\n</div>`;
  }
}

function diffHtml(text: string, marks?: FenceMarks): string {
  return visible(text)
    .split('\n')
    .map((line, index) => {
      const kind = line.startsWith('+')
        ? 'add'
        : line.startsWith('-')
          ? 'del'
          : line.startsWith('@@')
            ? 'at'
            : '';
      return `<span class="line${kind === '' ? '' : ` ${kind}`}">${markedHtml(line, marks?.get(index) ?? []) || ' '}</span>`;
    })
    .join('');
}

/** The words that differ from the line in whose place this one stands. */
function markedHtml(line: string, marks: readonly (readonly [number, number])[]): string {
  let html = '';
  let at = 0;
  for (const [start, end] of marks) {
    html += `${escapeHtml(line.slice(at, start))}<mark>${escapeHtml(line.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(line.slice(at));
}

function printTable(table: Extract<Block, { kind: 'table' }>): string {
  const align = (index: number): string => {
    const side = table.columns[index]?.align;
    return side === undefined || side === 'left' ? '' : ` class="${side}"`;
  };
  const head = table.columns
    .map((column, index) => `<th${align(index)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const rows = table.rows.map(
    (row) =>
      `<tr>${row.map((cell, index) => `<td${align(index)}>${inlineHtml(cell, SPANS)}</td>`).join('')}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

const SPANS: HtmlSpans = {
  name: (words) => escapeHtml(visibleLine(shortName(words).replace(/\s+/g, ' '))) || '(empty)',
  code: (words) => {
    const shown = escapeHtml(visibleLine(shortCode(words).replace(/\r?\n/g, ' ⏎ '))) || '(empty)';
    return `<code>${shown}</code>`;
  },
  link: (words, given) => {
    const url = safeUrl(given);
    if (url === undefined) return escapeHtml(words);
    return `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(words)}</a>`;
  },
};
