import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isObject, type JsonObject, own } from '../util/json.ts';
import type { NpmInstallation } from './npm-installation.ts';
import type { NpxCall } from './npx-args.ts';
import { readJson } from './npx-folder.ts';

export interface NpxEnvironmentInput {
  npm: NpmInstallation;
  call: NpxCall;
  /** The environment that npx itself would get. */
  env: Map<string, string>;
  /** `node_modules/.bin` of the npx folder. */
  binFolder: string;
  /** Name of the program in it. */
  bin: string;
  cwd: string;
}

/**
 * What npx adds to the environment of the program that it runs, PATH included (npm 11: `@npmcli/config`'s
 * `set-envs.js`, `@npmcli/run-script`'s `set-path.js` and `package-envs.js`).
 */
export function npxEnvironment(input: NpxEnvironmentInput): Map<string, string> {
  const { npm, call, env, cwd } = input;
  const home = env.get('HOME') ?? '';
  const prefix = localPrefix(cwd);
  const added = new Map<string, string>([
    ['npm_config_user_agent', userAgent(npm)],
    ['npm_config_noproxy', env.get('NO_PROXY') ?? env.get('no_proxy') ?? ''],
    ['npm_config_userconfig', join(home, '.npmrc')],
    ['npm_config_globalconfig', join(npm.prefix, 'etc', 'npmrc')],
    ['npm_config_init_module', join(home, '.npm-init.js')],
    ['npm_config_prefix', npm.prefix],
    ['npm_config_global_prefix', npm.prefix],
    ['npm_config_local_prefix', prefix],
    ['npm_config_npm_version', npm.version],
    ['npm_config_node_gyp', join(npm.root, 'node_modules/node-gyp/bin/node-gyp.js')],
    ['npm_execpath', join(npm.root, 'bin/npm-cli.js')],
    ['npm_node_execpath', npm.node],
    ['NODE', npm.node],
    ['npm_command', 'exec'],
    ['npm_lifecycle_event', 'npx'],
    ['npm_lifecycle_script', `'${input.bin}'`],
    ['npm_package_json', join(cwd, 'package.json')],
    ['INIT_CWD', cwd],
    ['PWD', cwd],
    ['COLOR', '0'],
    ['EDITOR', env.get('EDITOR') ?? env.get('VISUAL') ?? 'vi'],
  ]);
  // Exported empty by the releases that know a policy for scripts.
  if (existsSync(join(npm.root, 'node_modules/libnpmexec/lib/strict-allow-scripts-preflight.js'))) {
    added.set('npm_config_allow_scripts', '');
  }
  for (const file of [join(npm.prefix, 'etc', 'npmrc'), join(prefix, '.npmrc')]) addConfigFile(added, file);
  for (const [name, value] of call.config) added.set(name, value);
  addPackage(added, readJson(join(prefix, 'package.json')));
  // What is set already counts for npm as well, and it leaves it as it is.
  for (const [name, value] of env) if (/^npm_config_/i.test(name)) added.set(name, value);
  added.set('HOME', home);
  added.set('PATH', npxPath(input));
  return added;
}

/** Every `node_modules/.bin` from the working directory up, behind the folder's own and before the rest. */
function npxPath({ npm, env, binFolder, cwd }: NpxEnvironmentInput): string {
  const folders = [binFolder];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '.bin'));
    if (folder === dirname(folder)) break;
  }
  folders.push(join(npm.root, 'node_modules/@npmcli/run-script/lib/node-gyp-bin'));
  return [...folders, env.get('PATH') ?? ''].join(delimiter);
}

function userAgent(npm: NpmInstallation): string {
  return `npm/${npm.version} node/${npm.nodeVersion} ${process.platform} ${process.arch} workspaces/false`;
}

/** npm's local prefix: the nearest folder going up with a `package.json` or `node_modules`, else the folder itself. */
export function localPrefix(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** Plain settings of an npmrc; credentials, scopes and references to variables are left out. */
function addConfigFile(added: Map<string, string>, file: string): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return;
  }
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([a-z][a-z-]*)\s*=\s*(.*?)\s*$/.exec(line);
    const [, key = '', value = ''] = match ?? [];
    if (key === '' || value.includes('${') || /^_|auth|password|token/i.test(key)) continue;
    added.set(`npm_config_${key.replaceAll('-', '_')}`, value.replace(/^"(.*)"$/, '$1'));
  }
}

/** Members of the project's manifest that npm hands to scripts. */
function addPackage(added: Map<string, string>, manifest: JsonObject | undefined): void {
  if (manifest === undefined) return;
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number' || value === true)
      added.set(name, String(value));
    else if (value === null || value === false) added.set(name, '');
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) add(`${name}_${index}`, item);
    else if (isObject(value)) for (const key of Object.keys(value)) add(`${name}_${key}`, own(value, key));
  };
  const bin = own(manifest, 'bin');
  for (const key of ['name', 'version', 'config', 'engines'] as const)
    add(`npm_package_${key}`, own(manifest, key));
  const plain = String(own(manifest, 'name') ?? '').replace(/^@[^/]+\//, '');
  add('npm_package_bin', typeof bin === 'string' ? { [plain]: bin } : bin);
}
