import { visible, visibleLine } from '../util/hidden.ts';
import { type Block, type FenceMarks, type Inline, shortCode, shortName } from './document.ts';
import { escapeHtml, safeUrl } from './markdown-escape.ts';

/** The blocks as HTML: no scripts, no styles, every foreign text escaped and its hidden characters shown. */
export function printHtml(blocks: Block[]): string {
  return blocks.map(printBlock).join('\n');
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.inlines)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inlineHtml(block.inlines)}</p>`;
    case 'small':
      return `<p class="small">${inlineHtml(block.inlines)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join('')}</ul>`;
    case 'fence':
      return `<pre>${block.info === 'diff' ? diffHtml(block.text, block.marks) : escapeHtml(visible(block.text))}</pre>`;
    case 'table':
      return printTable(block);
    case 'details':
      return `<details${block.open === true ? ' open' : ''}><summary>${inlineHtml(block.summary)}</summary>\n${printHtml(block.blocks)}\n</details>`;
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
    (row) => `<tr>${row.map((cell, index) => `<td${align(index)}>${inlineHtml(cell)}</td>`).join('')}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

function inlineHtml(inlines: Inline[]): string {
  return inlines.map(spanHtml).join('');
}

function spanHtml(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return escapeHtml(inline.text);
    case 'name':
      return escapeHtml(visibleLine(shortName(inline.text).replace(/\s+/g, ' '))) || '(empty)';
    case 'code': {
      const words = escapeHtml(visibleLine(shortCode(inline.text).replace(/\r?\n/g, ' ⏎ '))) || '(empty)';
      const html = `<code>${words}</code>`;
      if (inline.struck === true) return `<s>${html}</s>`;
      return inline.strong === true ? `<b>${html}</b>` : html;
    }
    case 'strong':
      return `<b>${inlineHtml(inline.children)}</b>`;
    case 'link': {
      const url = safeUrl(inline.url);
      return url === undefined
        ? escapeHtml(inline.text)
        : `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(inline.text)}</a>`;
    }
  }
}
