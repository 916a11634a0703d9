/** `node verify-once.ts FILE [plain]`: verifies a lock, or only parses and hashes it; prints seconds and peak bytes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseLock } from '../src/lock/read.ts';

const [file = '', mode] = process.argv.slice(2);
const started = performance.now();
const text = readFileSync(file, 'utf8');
if (mode === 'plain') {
  JSON.parse(text);
  createHash('sha256').update(text).digest('hex');
} else parseLock(text, file);
const seconds = (performance.now() - started) / 1000;
// getrusage(2): kibibytes on Linux.
console.log(JSON.stringify({ seconds, peak: process.resourceUsage().maxRSS * 1024 }));
