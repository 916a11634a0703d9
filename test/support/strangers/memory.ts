import { strange } from './modes.ts';
import { type Entry, Project, type ServerOfProject } from './project.ts';

/** `SECURITY.md`: what a run of ours may take, whatever servers send. */
export const LIMIT_MIB = 512;

/** Servers that send all that they may: a mode of `strange-server.mjs` and how many pages. */
export interface Flood {
  mode: string;
  pages: number;
  servers: number;
}

export interface MemoryRun {
  what: string;
  code: number | null;
  peakMiB: number;
  /** Bytes of the lock afterwards. */
  lockBytes: number;
}

const STEPS: readonly [what: string, entry: Entry, live: 'same' | 'other' | 'small', args: string[]][] = [
  ['ci, the same', 'ci', 'same', []],
  ['lock, the same', 'lock', 'same', []],
  ['ci, small now', 'ci', 'small', []],
  ['ci, other texts', 'ci', 'other', []],
  ['ci as text', 'ci', 'other', ['--format', 'text']],
  ['ci as SARIF', 'ci', 'other', ['--format', 'sarif']],
  ['ci as Markdown', 'ci', 'other', ['--format', 'markdown']],
  ['action, other texts', 'action', 'other', []],
  ['lock, other texts', 'lock', 'other', []],
  ['lock as text', 'lock', 'same', ['--format', 'text']],
];

/**
 * Pins servers that send as much as they may, and runs the commands over that lock: with the same surfaces, with others
 * as large, and with small ones. `only` takes a part of the steps.
 */
export async function memoryRuns(flood: Flood, only?: readonly string[]): Promise<MemoryRun[]> {
  const keys = Array.from({ length: flood.servers }, (_, index) => `f${index}`);
  const servers = (runs: string[]): Map<string, ServerOfProject> =>
    new Map(keys.map((key) => [key, { runs }]));
  const live = {
    same: servers(strange(flood.mode, String(flood.pages), 'q')),
    other: servers(strange(flood.mode, String(flood.pages), 'w')),
    small: servers(strange('good')),
  };
  const project = new Project(live.same);
  const runs: MemoryRun[] = [];
  const run = async (what: string, entry: Entry, args: string[]): Promise<void> => {
    const ended = await project.start(entry, { isolation: 'none', args }).ended;
    const lockBytes = Buffer.byteLength(project.read('agentgate.lock'));
    runs.push({ what, code: ended.code, peakMiB: Math.round(ended.peakMiB), lockBytes });
  };
  try {
    // Of a part of the steps the first is only to have a lock.
    await run('lock, first', 'lock', only === undefined ? [] : ['--starts', '1']);
    for (const [what, entry, which, args] of STEPS) {
      if (only !== undefined && !only.includes(what)) continue;
      project.declare(live[which]);
      await run(what, entry, args);
    }
    return runs;
  } finally {
    project.remove();
  }
}
