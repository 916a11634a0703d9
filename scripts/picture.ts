import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { commentPage } from './render-github.ts';
import { type Picture, takePictures } from './take-picture.ts';

/**
 * Pictures of comments as GitHub shows them: `node scripts/picture.ts OUT-FOLDER FILE.md…` writes `FILE.light.png`
 * and `FILE.dark.png`. Files that end in `.html` are taken as they are. Needs Debian's chromium.
 */
const [folder, ...files] = process.argv.slice(2);
if (folder === undefined || files.length === 0) {
  process.stderr.write('usage: node scripts/picture.ts OUT-FOLDER FILE.md|FILE.html…\n');
  process.exit(2);
}

const pictures: Picture[] = [];
for (const file of files)
  for (const scheme of ['light', 'dark'] as const) {
    const text = await readFile(file, 'utf8');
    const html = file.endsWith('.html') ? text : await commentPage(text, scheme);
    const out = join(resolve(folder), `${basename(file).replace(/\.(?:md|html)$/, '')}.${scheme}.png`);
    pictures.push({ html, scheme, out });
  }
await takePictures(pictures);
