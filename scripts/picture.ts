import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { commentPage } from './render-github.ts';

/**
 * Pictures of comments as GitHub shows them: `node scripts/picture.ts OUT-FOLDER FILE.md…` writes `FILE.light.png`
 * and `FILE.dark.png`. Files that end in `.html` are taken as they are. Needs Debian's chromium.
 */
const [folder, ...files] = process.argv.slice(2);
if (folder === undefined || files.length === 0) {
  process.stderr.write('usage: node scripts/picture.ts OUT-FOLDER FILE.md|FILE.html…\n');
  process.exit(2);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const pages = await mkdtemp(join(tmpdir(), 'agentgate-picture-'));
try {
  for (const file of files) {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 900, height: 600 }, colorScheme: scheme });
      const text = await readFile(file, 'utf8');
      const html = file.endsWith('.html') ? text : await commentPage(text, scheme);
      const local = join(pages, 'page.html');
      await writeFile(local, html);
      await page.goto(pathToFileURL(local).href);
      const out = join(resolve(folder), `${basename(file).replace(/\.(?:md|html)$/, '')}.${scheme}.png`);
      await page.screenshot({ path: out, fullPage: true });
      await page.close();
      process.stdout.write(`${out}\n`);
    }
  }
} finally {
  await browser.close();
  await rm(pages, { recursive: true, force: true });
}
