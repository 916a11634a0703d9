import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** A generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Writer {
  child: ChildProcess;
  acknowledged: string[];
  ended: Promise<number | null>;
}

function startWriter(path: string, name: string, entries: number, together: number): Writer {
  const script = join(import.meta.dirname, 'append-process.ts');
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

/**
 * Lets processes append to one ledger and kills them at random moments, until so many were killed; each is replaced by
 * another one. At the end the rest may finish. Gives the hashes of all entries that a writer was told are on disk.
 */
export async function killWriters(
  path: string,
  options: { seed: number; writers: number; kills: number; entries?: number },
): Promise<{ acknowledged: string[]; kills: number; exits: (number | null)[] }> {
  const random = seeded(options.seed);
  const acknowledged: string[] = [];
  const exits: (number | null)[] = [];
  let kills = 0;
  let names = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const killing = kills < options.kills;
      if (killing) kills++;
      const together = 1 + Math.floor(random() * 4);
      const entries = killing ? 1_000_000 : (options.entries ?? 20);
      const writer = startWriter(path, `writer-${++names}`, entries, together);
      if (killing) {
        const wanted = 1 + Math.floor(random() * 30);
        // It is killed somewhere behind its n-th entry, not after so many milliseconds: machines differ.
        while (writer.acknowledged.length < wanted && writer.child.exitCode === null)
          await new Promise((done) => setTimeout(done, 1));
        writer.child.kill('SIGKILL');
      }
      const code = await writer.ended;
      acknowledged.push(...writer.acknowledged);
      if (!killing || writer.child.signalCode === null) exits.push(code);
      if (!killing) return;
    }
  };
  await Promise.all(Array.from({ length: options.writers }, lane));
  return { acknowledged, kills, exits };
}
