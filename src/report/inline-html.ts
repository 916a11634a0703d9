import type { Inline } from './document.ts';
import { escapeHtml } from './markdown-escape.ts';

/** How foreign spans are made safe; each gives HTML. */
export interface HtmlSpans {
  name(words: string): string;
  code(words: string): string;
  link(words: string, url: string): string;
}

/** Spans as HTML. */
export function inlineHtml(inlines: Inline[], spans: HtmlSpans): string {
  return inlines.map((inline) => spanHtml(inline, spans)).join('');
}

function spanHtml(inline: Inline, spans: HtmlSpans): string {
  switch (inline.kind) {
    case 'text':
      return escapeHtml(inline.text);
    case 'name':
      return spans.name(inline.text);
    case 'code': {
      const html = spans.code(inline.text);
      if (inline.struck === true) return `<s>${html}</s>`;
      return inline.strong === true ? `<b>${html}</b>` : html;
    }
    case 'strong':
      return `<b>${inlineHtml(inline.children, spans)}</b>`;
    case 'link':
      return spans.link(inline.text, inline.url);
  }
}
