import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentGateError } from '../util/errors.ts';

/** Levels below a workspace; `path: vendor/acme/lib` is three. */
const MAX_DEPTH = 6;
/** More than any checkout has; a pull request must not hide a repository behind a flood of folders. */
const MAX_FOLDERS = 100_000;
/** Milliseconds: all servers of a run start within a moment, and share one look. */
const FRESH_MS = 5_000;

const looked = new Map<string, { at: number; found: string[] }>();

/**
 * The folders of a workspace, itself included, that hold a `.git`: a workflow can check out several repositories, each
 * with a token in its config. Links and `node_modules` are not followed. Throws `E_ISOLATION` when there are too many
 * folders to look through, since a server must not start where credentials may have been overlooked.
 */
export function repositoriesBelow(workspace: string): string[] {
  const before = looked.get(workspace);
  if (before !== undefined && performance.now() - before.at < FRESH_MS) return before.found;
  const found: string[] = [];
  let level = [workspace];
  let visits = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++visits > MAX_FOLDERS)
        throw new AgentGateError(
          'E_ISOLATION',
          `There are more than ${MAX_FOLDERS} folders in ${workspace} to look through for credentials of git; check out less, ` +
            'or use isolation none for servers that you trust.',
        );
      for (const entry of entriesOf(folder)) {
        if (entry.name === '.git') found.push(folder);
        else if (entry.isDirectory() && entry.name !== 'node_modules') next.push(join(folder, entry.name));
      }
    }
    level = next;
  }
  looked.set(workspace, { at: performance.now(), found });
  return found;
}

function entriesOf(folder: string): { name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
