import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, own } from '../util/json.ts';
import type { NpmInstallation } from './npm-installation.ts';
import type { NpxCall } from './npx-args.ts';
import { localPrefix } from './npx-environment.ts';
import { readJson } from './npx-folder.ts';

/**
 * True when npx would not use its own folder at all, since the project or the global folder has what is asked for
 * (npm 11, `libnpmexec/lib/index.js`). When in doubt it says true: then npx itself decides.
 */
export function isFoundLocally(call: NpxCall, cwd: string, npm: NpmInstallation): boolean {
  const prefix = localPrefix(cwd);
  const first = call.packages[0]?.raw ?? '';
  if (call.bin === undefined) {
    const manifest = readJson(join(prefix, 'package.json'));
    const bins = manifest && own(manifest, 'bin');
    if (isObject(bins) && Object.hasOwn(bins, first)) return true;
    if (manifest && typeof bins === 'string' && own(manifest, 'name') === first) return true;
    for (let folder = prefix; ; folder = dirname(folder)) {
      if (existsSync(join(folder, 'node_modules', '.bin', first))) return true;
      if (folder === dirname(folder)) break;
    }
    if (existsSync(join(npm.prefix, 'bin', first))) return true;
  }
  const project = readJson(join(prefix, 'package.json'));
  const installed = readJson(join(prefix, 'node_modules', '.package-lock.json'));
  const packages = installed && own(installed, 'packages');
  const entries = isObject(packages) ? Object.entries(packages) : [];
  return call.packages.some(({ name, version }) => {
    // An exact release counts only as that release; for a tag or range npm asks the registry what it means.
    const isIt = (entry: unknown): boolean =>
      isObject(entry) && (version === undefined || own(entry, 'version') === version);
    return (
      (project !== undefined && own(project, 'name') === name && isIt(project)) ||
      isIt(readJson(join(prefix, 'node_modules', name, 'package.json'))) ||
      entries.some(([path, entry]) => path.endsWith(`node_modules/${name}`) && isIt(entry)) ||
      isIt(readJson(join(npm.prefix, 'lib', 'node_modules', name, 'package.json')))
    );
  });
}
