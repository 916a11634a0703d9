import type { JobEnvironment } from './environment.ts';
import type { PrivateFolders } from './private-folders.ts';
import type { Isolation } from './types.ts';

/** How one server is to be started, beside its launch. */
export interface StartOptions {
  /** Key of the server, for messages. */
  server: string;
  /** Private HOME and TMPDIR; several starts of one server may share them. The caller removes them. */
  folders: PrivateFolders;
  isolation: Isolation;
  /** The project's folder: what a server may see of a hidden home. Default: the launch's `cwd`. */
  root?: string;
  /** Folders in which what the server writes stays. Default: none; its working directory is a throw-away layer. */
  keeps?: string[];
  /** Files and folders in those that it may not change, beside the project's own (`agentgate.lock`, …). Absolute. */
  guarded?: readonly string[];
  /** `pass-env`, `home` and `network` of the policy. */
  passEnv?: string[];
  home?: 'private' | 'inherit';
  network?: 'inherit' | 'none';
  /** The job's environment. Default: `process.env`. */
  job?: JobEnvironment;
  /** Aborts what is being fetched. */
  signal?: AbortSignal;
}
