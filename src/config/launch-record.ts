import { homedir } from 'node:os';
import { byCodeUnit } from '../util/order.ts';
import { slashed } from '../util/paths.ts';
import { maskPaths, type PathMask } from './mask-paths.ts';
import { redactArguments, redactUrls } from './redact-launch.ts';
import type { DeclaredServer, LaunchRecord } from './types.ts';

export interface RecordOptions {
  /** Absolute working directory. */
  cwd: string;
  /** Absolute home folder; this user's when absent. */
  home?: string;
  /** Names of the variables that had a value (`ResolvedServer.variables`). */
  variables: readonly string[];
  /** Takes out what looks like a secret, in any text. */
  redact: (text: string) => string;
}

/**
 * What the lock keeps of a launch: the declared form before expansion. Secrets, header values, values of variables,
 * user-info and query strings are left out, host paths are `${CWD}` and `${HOME}`; names are sorted, those of headers
 * in lower case.
 */
export function launchRecord(declared: DeclaredServer, options: RecordOptions): LaunchRecord {
  const { launch } = declared;
  const masks: PathMask[] = [
    { path: options.cwd, name: 'CWD' },
    { path: options.home ?? homedir(), name: 'HOME' },
  ];
  const clean = (text: string): string => maskPaths(options.redact(redactUrls(text)), masks);
  const record: LaunchRecord = {};
  const names = new Set(options.variables);
  if (launch.transport === 'stdio') {
    const [command = '', ...args] = redactArguments([launch.command, ...launch.args]);
    record.command = clean(command);
    record.args = args.map(clean);
    if (launch.cwd !== undefined && launch.cwd !== declared.root) record.cwd = slashed(clean(launch.cwd));
    for (const name of launch.env.keys()) names.add(name);
  } else {
    record.url = clean(launch.url);
    const headers = [...launch.headers.keys(), ...launch.variableHeaders.keys()];
    if (launch.bearerTokenVariable !== undefined) headers.push('authorization');
    const lower = new Set(headers.map((name) => name.toLowerCase()));
    if (lower.size > 0) record.headers = [...lower].sort(byCodeUnit);
  }
  if (names.size > 0) record.env = [...names].sort(byCodeUnit);
  return record;
}
