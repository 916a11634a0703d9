/**
 * Compiles `src/` to `build/` and bundles `build/` to `dist/`: the action, the command line in `dist/cli/`, the runtime
 * gate with its two workers in `dist/gate/`, and beside it a file for each subpath of the package. The gate's SQL parsers hold WebAssembly and stay packages.
 *
 * `node scripts/build.ts [FOLDER]`: with a folder, `build/` and `dist/` are made in there, to measure or to compare.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { licencesOf } from './licences.ts';
import { smaller } from './smaller.ts';

const root = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? root);
const build = join(out, 'build');
const dist = join(out, 'dist');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

/** ncc writes JavaScript, licences and a package.json; anything else is an asset that nobody asked for. */
function tidy(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    if (folder === dist && (name === 'cli' || name === 'gate')) continue;
    const path = join(folder, name);
    if (!statSync(path).isFile() || !/\.js$|^licenses\.txt$|^package\.json$|\.d\.ts$/.test(name)) {
      throw new Error(`${path} is not part of the bundle: a path in the source looks like an asset`);
    }
    let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
    if (name.endsWith('.js')) {
      text = smaller(path, text);
      bytes += Buffer.byteLength(text);
    }
    writeFileSync(path, text);
  }
  return bytes;
}

mkdirSync(out, { recursive: true });
for (const folder of [build, dist]) rmSync(folder, { recursive: true, force: true });
if (out !== root) {
  copyFileSync(join(root, 'package.json'), join(out, 'package.json'));
  if (!existsSync(join(out, 'node_modules')))
    symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'));
}
run(bin('tsc'), '-p', 'tsconfig.build.json', '--outDir', build);
const EXTERNAL = ['-e', 'libpg-query', '-e', '@guanmingchiu/sqlparser-ts'];

/** Bundles one entry; gives the file of webpack's statistics about it. */
function bundle(entry: string, folder: string, ...options: string[]): string {
  const stats = join(build, `${entry.replaceAll('/', '-')}.stats.json`);
  const from = join(build, `${entry}.js`);
  run(bin('ncc'), 'build', from, '-o', folder, '--quiet', '--stats-out', stats, ...options);
  return stats;
}

const products = {
  '.': [bundle('action/index', dist)],
  cli: [bundle('cli/index', join(dist, 'cli'))],
  gate: [bundle('gate/bundle', join(dist, 'gate'), ...EXTERNAL)],
};
for (const worker of ['gate/sql/sql-worker', 'proxy/args-worker']) {
  const name = worker.split('/').at(-1) ?? worker;
  const folder = join(build, 'workers', name);
  products.gate.push(bundle(worker, folder, ...EXTERNAL));
  for (const file of readdirSync(folder)) {
    if (file === 'package.json') continue;
    if (file !== 'index.js') throw new Error(`${name} must be one file, and has ${file}`);
    renameSync(join(folder, file), join(dist, 'gate', `${name}.js`));
  }
}
/** The package's subpaths, and what each exports of the gate's bundle beside `createGate`. */
const HOOKS = {
  adk: 'adkCallbacks',
  ai: 'aiToolApproval',
  langchain: 'langchainWrapToolCall',
  openai: 'openaiToolGuardrail',
};
for (const [name, hook] of Object.entries(HOOKS)) {
  const line = `export { createGate, ${hook} } from './index.js';\n`;
  writeFileSync(join(dist, 'gate', `${name}.js`), line);
  const types =
    "export type { Gate, GateCall, GateDecision, GateOptions, Receipt, ServerOf } from './index.js';\n";
  writeFileSync(join(dist, 'gate', `${name}.d.ts`), line + types);
}
copyFileSync(join(root, 'src/gate/published.d.ts'), join(dist, 'gate/index.d.ts'));

for (const [name, stats] of Object.entries(products)) {
  const folder = join(dist, name);
  writeFileSync(join(folder, 'licenses.txt'), licencesOf(stats));
  console.log(`${folder}: ${(tidy(folder) / 1e6).toFixed(2)} MB of JavaScript`);
}
