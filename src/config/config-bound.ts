import { AgentGateError } from '../util/errors.ts';

/** All configs of a run together. A pull request could declare servers until no run ends. */
const MAX_SERVERS = 1_000;
const MAX_FILES = 1_000;
/** UTF-16 code units. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** More is declared than a run checks: `E_CONFIG_LIMIT`. It concerns the run, not one config. */
export class ConfigBoundError extends AgentGateError {
  constructor(what: string) {
    super(
      'E_CONFIG_LIMIT',
      `The configs here ${what}, more than one run checks; name fewer of them with "config", one run for each part.`,
    );
    this.name = 'ConfigBoundError';
  }
}

/** Counts what the configs of a run hold. */
export class ConfigBound {
  private servers = 0;
  private files = 0;
  private length = 0;

  /** To be told of each file's text. Throws {@link ConfigBoundError}. */
  take(length: number): void {
    this.files++;
    this.length += length;
    if (this.files > MAX_FILES) throw new ConfigBoundError(`are over ${MAX_FILES} files`);
    if (this.length > MAX_LENGTH) throw new ConfigBoundError('are over 16 MiB of text');
  }

  /** To be told of the entries of each file, broken ones included. Throws {@link ConfigBoundError}. */
  declare(servers: number): void {
    this.servers += servers;
    if (this.servers > MAX_SERVERS) throw new ConfigBoundError(`declare over ${MAX_SERVERS} servers`);
  }
}
