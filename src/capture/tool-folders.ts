import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { isWithin } from './mount-table.ts';

/**
 * Folders of version managers, relative to a home: with their `bin` or `shims` alone the programs do not run. None
 * of them holds credentials (`~/.cargo`, `~/.docker`, `~/.azure` do, and are not here).
 */
const MANAGERS =
  /^(\.nvm\/versions\/node\/[^/]+|\.(pyenv|volta|bun|deno|asdf|rbenv|nodenv|goenv|proto|jenv|fnm|n|dotnet|npm-global)|\.local\/share\/(fnm|mise|rtx|pnpm)|\.local\/state\/fnm_multishells\/[^/]+|\.sdkman\/candidates|(mini|ana)conda3|(mini|mamba)forge3?|mambaforge|n|go)(?=\/|$)/;

/** What programs in these folders need beside them. */
const COMPANIONS = [
  [
    '.local/bin',
    [
      '.local/share/uv/tools',
      '.local/share/uv/python',
      '.local/share/pipx/venvs',
      '.local/pipx/venvs',
      '.local/lib',
    ],
  ],
  ['.cargo/bin', ['.rustup/toolchains', '.rustup/settings.toml']],
  ['.local/share/mise/shims', ['.config/mise']],
] as const;

/**
 * The folders that the programs on the PATH live in, for those parts of the PATH that are hidden from servers (below
 * the real home or a temporary folder): they are shown again, read-only. `path` is the job's own PATH, never one that
 * a config sets.
 */
export function toolFolders(
  path: string,
  home: string | undefined,
  isHidden: (path: string) => boolean,
): string[] {
  const folders = new Set<string>();
  for (const entry of path.split(delimiter)) {
    if (!isAbsolute(entry) || !existsSync(entry) || !isHidden(entry)) continue;
    folders.add(entry);
    const inHome = home !== undefined && isWithin(entry, home) ? relative(home, entry) : undefined;
    if (inHome === '') folders.delete(entry);
    if (inHome === undefined || home === undefined) {
      // An installation's `bin` needs its `lib`; a lone `bin` in a temporary folder has nothing beside it.
      const prefix = dirname(entry);
      if (basename(entry) === 'bin' && existsSync(join(prefix, 'lib'))) folders.add(prefix);
      continue;
    }
    const manager = MANAGERS.exec(inHome)?.[0];
    if (manager !== undefined) folders.add(join(home, manager === 'go' ? 'go/bin' : manager));
    const prefix = dirname(inHome);
    // Node or Python unpacked somewhere below home.
    const isPrefix = prefix.includes('/') || !prefix.startsWith('.');
    if (
      prefix !== '.' &&
      isPrefix &&
      ['node', 'python3', 'uv'].some((name) => existsSync(join(entry, name)))
    ) {
      if (prefix !== '.local') folders.add(join(home, prefix));
    }
    for (const [bin, companions] of COMPANIONS) {
      if (inHome === bin) for (const companion of companions) folders.add(join(home, companion));
    }
  }
  return [...folders].filter((folder) => existsSync(folder));
}
