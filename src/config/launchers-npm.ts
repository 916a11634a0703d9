import { splitCommandLine } from './command-line.ts';
import { readOptions, valuesOf, wordSet } from './options.ts';
import type { Origin } from './origin.ts';
import { npmSpec } from './package-spec.ts';

/** What a launcher runs, and the arguments that this program gets. */
export interface Launched {
  origin: Origin;
  args: string[];
}

/** Options of npm that take no value (`@npmcli/config`, definitions of type Boolean), and its short forms of such. */
const NPM_FLAGS = wordSet(`
  all allow-same-version audit bin-links browser bypass-2fa color commit-hooks
  dangerously-allow-all-scripts description dev diff-ignore-all-space diff-name-only diff-no-prefix
  diff-text dry-run engine-strict expect-results force foreground-scripts format-package-lock fund
  git-tag-version global global-style if-present ignore-scripts include-staged include-workspace-root
  include-attestations init-private install-links json legacy-bundling legacy-peer-deps link long offline
  omit-lockfile-registry-resolved optional package-lock package-lock-only parseable allow-scripts-pending
  allow-scripts-pin prefer-dedupe prefer-offline prefer-online production progress provenance read-only
  rebuild-bundle save save-bundle save-dev save-exact save-optional save-peer save-prod packages-all
  shrinkwrap sign-git-commit sign-git-tag strict-peer-deps strict-allow-scripts strict-ssl timing unicode
  update-notifier usage version versions workspaces workspaces-update yes
  always-spawn ignore-existing shell-auto-fallback no-install quiet version help
  y q s d dd ddd v h H D E f g l N O B S a readonly silent verbose no P
`);

interface NpmWords {
  packages: string[];
  call?: string;
  /** What is no option. */
  words: string[];
}

/**
 * Reads npm's options as npx does: one that is no flag takes the next word, unless that is an option too. Stops at the
 * first other word, or with `anywhere` (npm itself) only at `--`.
 */
function npmOptions(words: readonly string[], anywhere: boolean): NpmWords {
  const found: NpmWords = { packages: [], words: [] };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--' || (!anywhere && !word.startsWith('-'))) {
      found.words.push(...words.slice(word === '--' ? i + 1 : i));
      break;
    }
    if (!word.startsWith('-')) {
      found.words.push(word);
      continue;
    }
    const at = word.indexOf('=');
    const key = word.slice(0, at < 0 ? undefined : at).replace(/^-+/, '');
    let value = at < 0 ? undefined : word.slice(at + 1);
    // In npm itself, -p is --parseable.
    const isPackage = key === 'package' || (key === 'p' && !anywhere);
    const isCall = key === 'call' || key === 'c';
    const isFlag = NPM_FLAGS.has(key) || key.startsWith('no-') || (key === 'p' && anywhere);
    const takesNext = isPackage || isCall || (!isFlag && !(words[i + 1] ?? '-').startsWith('-'));
    if (value === undefined && takesNext) value = words[++i];
    if (value === undefined) continue;
    if (isPackage) found.packages.push(value);
    if (isCall) found.call = value;
  }
  return found;
}

/** `npx …`. */
export function npx(words: readonly string[]): Launched | undefined {
  const { packages, call, words: rest } = npmOptions(words, false);
  return chosen(packages, call, rest);
}

/** `npm exec …`, `npm x …`; anything else of npm is the project's own. */
export function npm(words: readonly string[]): Launched | undefined {
  const { packages, call, words: rest } = npmOptions(words, true);
  return rest[0] === 'exec' || rest[0] === 'x' ? chosen(packages, call, rest.slice(1)) : undefined;
}

function chosen(packages: string[], call: string | undefined, rest: readonly string[]): Launched | undefined {
  const called = call === undefined ? [] : splitCommandLine(call);
  const [bin, ...args] = call === undefined ? rest : called;
  const [first] = packages;
  if (first !== undefined) return { origin: several(npmSpec(first), packages), args };
  return bin === undefined ? undefined : { origin: npmSpec(bin), args };
}

function several(origin: Origin, packages: string[]): Origin {
  return packages.length > 1 ? { ...origin, ambiguous: true } : origin;
}

/** `bunx …`, `bun x …`. */
export function bunx(words: readonly string[]): Launched | undefined {
  const parsed = readOptions(words, { values: wordSet('-p --package --registry --cwd --config -c') });
  return chosen(valuesOf(parsed, '-p', '--package'), undefined, parsed.rest);
}

const PNPM_VALUES = wordSet(
  '--package --allow-build --reporter --dir -C --registry --store-dir --filter -F --loglevel --config-dir --virtual-store-dir --cache-dir --state-dir --use-node-version',
);

/** `pnpm [options] dlx [options] …`, `pnpx …`, `pnpm exec …` (local). */
export function pnpm(words: readonly string[], dlx: boolean): Launched | undefined {
  const before = readOptions(words, { values: PNPM_VALUES });
  const packages = valuesOf(before, '--package');
  if (dlx) {
    const shell = before.options.some(({ name }) => name === '-c' || name === '--shell-mode');
    return chosen(packages, shell ? before.rest.join(' ') : undefined, before.rest);
  }
  const [command, ...rest] = before.rest;
  if (command !== 'dlx') return undefined;
  const after = readOptions(rest, { values: PNPM_VALUES });
  const shell = [...before.options, ...after.options].some(
    ({ name }) => name === '-c' || name === '--shell-mode',
  );
  return chosen(
    [...packages, ...valuesOf(after, '--package')],
    shell ? after.rest.join(' ') : undefined,
    after.rest,
  );
}

/** `yarn dlx …`. */
export function yarnDlx(words: readonly string[]): Launched | undefined {
  const parsed = readOptions(words, { values: wordSet('-p --package') });
  return chosen(valuesOf(parsed, '-p', '--package'), undefined, parsed.rest);
}

const DENO_VALUES = wordSet(
  '-c --config --import-map --lock --cert --location --seed --v8-flags --reload-from --log-level -L --env-file --node-modules-dir --ext --preload --vendor --minimum-dependency-age -e --entrypoint',
);

/** `deno run npm:…`, `deno x …`: npm, JSR and URLs; anything else is local. */
export function deno(words: readonly string[]): Launched | undefined {
  const [command, ...rest] =
    words[0] === 'run' || words[0] === 'x' || words[0] === 'serve' ? words : ['run', ...words];
  const parsed = readOptions(rest, { values: DENO_VALUES });
  const [target, ...args] = parsed.rest;
  if (target === undefined) return undefined;
  if (target.startsWith('npm:')) {
    // npm:/name@1, npm:@scope/name@1/bin
    const body = target.slice(4).replace(/^\//, '');
    const match = /^((?:@[^/]+\/)?[^/@]+(?:@[^/]+)?)/.exec(body);
    return { origin: npmSpec(match?.[1] ?? body), args };
  }
  if (/^https?:\/\//.test(target))
    return { origin: { type: 'url', package: target.replace(/[?#].*$/, '') }, args };
  if (target.startsWith('jsr:')) return { origin: { type: 'url', package: target }, args };
  if (command === 'x') return { origin: npmSpec(target), args };
  return { origin: { type: 'local', path: target }, args };
}
