import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { own } from '../util/json.ts';
import type { JobEnvironment } from './environment.ts';
import { hostTool, type ProjectFolders } from './host-tool.ts';
import { readJson } from './npx-folder.ts';

/** The npm that a command line would find. */
export interface NpmInstallation {
  /** `…/npm`, the package's folder. */
  root: string;
  version: string;
  /** The Node that runs it: the first one on the PATH. */
  node: string;
  nodeVersion: string;
  /** Where npm keeps global packages: the folder above Node's `bin`. */
  prefix: string;
}

const versions = new Map<string, Promise<string | undefined>>();

/**
 * npm as found on the job's PATH by way of its `npx`. `undefined` when there is none, when the project brings it, or when what is found is not npm's
 * own program (a shim of a version manager): then nothing is known about how it runs.
 */
export async function findNpm(
  project: ProjectFolders,
  job: JobEnvironment,
): Promise<NpmInstallation | undefined> {
  if (process.platform === 'win32') return undefined;
  const npx = hostTool('npx', project, job);
  const nodeLink = hostTool('node', project, job);
  if (npx === undefined || nodeLink === undefined) return undefined;
  const program = realpathSync(npx);
  if (basename(program) !== 'npx-cli.js') return undefined;
  const root = dirname(dirname(program));
  const manifest = readJson(join(root, 'package.json'));
  const version = manifest && own(manifest, 'version');
  if (manifest === undefined || own(manifest, 'name') !== 'npm' || typeof version !== 'string')
    return undefined;
  const node = realpathSync(nodeLink);
  const nodeVersion = await versionOf(node);
  if (nodeVersion === undefined) return undefined;
  return { root, version, node, nodeVersion, prefix: dirname(dirname(node)) };
}

function versionOf(node: string): Promise<string | undefined> {
  if (node === process.execPath) return Promise.resolve(process.version);
  let version = versions.get(node);
  if (version === undefined) {
    // A shim that pretends to be Node answers something else, or takes long.
    version = promisify(execFile)(node, ['-v'], { timeout: 5_000, env: {} }).then(
      ({ stdout }) => /^v\d+\.\d+\.\d+\S*/.exec(stdout)?.[0],
      () => undefined,
    );
    versions.set(node, version);
  }
  return version;
}
