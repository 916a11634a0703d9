import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';

/** One page of a UI resource, as `resources/read` gave it. */
export interface UiPage {
  /** Of its text: `/content/text`, or `/content/contents/0/text`. */
  pointer: string;
  mimeType: string;
  text: string;
}

/** Something in a page that is read as prose. */
export interface UiText {
  /** `markup` is what a page shows or notes down; `script` is prose inside of its code. */
  part: 'markup' | 'script';
  text: string;
}

/** Elements that part what stands before and after them; others (`<b>`) stand inside of a sentence. */
const BLOCK =
  /^\/?(?:address|article|aside|blockquote|body|br|button|canvas|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|head|header|hr|html|iframe|img|input|label|legend|li|main|meta|nav|ol|option|p|pre|section|select|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul|video)\b/i;
const ATTRIBUTE = /\s[a-z][\w:.-]{0,60}\s{0,4}=\s{0,4}(?:"([^"]{12,20000})"|'([^']{12,20000})')/gi;
/** Five words and more with nothing of a program between them. */
const PROSE =
  /(?<![^\s{}()[\]<>=;"`|&])(?:[A-Za-z~./@'][^\s{}()[\]<>=;"`|&]{0,80}[ \n]{1,2}){4,400}[A-Za-z~./@'][^\s{}()[\]<>=;"`|&]{0,80}/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** The pages in the content of a UI resource; those that are base64 are decoded. */
export function uiPages(content: JsonObject): UiPage[] {
  const list = own(content, 'contents');
  if (!Array.isArray(list)) return pageOf(content, '/content');
  return list.flatMap((one, index) => pageOf(one, `/content/contents/${index}`));
}

function pageOf(content: Json, base: string): UiPage[] {
  if (!isObject(content)) return [];
  const [mime, text, blob] = [own(content, 'mimeType'), own(content, 'text'), own(content, 'blob')];
  const mimeType = typeof mime === 'string' ? mime.toLowerCase() : '';
  if (typeof text === 'string') return [{ pointer: base + pointer('text'), mimeType, text }];
  if (typeof blob !== 'string' || !/^(?:text|application)\//.test(mimeType)) return [];
  return [{ pointer: base + pointer('blob'), mimeType, text: Buffer.from(blob, 'base64').toString('utf8') }];
}

/**
 * What a page says in words: the text between its tags, comments, long attributes; and prose inside of scripts. Linear
 * in the page, whatever it holds.
 */
export function uiTexts({ mimeType, text }: UiPage): UiText[] {
  if (!mimeType.includes('html') && !/^\s{0,100}</.test(text)) return [{ part: 'markup', text }];
  const reader = new PageReader(text);
  reader.read();
  return reader.texts();
}

class PageReader {
  private readonly page: string;
  private readonly lower: string;
  private readonly shown: string[] = [];
  private readonly asides: string[] = [];
  private readonly scripts: string[] = [];

  constructor(page: string) {
    this.page = page;
    this.lower = page.toLowerCase();
  }

  read(): void {
    const { page, lower } = this;
    let at = 0;
    while (at < page.length) {
      const open = page.indexOf('<', at);
      if (open < 0) break;
      this.shown.push(page.slice(at, open));
      if (page.startsWith('<!--', open)) {
        const end = this.end('-->', open + 4);
        this.asides.push(page.slice(open + 4, end));
        at = end + 3;
        continue;
      }
      if (!/[a-z/!?]/.test(lower.charAt(open + 1))) {
        this.shown.push('<');
        at = open + 1;
        continue;
      }
      const close = this.tagEnd(open);
      this.tag(page.slice(open + 1, close));
      at = close + 1;
      const raw = /^(script|style)\b/.exec(lower.slice(open + 1, open + 8))?.[1];
      if (raw === undefined) continue;
      const end = this.end(`</${raw}`, at, lower);
      if (raw === 'script') this.scripts.push(page.slice(at, end));
      at = end;
    }
    this.shown.push(page.slice(at));
  }

  private end(what: string, from: number, text = this.page): number {
    const found = text.indexOf(what, from);
    return found < 0 ? text.length : found;
  }

  /** The `>` of a tag, not one inside of quotes. */
  private tagEnd(open: number): number {
    let at = open + 1;
    for (;;) {
      const found = /[>"']/.exec(this.page.slice(at, at + 20_000));
      if (!found) return this.end('>', at);
      if (found[0] === '>') return at + found.index;
      const quote = this.page.indexOf(found[0], at + found.index + 1);
      if (quote < 0) return this.end('>', at);
      at = quote + 1;
    }
  }

  private tag(inside: string): void {
    this.shown.push(BLOCK.test(inside.slice(0, 20)) ? '\n\n' : '');
    for (const [, double, single] of inside.matchAll(ATTRIBUTE)) {
      const value = double ?? single ?? '';
      if (/\s/.test(value)) this.asides.push(value);
    }
  }

  texts(): UiText[] {
    const markup = [this.shown.join(''), ...this.asides].map(decoded).filter((text) => /\S/.test(text));
    return [
      ...markup.map((text): UiText => ({ part: 'markup', text })),
      ...this.scripts.flatMap(proseIn).map((text): UiText => ({ part: 'script', text })),
    ];
  }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : all;
  });
}

function proseIn(script: string): string[] {
  const plain = script.replace(/\\[nrt]/g, '  ').replace(/\\(['"])/g, ' $1');
  return [...plain.matchAll(PROSE)].map(([prose]) => prose);
}
