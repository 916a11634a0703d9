import { basename, dirname, join, resolve } from 'node:path';
import { own } from '../util/json.ts';
import { readJsonFile } from '../util/json-file.ts';
import { programName } from './command-line.ts';
import { readOptions, valuesOf, wordSet } from './options.ts';
import { launchedProgram } from './source.ts';
import type { DeclaredServer } from './types.ts';

/** The name under which this product is published. */
const OWN_PACKAGE = '@agentgate/agentgate';

/** What an entry that starts AgentGate's proxy asks it for. */
export interface OwnLaunch {
  /** `--server`; absent when the entry forgot it. */
  server?: string;
  /** `--config`, as written; empty: every known file. */
  config: string[];
  /** `--cwd`, as written. */
  cwd?: string;
  allClients: boolean;
}

/** Options of `agentgate proxy` with a value; those of `--config` go on to the next option. */
const VALUES = wordSet('--server --listen --lockfile --cwd --timeout --isolation');

/**
 * What the entry asks for, when it starts `agentgate proxy` in the place of a server: by npx and its like, by its name, or
 * by a script of this package. Nothing is run. Undefined for every other entry.
 */
export function ownLaunch({ launch, root }: DeclaredServer): OwnLaunch | undefined {
  if (launch.transport !== 'stdio') return undefined;
  const program = launchedProgram(launch);
  if (program === undefined) return undefined;
  const { command, launched } = program;
  const { origin, args } = launched ?? {
    origin: { type: 'local' as const, path: command },
    args: program.args,
  };
  const isOwn =
    (origin.type === 'npm' && origin.package === OWN_PACKAGE) ||
    (launched === undefined && programName(command) === 'agentgate') ||
    (launched !== undefined && origin.type === 'local' && isOwnScript(root, origin.path));
  const { rest } = readOptions(args, { values: VALUES });
  if (!isOwn || rest[0] !== 'proxy') return undefined;
  return readProxyOptions(rest.slice(1));
}

function readProxyOptions(words: readonly string[]): OwnLaunch {
  const found: OwnLaunch = { config: [], allClients: false };
  let left = words;
  while (left.length > 0) {
    const parsed = readOptions(left, { values: VALUES });
    for (const { name, value } of parsed.options) {
      if (name === '--server') found.server = value;
      else if (name === '--cwd') found.cwd = value;
      else if (name === '--all-clients') found.allClients = true;
    }
    // Its values stand behind it as plain words.
    found.config.push(...valuesOf(parsed, '--config').filter((value) => value !== ''));
    const plain = parsed.rest.findIndex((word) => word.startsWith('-'));
    const end = plain < 0 ? parsed.rest.length : plain;
    if (parsed.options.at(-1)?.name === '--config') found.config.push(...parsed.rest.slice(0, end));
    left = parsed.rest.slice(end);
  }
  return found;
}

/** A script whose nearest `package.json` is this package's. */
function isOwnScript(root: string, path: string | undefined): boolean {
  if (path === undefined) return false;
  if (path.replaceAll('\\', '/').includes(`node_modules/${OWN_PACKAGE}/`)) return true;
  for (let folder = dirname(resolve(root, path)); ; folder = dirname(folder)) {
    const manifest = readJsonFile(join(folder, 'package.json'));
    if (manifest !== undefined) return own(manifest, 'name') === OWN_PACKAGE;
    if (folder === dirname(folder) || basename(folder) === 'node_modules') return false;
  }
}
