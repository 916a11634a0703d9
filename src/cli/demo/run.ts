import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check } from '../../check.ts';
import { writeLock } from '../../lock/write.ts';
import { planRelock } from '../../relock.ts';
import { renderPage } from '../../report/page.ts';
import { renderText } from '../../report/text.ts';
import { AgentGateError } from '../../util/errors.ts';
import { type Io, wantsColor } from '../io.ts';
import { emit, withServers } from '../shared.ts';
import { DEMO_FILES, RUG_PULL } from './files.ts';

async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text);
  }
}

/** How the user calls this program: from a clone by its file, or what a reader would have to fetch first. */
export function selfCommand(script = ''): string {
  if (/[\\/]node_modules[\\/]/.test(script)) return 'npx @agentgate/agentgate';
  return basename(script) === 'index.js' ? `node ${script}` : 'agentgate';
}

/**
 * The demonstration: an example repository in a new temporary folder, its servers pinned, one of them swapped for
 * a release that says something else, and the check that catches it. Writes the comment as a page beside them.
 * Throws when the rug pull is not caught, as then the demonstration shows a broken product.
 */
export async function runDemo(io: Io, options: { color?: boolean; output?: string }): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'agentgate-demo-'));
  const here: Io = { ...io, cwd: root };
  const say = (text: string): Promise<void> => emit(io, {}, text);
  await writeFiles(root, DEMO_FILES);
  await say(`An example repository with three MCP servers: ${root}\n\n$ agentgate lock`);
  const lockfile = join(root, 'agentgate.lock');
  const plan = await withServers(here, { quiet: true }, 2, (survey) => planRelock({ ...survey, lockfile }));
  await writeLock(lockfile, plan.after);
  for (const [key, entry] of plan.after.servers) {
    await say(`  pinned ${key}: ${[...(entry.tools?.keys() ?? [])].join(', ')}`);
  }
  await writeFiles(root, RUG_PULL);
  await say(
    '\nOvernight the weather server ships new code under the same name. The next pull request runs:\n\n$ agentgate ci',
  );
  const { report } = await withServers(here, { quiet: true }, 1, (survey) => check({ ...survey, lockfile }));
  const color = wantsColor(io, options.color);
  await say(renderText(report, { color, width: io.stdout.columns || 100 }));
  if (report.verdict !== 'drift') {
    throw new AgentGateError(
      'E_DEMO',
      `the demonstration expected drift and got ${report.verdict}; please report this`,
    );
  }
  const page = join(root, 'comment.html');
  await emit(io, { output: options.output ?? page }, renderPage(report));
  const written = options.output ?? pathToFileURL(page).href;
  await say(
    `The pull request comment as a page: ${written}\nTry it yourself: cd ${root} && ${selfCommand(process.argv[1])} ci`,
  );
}
