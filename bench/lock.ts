import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareLocks } from '../src/drift/compare.ts';
import { diffText } from '../src/drift/text.ts';
import { formatLock } from '../src/lock/format.ts';
import type { Lock } from '../src/lock/types.ts';
import { buildReport } from '../src/report/build.ts';
import { renderComment } from '../src/report/comment.ts';
import { bigLock } from './big-lock.ts';
import { inTurn, median, type Row, row, run } from './measure.ts';

const TOOLS = 10_000;

/** Verifying, comparing and rendering a lock of 10,000 tools, and the worst pair of texts. */
export function lockRows(): Row[] {
  return [...verifyRows(), ...compareRows(), ...textRows()];
}

function verifyRows(): Row[] {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-bench-'));
  try {
    const file = join(dir, 'agentgate.lock');
    writeFileSync(file, formatLock(bigLock(TOOLS, 0)));
    const { size } = statSync(file);
    const once = (...mode: string[]): { seconds: number; peak: number } =>
      JSON.parse(run(process.execPath, [join(import.meta.dirname, 'verify-once.ts'), file, ...mode]).stdout);
    const { a, b } = inTurn(
      5,
      () => once(),
      () => once('plain'),
    );
    const ratio = median(a.map((each) => each.seconds)) / median(b.map((each) => each.seconds));
    const peak = median(a.map((each) => each.peak)) / size;
    const what = `verify a lock of ${TOOLS} tools (${(size / 1e6).toFixed(0)} MB)`;
    return [
      row(`${what} against JSON.parse and SHA-256`, ratio, '×', 4),
      row(`${what}: peak memory against the file`, peak, '×', 8),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function compareAndRender(before: Lock, after: Lock): number {
  const started = performance.now();
  const { changes } = compareLocks(before, after, { accepted: false });
  const report = buildReport({
    failOn: 'any',
    lockfile: { path: 'agentgate.lock', sha256: null },
    durationMs: 0,
    servers: [...after.servers.keys()].map((key) => ({ key, status: 'drift', tools: TOOLS / 10 })),
    changes,
    findings: [],
    errors: [],
    info: [],
  });
  renderComment(report, { id: 'bench', budget: 65_536 });
  return (performance.now() - started) / 1000;
}

function compareRows(): Row[] {
  const seconds = (tools: number): number => {
    const [before, after] = [bigLock(tools, 0), bigLock(tools, tools / 10)];
    return median([1, 2, 3].map(() => compareAndRender(before, after)));
  };
  seconds(1000);
  const [half, whole] = [seconds(TOOLS / 2), seconds(TOOLS)];
  return [
    row(`compare two locks of ${TOOLS} tools with 1,000 changes and render`, whole, ' s', 2),
    row('the same, growth when the size doubles', whole / half, '×', 2.6),
  ];
}

function textRows(): Row[] {
  const words = (seed: number): string => {
    let state = seed;
    const letters: string[] = [];
    while (letters.length < 1_000_000) {
      state = (state * 1103515245 + 12345) % 2147483648;
      letters.push(state % 5 === 0 ? ' ' : ('ab'[state % 2] ?? 'a'));
    }
    return letters.join('');
  };
  const [before, after] = [words(1), words(2)];
  const started = performance.now();
  diffText(before, after);
  return [row('a pair of 1 MB descriptions, adversarial', (performance.now() - started) / 1000, ' s', 1)];
}
