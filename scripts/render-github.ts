import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Markdown to a HTML tree as GitHub does it: GFM, raw HTML through GitHub's allow-list. */
export function githubTree(markdown: string): HtmlTree {
  const pipeline = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw)
    .use(rehypeSanitize, defaultSchema);
  return pipeline.runSync(pipeline.parse(markdown)) as HtmlTree;
}

/** A node of a HTML tree, as far as it is looked at. */
export interface HtmlTree {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlTree[];
}

/** The same as text. Alerts are not part of it. */
async function githubHtml(markdown: string): Promise<string> {
  return String(
    await unified()
      .use(remarkParse)
      .use(remarkGfm)
      .use(remarkRehype, { allowDangerousHtml: true })
      .use(rehypeRaw)
      .use(rehypeSanitize, defaultSchema)
      .use(rehypeStringify)
      .process(markdown),
  );
}

const ALERTS: Record<string, string> = {
  CAUTION: 'Caution',
  WARNING: 'Warning',
  NOTE: 'Note',
  IMPORTANT: 'Important',
  TIP: 'Tip',
};

/** What GitHub does to the sanitised HTML: alerts, and colours in `diff` blocks. */
function dressed(html: string): string {
  return html
    .replace(/<blockquote>\s*<p>\[!([A-Z]+)\]\n?/g, (whole, kind: string) => {
      const title = ALERTS[kind];
      return title === undefined
        ? whole
        : `<blockquote class="markdown-alert markdown-alert-${kind.toLowerCase()}"><p class="markdown-alert-title">${title}</p><p>`;
    })
    .replaceAll('<p></p>', '')
    .replace(/<pre><code class="language-diff">([\s\S]*?)<\/code><\/pre>/g, (_, body: string) => {
      const lines = body.split('\n').map((line) => {
        if (line.startsWith('+')) return `<span class="pl-mi1">${line}</span>`;
        if (line.startsWith('-')) return `<span class="pl-md">${line}</span>`;
        return line.startsWith('@@') ? `<span class="pl-mdr">${line}</span>` : line;
      });
      return `<pre class="highlight"><code>${lines.join('\n')}</code></pre>`;
    });
}

/** A page that shows the comment in GitHub's look. */
export async function commentPage(markdown: string, scheme: 'light' | 'dark'): Promise<string> {
  const require = createRequire(import.meta.url);
  const css = await readFile(require.resolve(`github-markdown-css/github-markdown-${scheme}.css`), 'utf8');
  const edge = scheme === 'light' ? '#d1d9e0' : '#3d444d';
  const ground = scheme === 'light' ? '#ffffff' : '#0d1117';
  return `<!doctype html><meta charset="utf-8"><style>${css}
body { margin: 16px; background: ${ground}; }
.markdown-body { border: 1px solid ${edge}; border-radius: 6px; padding: 16px; font-size: 14px; max-width: 860px; box-sizing: border-box; }
.markdown-body pre.highlight span { display: inline-block; width: 100%; }
</style><article class="markdown-body">${dressed(await githubHtml(markdown))}</article>`;
}
