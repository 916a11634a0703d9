import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { workingDirectory } from '../../cli/shared.ts';
import { Operator } from '../../proxy/operator.ts';
import { logSafe } from '../../util/log-safe.ts';

/** The options of the operator's commands, as commander gives them. */
export type GateOptions = Omit<CommonOptions, 'format'> & {
  all?: boolean;
  json?: boolean;
  reason?: string;
  token?: string;
  dryRun?: boolean;
  operator?: boolean;
  listen?: string;
  once?: boolean;
};

/** The operator's side of the working directory that the options name. Throws as `Operator.open` does. */
export function openOperator(io: Io, options: GateOptions): Promise<Operator> {
  return Operator.open({
    cwd: workingDirectory(io, options as CommonOptions),
    lockfile: options.lockfile,
    config: options.config,
    allClients: options.allClients === true,
    isolation: options.isolation ?? 'auto',
    env: io.env,
    notice: (text) => io.stderr.write(`agentgate: ${logSafe(text)}\n`),
  });
}
