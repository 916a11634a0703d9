import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { githubTree, type HtmlTree } from '../../scripts/render-github.ts';
import {
  codeSpan,
  fence,
  plain,
  safeUrl,
  summaryHtml,
  tableCell,
  tableCode,
} from '../../src/report/markdown-escape.ts';
import { visible, visibleLine } from '../../src/util/hidden.ts';
import { hostileText } from './hostile.ts';

function texts(tree: HtmlTree, inCode = false): { text: string; inCode: boolean }[] {
  if (tree.type === 'text') return [{ text: tree.value ?? '', inCode }];
  const code = inCode || tree.tagName === 'code';
  return (tree.children ?? []).flatMap((child) => texts(child, code));
}

function tags(tree: HtmlTree): string[] {
  return [...(tree.tagName === undefined ? [] : [tree.tagName]), ...(tree.children ?? []).flatMap(tags)];
}

/** What GitHub turns into links and pictures after Markdown, in text outside code. */
const AFTERWARDS = /@[\p{L}\p{N}]|#\d|\bgh-\d|www\.|:\/\/|:[\w+-]+:|\b[0-9a-f]{7,40}\b|\$/iu;

function outsideCode(markdown: string): string {
  return texts(githubTree(markdown))
    .filter(({ inCode }) => !inCode)
    .map(({ text }) => text)
    .join('');
}

/** Forged markers and runs of backticks that GitHub's parser would not take as code. */
const told = (text: string, longest: number): string =>
  text
    .replace(/agentgate:(?=comment)/gi, 'agentgate∶')
    .replace(/`+/g, (run) => (run.length > longest ? `⟨U+0060×${run.length}⟩` : run));

const shown = (text: string): string => told(visibleLine(text.replace(/\r?\n/g, ' ⏎ ')), 79);

describe('code spans', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`a', '`` `a ``'],
    ['``', '``` `` ```'],
    ['', '(empty)'],
    [' ', '` `'],
    [' a ', '`  a  `'],
    ['a\nb', '`a ⏎ b`'],
    ['a\u200bb', '`a⟨U+200B⟩b`'],
    // GitHub's parser opens no code span with more than 80 backticks, and closes a fence at 255.
    ['`'.repeat(79), `${'`'.repeat(80)} ${'`'.repeat(79)} ${'`'.repeat(80)}`],
    [`${'`'.repeat(80)} ![x](https://evil.example/i.png)`, '`⟨U+0060×80⟩ ![x](https://evil.example/i.png)`'],
  ])('%j', (text, expected) => {
    expect(codeSpan(text)).toBe(expected);
  });

  test('any text is one code element that says exactly that text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const found = texts(githubTree(`x ${codeSpan(text)} y`)).filter(({ inCode }) => inCode);
        if (shown(text) === '') expect(found).toEqual([]);
        else expect(found.map((one) => one.text)).toEqual([shown(text)]);
      }),
      { numRuns: 400 },
    );
  });

  test('in a table cell it stays in its cell', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tree = githubTree(`| a | b |\n|:--|:--|\n| ${tableCode(text)} | end |`);
        expect(tags(tree).filter((tag) => tag === 'td')).toHaveLength(2);
        const inCode = texts(tree)
          .filter((one) => one.inCode)
          .map((one) => one.text)
          .join('');
        expect(inCode).toBe(shown(text));
      }),
      { numRuns: 400 },
    );
  });
});

describe('fences', () => {
  test('a fence is longer than any run of backticks in it', () => {
    expect(fence('a\n```\nb', 'diff')).toBe('````diff\na\n```\nb\n````');
  });

  test("a run that would close any fence of GitHub's parser is shown by its length", () => {
    expect(fence(`${'`'.repeat(260)}\n@octocat`, 'diff')).toBe('```diff\n⟨U+0060×260⟩\n@octocat\n```');
  });

  test('any text is one block that says exactly that text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tree = githubTree(`before\n\n${fence(text, 'diff')}\n\nafter`);
        expect(tags(tree)).toEqual(['p', 'pre', 'code', 'p']);
        const code = texts(tree)
          .filter((one) => one.inCode)
          .map((one) => one.text)
          .join('');
        const expected = told(visible(text), 200).replace(/\n+$/, '');
        // HTML drops a line feed right after <pre>.
        expect(code.replace(/^\n+|\n+$/g, '')).toBe(expected.replace(/^\n+/, ''));
      }),
      { numRuns: 400 },
    );
  });
});

describe('prose', () => {
  test('ordinary words stay words', () => {
    const sentence =
      "The server didn't answer in 60 s; set a longer time-out (see the policy), or 2 of 3 retries fail.";
    expect(plain(sentence)).toBe(sentence);
  });

  test('what GitHub would act on is code', () => {
    expect(plain('ask @octocat, see #12 and www.evil.example.')).toBe(
      'ask `@octocat`, see `#12` and `www.evil.example`.',
    );
    expect(plain('run npx @agentgate/agentgate lock, then commit')).toBe(
      'run `npx @agentgate/agentgate lock`, then commit',
    );
  });

  test('nothing but words and code comes of any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = plain(text);
        expect(markdown).not.toMatch(/[\n\r]/);
        const tree = githubTree(markdown);
        expect(tags(tree).filter((tag) => tag !== 'code')).toEqual(['p']);
        expect(outsideCode(markdown)).not.toMatch(AFTERWARDS);
      }),
      { numRuns: 800 },
    );
  });

  test('and in a table cell too', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = `| a | b |\n|:--|:--|\n| ${tableCell(text)} | end |`;
        const allowed = new Set(['table', 'thead', 'tbody', 'tr', 'th', 'td', 'code']);
        const found = tags(githubTree(markdown));
        expect(found.filter((tag) => !allowed.has(tag))).toEqual([]);
        expect(found.filter((tag) => tag === 'td')).toHaveLength(2);
        expect(outsideCode(markdown)).not.toMatch(AFTERWARDS);
      }),
      { numRuns: 400 },
    );
  });

  test('a summary is one line of HTML', () => {
    fc.assert(
      fc.property(hostileText, fc.boolean(), (text, asCode) => {
        const tree = githubTree(
          `<details><summary>${summaryHtml(text, asCode)}</summary>\n\nbody\n\n</details>`,
        );
        expect(tags(tree).filter((tag) => tag !== 'code')).toEqual(['details', 'summary', 'p']);
      }),
      { numRuns: 400 },
    );
  });
});

describe('addresses', () => {
  test.each([undefined, '', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'no address'])(
    '%j is none',
    (url) => {
      expect(safeUrl(url)).toBeUndefined();
    },
  );

  test('what would end a link is encoded', () => {
    expect(safeUrl('https://github.com/o/r/runs/1)[x](https://evil.example')).toBe(
      'https://github.com/o/r/runs/1%29[x]%28https://evil.example',
    );
  });
});
