/** Prints the ratios of speed and size that the project holds itself to; measures, never fails. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ciRows, npxRows } from './ci.ts';
import { gateRows } from './gate.ts';
import { lockRows } from './lock.ts';
import { type Row, row } from './measure.ts';
import { startRows } from './start.ts';

function sizeRows(): Row[] {
  const dist = join(import.meta.dirname, '..', 'dist');
  const bytes = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return [row('dist/index.js with its chunks', bytes / 1e6, ' MB', 3)];
}

const sections: Record<string, () => Row[] | Promise<Row[]>> = {
  size: sizeRows,
  start: startRows,
  lock: lockRows,
  ci: ciRows,
  npx: npxRows,
  gate: gateRows,
};

const chosen = process.argv.slice(2);
for (const [name, measure] of Object.entries(sections)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const { what, value, target, met } of await measure()) {
    console.log(`${met ? 'met   ' : 'missed'}  ${value.padStart(10)}  (${target})  ${what}`);
  }
}
