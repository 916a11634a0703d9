import type { Launched } from './launchers-npm.ts';
import { type OptionTable, readOptions, valuesOf, wordSet } from './options.ts';
import { gitSpec, pypiSpec } from './package-spec.ts';

const UV_VALUES = wordSet(`
  --from --with --with-editable --with-requirements -w -c --constraint --constraints -b --build-constraint
  --build-constraints --overrides --env-file --python -p --python-platform --index --default-index -i --index-url
  --extra-index-url -f --find-links -P --upgrade-package --index-strategy --keyring-provider --resolution
  --prerelease --fork-strategy --exclude-newer --exclude-newer-package -C --config-setting --config-settings
  --config-settings-package --no-build-isolation-package --no-sources-package --reinstall-package --link-mode
  --refresh-package --cache-dir --python-preference --project --directory --config-file --allow-insecure-host
  --extra --group --no-group --only-group --no-extra --package --color --no-binary-package --no-build-package
  --torch-backend --lfs-path --python-fetch
`);
const UV: OptionTable = { values: UV_VALUES, attached: true };

/** `uvx …`, `uv tool run …`: `--from` names the package, else the word itself does. */
export function uvx(words: readonly string[]): Launched | undefined {
  const parsed = readOptions(words, UV);
  const [from] = valuesOf(parsed, '--from');
  const [target, ...args] = parsed.rest;
  if (from !== undefined) return { origin: pypiSpec(from), args };
  return target === undefined ? undefined : { origin: pypiSpec(target), args };
}

/** `uv tool run`, `uv x`, and `uv run`: what is run out of `--with p` is p; the rest of `uv run` is the project's. */
export function uv(words: readonly string[]): Launched | undefined {
  const global = readOptions(words, UV);
  const [command, ...rest] = global.rest;
  if (command === 'tool') {
    const tool = readOptions(rest, UV);
    return tool.rest[0] === 'run' ? uvx(tool.rest.slice(1)) : undefined;
  }
  if (command === 'x') return uvx(rest);
  if (command !== 'run') return undefined;
  const parsed = readOptions(rest, UV);
  const [target = '', ...args] = parsed.rest;
  const module = valuesOf(parsed, '-m', '--module').length > 0;
  const script =
    /\.pyw?$/.test(target) || parsed.options.some(({ name }) => name === '-s' || name === '--script');
  if (script) return { origin: { type: 'local', path: target }, args };
  const wanted = target.replace(/[-_.]+/g, '-').toLowerCase();
  const given = valuesOf(parsed, '--with', '-w')
    .flatMap((list) => splitList(list))
    .map(pypiSpec);
  const same = given.find(({ package: name }) => name === wanted);
  if (same) return { origin: same, args };
  // One package beside a program that is no interpreter: the program is taken to come from it.
  const [only] = given;
  if (only && given.length === 1 && !module && !/^(python|node|uvicorn|fastmcp)/.test(wanted))
    return { origin: only, args };
  const project =
    valuesOf(global, '--directory', '--project')[0] ?? valuesOf(parsed, '--directory', '--project')[0];
  return { origin: { type: 'local', path: project ?? target }, args };
}

function splitList(list: string): string[] {
  return list.split(/,(?![^[]*\])/).filter((part) => part.trim() !== '');
}

/** `pipx run …`. */
export function pipx(words: readonly string[]): Launched | undefined {
  const global = readOptions(words, { values: wordSet('') });
  if (global.rest[0] !== 'run') return undefined;
  const parsed = readOptions(global.rest.slice(1), {
    values: wordSet('--spec --python --index-url -i --pip-args --with --backend --fetch-python --path'),
  });
  const [spec] = valuesOf(parsed, '--spec');
  const [target, ...args] = parsed.rest;
  if (spec !== undefined) return { origin: pypiSpec(spec), args };
  if (target === undefined) return undefined;
  return { origin: target.startsWith('git+') ? gitSpec(target) : pypiSpec(target), args };
}
