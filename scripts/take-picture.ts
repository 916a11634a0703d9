import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export type Scheme = 'light' | 'dark';

/** One picture of a whole page: its HTML, how it is to be looked at, and the PNG that is written. */
export interface Picture {
  html: string;
  scheme: Scheme;
  out: string;
  /** Pixels for one CSS pixel; 1 by default. */
  scale?: number;
}

/** Takes pictures with Debian's chromium, or the one in `CHROMIUM`. Nothing is fetched. */
export async function takePictures(pictures: Picture[]): Promise<void> {
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
    for (const { html, scheme, out, scale } of pictures) {
      const page = await browser.newPage({
        viewport: { width: 900, height: 600 },
        colorScheme: scheme,
        deviceScaleFactor: scale ?? 1,
      });
      const local = join(pages, 'page.html');
      await writeFile(local, html);
      await page.goto(pathToFileURL(local).href);
      await page.screenshot({ path: out, fullPage: true });
      await page.close();
      process.stdout.write(`${out}\n`);
    }
  } finally {
    await browser.close();
    await rm(pages, { recursive: true, force: true });
  }
}
