import { hash, randomBytes } from 'node:crypto';
import { constants, realpathSync } from 'node:fs';
import { access, lstat, mkdir, open, readdir, readFile, readlink, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../util/json.ts';
import type { ToolRule } from '../policy.ts';
import { statsOf } from './kept-state.ts';
import { NoCheckpoint } from './no-checkpoint.ts';
import { resolvePaths } from './paths.ts';
import type { ServerPlaces } from './server-places.ts';

/** What one path was. */
export interface KeptFile {
  /** Relative to the server's folder. */
  path: string;
  kind: 'absent' | 'file' | 'link' | 'folder';
  /** Permission bits of a file or folder. */
  mode?: number;
  /** Of a file's bytes, hexadecimal: the name under which they are kept. */
  sha256?: string;
  /** Of a link. */
  target?: string;
}

export interface Checkpoint {
  /** `chk_` and 32 hexadecimal digits. */
  id: string;
  /** The payload of its ledger entry. */
  record: JsonObject;
}

const MAX_FILES = 5_000;
/** Bytes of all files. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The folder that holds the bytes of checkpoints, beside the ledger. */
export function objectsFolder(ledger: string): string {
  return join(dirname(ledger), 'checkpoints');
}

/**
 * Keeps what a tier 1 call could change, on disk before the call is sent: every file that its arguments may mean, with all
 * that lies below. Of a bounded SQL statement nothing can be kept; that is recorded so. Throws {@link NoCheckpoint}.
 */
export async function checkpointFor(options: {
  rule: ToolRule;
  arguments: JsonObject;
  places: ServerPlaces;
  ledger: string;
  /** What belongs to the gate. */
  own: readonly string[];
}): Promise<Checkpoint> {
  const id = `chk_${randomBytes(16).toString('hex')}`;
  if (options.rule.kind === 'sql')
    return {
      id,
      record: { kind: 'statement', note: 'a bounded change of rows; nothing is kept that could undo it' },
    };
  const paths = resolvePaths(options.arguments, options.places, options);
  const root = realpathSync(options.places.root);
  return { id, record: await keepFiles(paths, root, options.ledger) };
}

/** Keeps the given paths (relative to `root`) and gives the ledger's record of it. Throws {@link NoCheckpoint}. */
export async function keepFiles(paths: readonly string[], root: string, ledger: string): Promise<JsonObject> {
  const objects = objectsFolder(ledger);
  const files: KeptFile[] = [];
  const budget = { bytes: 0 };
  try {
    await mkdir(objects, { recursive: true, mode: 0o700 });
    for (const path of paths) {
      await keepMissing(path, root, files);
      await keep(path, root, objects, files, budget);
    }
  } catch (error) {
    if (error instanceof NoCheckpoint) throw error;
    throw new NoCheckpoint(
      `what it would change cannot be kept (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    );
  }
  const once = new Map(files.map((file) => [file.path, file]));
  return { kind: 'files', root, files: [...once.values()].map((file) => ({ ...file })) };
}

/** The folders above that are not there either: a tool that makes a file makes them, too. */
async function keepMissing(path: string, root: string, files: KeptFile[]): Promise<void> {
  const parent = dirname(path);
  if (parent === '.') return;
  if ((await lstat(join(root, parent)).catch(() => undefined)) !== undefined) return;
  await keepMissing(parent, root, files);
  files.push({ path: parent, kind: 'absent' });
}

async function keep(
  path: string,
  root: string,
  objects: string,
  files: KeptFile[],
  budget: { bytes: number },
): Promise<void> {
  if (files.length >= MAX_FILES) throw new NoCheckpoint(`it concerns more than ${MAX_FILES} files`);
  const absolute = join(root, path);
  const stats = await statsOf(absolute);
  if (stats === undefined) {
    files.push({ path, kind: 'absent' });
    return;
  }
  const mode = stats.mode & 0o7777;
  if (stats.isSymbolicLink()) files.push({ path, kind: 'link', target: await readlink(absolute) });
  else if (stats.isDirectory()) {
    files.push({ path, kind: 'folder', mode });
    for (const name of (await readdir(absolute)).sort())
      await keep(join(path, name), root, objects, files, budget);
  } else if (stats.isFile()) {
    if (stats.nlink > 1) throw new NoCheckpoint(`${JSON.stringify(path)} has other names (hard links)`);
    budget.bytes += stats.size;
    if (budget.bytes > MAX_BYTES)
      throw new NoCheckpoint(`it concerns more than ${MAX_BYTES / 1024 / 1024} MiB`);
    files.push({ path, kind: 'file', mode, sha256: await store(await readFile(absolute), objects) });
  } else throw new NoCheckpoint(`${JSON.stringify(path)} is no plain file`);
}

/** Under the name of their hash; what is there already is not written again. */
async function store(bytes: Buffer, objects: string): Promise<string> {
  const name = hash('sha256', bytes, 'hex');
  const file = join(objects, name);
  try {
    await access(file, constants.R_OK);
    if (hash('sha256', await readFile(file), 'hex') === name) return name;
  } catch {
    // Not there yet.
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  return name;
}
