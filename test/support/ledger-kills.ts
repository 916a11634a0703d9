import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Ledger } from '../../src/gate/ledger/ledger.ts';
import { verifyLedger } from '../../src/gate/ledger/verify.ts';
import { Random } from './strangers/random.ts';

interface Writer {
  child: ChildProcess;
  acknowledged: string[];
  ended: Promise<number | null>;
}

function startWriter(path: string, name: string, entries: number, together: number): Writer {
  const script = join(import.meta.dirname, 'ledger-writer.ts');
  const child = spawn(process.execPath, [script, path, name, String(entries), String(together)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  const ended = new Promise<number | null>((done) => child.on('close', (code) => done(code)));
  return { child, acknowledged, ended };
}

/** What is left of a ledger whose writers were killed. Of a good one, `problems` and `lost` are empty. */
export interface KilledLedger {
  kills: number;
  /** Entries in it. */
  entries: number;
  /** That a writer was told are on disk. */
  acknowledged: number;
  /** Acknowledged, and not in it. */
  lost: string[];
  /** As `agentgate ledger verify` tells, and writers that ended with an error. */
  problems: string[];
  /** Files beside it that no opening removes, and that hold something. */
  litter: string[];
}

/**
 * Lets `writers` processes append to one ledger and kills them with SIGKILL at random moments, each replaced by another one,
 * until `count` were killed; then the rest may finish. The moments follow from `seed`, as far as machines do.
 *
 * @param path - of the ledger, alone in its folder
 */
export async function killLedgerWriters(
  path: string,
  options: { count: number; writers: number; seed: number },
): Promise<KilledLedger> {
  const random = new Random(options.seed);
  const acknowledged: string[] = [];
  const problems: string[] = [];
  let kills = 0;
  let names = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const killing = kills < options.count;
      if (killing) kills++;
      const together = 1 + random.below(4);
      const writer = startWriter(path, `writer-${++names}`, killing ? 1_000_000 : 20, together);
      if (killing) {
        const wanted = 1 + random.below(30);
        // It is killed somewhere behind its n-th entry, not after so many milliseconds: machines differ.
        while (writer.acknowledged.length < wanted && writer.child.exitCode === null)
          await new Promise((done) => setTimeout(done, 1));
        writer.child.kill('SIGKILL');
      }
      const code = await writer.ended;
      acknowledged.push(...writer.acknowledged);
      if ((!killing || writer.child.signalCode === null) && code !== 0)
        problems.push(`a writer ended with ${code}`);
      if (!killing) break;
    }
  };
  await Promise.all(Array.from({ length: options.writers }, lane));
  const report = verifyLedger(readFileSync(path));
  problems.push(...report.problems.map(({ code, line, text }) => `line ${line}: ${code} ${text}`));
  const written = new Set(report.list.map(({ hash }) => hash));
  // What a kill cut off in the middle is removed by who comes next.
  await Ledger.open(path);
  const folder = dirname(path);
  const litter = readdirSync(folder).filter(
    (name) => name !== basename(path) && readFileSync(join(folder, name), 'utf8') !== '',
  );
  return {
    kills,
    entries: report.entries,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((hash) => !written.has(hash)),
    problems,
    litter,
  };
}
