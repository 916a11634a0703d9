import type { ResolvedStdio } from '../config/types.ts';
import { fetchImage } from './docker-fetch.ts';
import { installByNpx } from './npx.ts';
import type { StartOptions } from './start-options.ts';
import { fetchByUv } from './uv-fetch.ts';

/** `DESIGN.md` §5: fetching a package is limited apart from starting and listing. Milliseconds. */
export const INSTALL_LIMIT_MS = 300_000;

export interface Installed {
  /** What to start: the launch as given, or the program that its launcher would run. */
  launch: ResolvedStdio;
  /** Milliseconds. */
  installMs: number;
  /** Facts for the report's notes. */
  notes: string[];
}

/**
 * Fetches what a server needs before it can start (npx, uvx, docker), and gives the launch to start. A launcher that
 * is absent or unknown, or whose arguments are not understood, falls through to the launch as given. The caller
 * limits it by `options.signal`. Throws `E_INSTALL` when the package cannot be fetched, with the launcher's stderr as
 * `cause.stderr`, and `E_FORBIDDEN_VARIABLE` as `startServer` does.
 */
export async function installServer(launch: ResolvedStdio, options: StartOptions): Promise<Installed> {
  const start = performance.now();
  const notes: string[] = [];
  const ready =
    (await installByNpx(launch, options, notes)) ??
    (await fetchByUv(launch, options, notes)) ??
    (await fetchImage(launch, options, notes)) ??
    launch;
  return {
    launch: ready,
    installMs: Math.round(performance.now() - start),
    notes,
  };
}
