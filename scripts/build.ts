/** Compiles `src/` to `build/` and bundles `build/` to `dist/`: the action, and the command line in `dist/cli/`. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(join(root, 'build'), { recursive: true, force: true });
rmSync(join(root, 'dist'), { recursive: true, force: true });
run(bin('tsc'), '-p', 'tsconfig.build.json');
for (const [entry, out] of [
  ['action', 'dist'],
  ['cli', 'dist/cli'],
] as const) {
  run(bin('ncc'), 'build', `build/${entry}/index.js`, '-o', out, '--license', 'licenses.txt', '--quiet');
}

// ncc keeps what a package wrote at its line ends; the repository's files have LF.
for (const folder of ['dist', 'dist/cli']) {
  for (const name of readdirSync(join(root, folder))) {
    const path = join(root, folder, name);
    if (!statSync(path).isFile() || !/\.(js|txt|json)$/.test(name)) continue;
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
  }
  const bytes = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + statSync(join(root, folder, name)).size, 0);
  console.log(`${folder}: ${(bytes / 1e6).toFixed(2)} MB of JavaScript`);
}
