import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchResult } from './fetch.ts';
import { scriptedPackages } from './npx-folder.ts';

/**
 * Runs the install scripts of an npx folder's packages: `rebuild` is `npm rebuild` of the given specs, of all without
 * any. A package that is only an optional dependency does without when its script fails, and is then taken out, as
 * `npm install` does and `npm rebuild` does not (npm 11, arborist's `handleOptionalFailure`). The result that is not 0 is
 * that of a package which has to be there.
 */
export async function runInstallScripts(
  folder: string,
  rebuild: (specs: string[]) => Promise<FetchResult>,
): Promise<FetchResult> {
  const all = await rebuild([]);
  const scripted = scriptedPackages(folder);
  if (all.code === 0 || !scripted.some(({ optional }) => optional)) return all;
  const needed = new Set(scripted.flatMap(({ spec, optional }) => (optional ? [] : [spec])));
  if (needed.size > 0) {
    const built = await rebuild([...needed]);
    if (built.code !== 0) return built;
  }
  for (const spec of new Set(scripted.map((each) => each.spec))) {
    if (needed.has(spec) || (await rebuild([spec])).code === 0) continue;
    for (const { path } of scripted.filter((each) => each.spec === spec))
      await rm(join(folder, path), { recursive: true, force: true });
  }
  return { ...all, code: 0 };
}
