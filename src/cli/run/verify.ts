import { displayPath } from '../../check.ts';
import { entriesOf } from '../../lock/entries.ts';
import { countLock } from '../../lock/read.ts';
import { readLock } from '../../lock/read-file.ts';
import type { Io } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { emit, lockfilePath } from '../shared.ts';

/** Checks that the lock is whole, says so and gives 0; throws as `readLock` does. */
export async function runVerify(io: Io, options: CommonOptions): Promise<number> {
  const path = await lockfilePath(io, options);
  const shown = displayPath(io.cwd, path);
  const { lock } = await readLock(path, shown);
  const counts = countLock(lock);
  const capabilities =
    counts.tools + counts.prompts + counts.resources + counts.resourceTemplates + counts.skills;
  const hashOnly = counts.hashOnly > 0 ? `, ${counts.hashOnly} of them by hash only` : '';
  const pinned = `${capabilities} ${capabilities === 1 ? 'capability' : 'capabilities'}`;
  await emit(io, options, `${shown} is whole: ${entriesOf(lock)}, ${pinned}${hashOnly}.`);
  return 0;
}
