/**
 * The README's pictures of a comment: `node scripts/readme-picture.ts` writes `docs/comment.png` and
 * `docs/comment-dark.png`. Needs Debian's chromium.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderComment } from '../src/report/comment.ts';
import { readmeReport } from './readme-report.ts';
import { commentPage } from './render-github.ts';
import { takePictures } from './take-picture.ts';

const docs = join(import.meta.dirname, '..', 'docs');
await mkdir(docs, { recursive: true });
const comment = renderComment(readmeReport(), { id: 'readme' });
await takePictures([
  { html: await commentPage(comment, 'light'), scheme: 'light', out: join(docs, 'comment.png'), scale: 2 },
  { html: await commentPage(comment, 'dark'), scheme: 'dark', out: join(docs, 'comment-dark.png'), scale: 2 },
]);
