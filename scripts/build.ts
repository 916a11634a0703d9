/**
 * Compiles `src/` to `build/` and bundles `build/` to `dist/`: the action, the command line in `dist/cli/`, the runtime
 * gate with its two workers in `dist/gate/`, and beside it a file for each subpath of the package. The gate's SQL parsers hold WebAssembly and stay packages.
 * White space and comments are taken out (licences are in licenses.txt); names stay, so that the bundle can be read.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { minifySync } from 'vite';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

/** ncc writes JavaScript, licences and a package.json; anything else is an asset that nobody asked for. */
function tidy(folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(join(root, folder))) {
    if (folder === 'dist' && (name === 'cli' || name === 'gate')) continue;
    const path = join(root, folder, name);
    if (!statSync(path).isFile() || !/\.js$|^licenses\.txt$|^package\.json$|\.d\.ts$/.test(name)) {
      throw new Error(
        `${folder}/${name} is not part of the bundle: a path in the source looks like an asset`,
      );
    }
    let text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
    if (name.endsWith('.js')) {
      const result = minifySync(name, text, {
        module: true,
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: true, legalComments: 'none' },
      });
      const problem = result.errors[0];
      if (problem) throw new Error(`${folder}/${name}: ${problem.message}`);
      text = `${result.code}\n`;
      bytes += Buffer.byteLength(text);
    }
    writeFileSync(path, text);
  }
  return bytes;
}

rmSync(join(root, 'build'), { recursive: true, force: true });
rmSync(join(root, 'dist'), { recursive: true, force: true });
run(bin('tsc'), '-p', 'tsconfig.build.json');
const EXTERNAL = ['-e', 'libpg-query', '-e', '@guanmingchiu/sqlparser-ts'];

function bundle(entry: string, out: string, ...options: string[]): void {
  run(bin('ncc'), 'build', `build/${entry}.js`, '-o', out, '--quiet', ...options);
}

bundle('action/index', 'dist', '--license', 'licenses.txt');
bundle('cli/index', 'dist/cli', '--license', 'licenses.txt');
bundle('gate/bundle', 'dist/gate', '--license', 'licenses.txt', ...EXTERNAL);
for (const worker of ['gate/sql/sql-worker', 'proxy/args-worker']) {
  const name = worker.split('/').at(-1) ?? worker;
  bundle(worker, `build/workers/${name}`, ...EXTERNAL);
  for (const file of readdirSync(join(root, 'build/workers', name))) {
    if (file === 'package.json') continue;
    if (file !== 'index.js') throw new Error(`${name} must be one file, and has ${file}`);
    renameSync(join(root, 'build/workers', name, file), join(root, 'dist/gate', `${name}.js`));
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
  writeFileSync(join(root, 'dist/gate', `${name}.js`), line);
  const types =
    "export type { Gate, GateCall, GateDecision, GateOptions, Receipt, ServerOf } from './index.js';\n";
  writeFileSync(join(root, 'dist/gate', `${name}.d.ts`), line + types);
}
copyFileSync(join(root, 'src/gate/published.d.ts'), join(root, 'dist/gate/index.d.ts'));

for (const folder of ['dist', 'dist/cli', 'dist/gate']) {
  console.log(`${folder}: ${(tidy(folder) / 1e6).toFixed(2)} MB of JavaScript`);
}
