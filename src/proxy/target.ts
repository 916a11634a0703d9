import { resolve } from 'node:path';
import type { Isolation } from '../capture/types.ts';
import { resolveServer } from '../config/expand.ts';
import { launchRecord } from '../config/launch-record.ts';
import { loadConfigs } from '../config/load.ts';
import { serverPolicy } from '../config/policy.ts';
import { deriveSource } from '../config/source.ts';
import type { DeclaredServer, Policy, ResolvedServer, Source } from '../config/types.ts';
import type { Lock } from '../lock/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { createRedactor } from '../util/redact.ts';
import type { SurfaceContext } from './surface.ts';

export interface UpstreamOptions {
  cwd: string;
  server: string;
  config?: string[];
  allClients: boolean;
  isolation: Isolation;
  timeoutMs?: number;
  env: NodeJS.ProcessEnv;
}

/** The declared server of a key, resolved, and its reviewed entry. */
export interface Target {
  declared: DeclaredServer;
  resolved: ResolvedServer;
  context: SurfaceContext;
  source: Source;
  redact: (text: string) => string;
  /** What decides about the server, and is not its to change. Absolute. */
  guarded: string[];
}

/**
 * Finds the declared server of a key and its entry in the lock. Throws `E_UNKNOWN_SERVER`, `E_SERVER_SKIPPED`,
 * `E_NOT_IN_LOCK`, and what configs and variables throw. `own`: files of the gate itself.
 */
export async function loadTarget(
  options: UpstreamOptions,
  policy: Policy,
  lock: Lock,
  own: readonly string[],
): Promise<Target> {
  const { server: key } = options;
  const configs = await loadConfigs(options);
  const declared = configs.servers.find((server) => server.key === key);
  if (declared === undefined) {
    const problem = configs.errors.find((error) => error.server === key) ?? configs.errors[0];
    if (problem !== undefined)
      throw new AgentGateError(problem.code, problem.message, { file: problem.file, line: problem.line });
    const known = configs.servers.map((server) => server.key).join(', ') || 'none';
    throw new AgentGateError(
      'E_UNKNOWN_SERVER',
      `No config declares a server with the key ${JSON.stringify(key)}; declared are: ${known}`,
    );
  }
  const rules = serverPolicy(policy, key);
  const skipped = rules.skip ?? declared.disabled;
  if (skipped !== undefined)
    throw new AgentGateError(
      'E_SERVER_SKIPPED',
      `server ${key} is not checked, so it is not used: ${skipped}`,
    );
  const locked = lock.servers.get(key);
  if (locked === undefined)
    throw new AgentGateError(
      'E_NOT_IN_LOCK',
      `the lock has no entry for the server ${key}: run "agentgate lock ${key}" and have it reviewed`,
    );
  const resolved = resolveServer(declared, { env: options.env, policy: rules, cwd: options.cwd });
  const redact = createRedactor(resolved.secrets);
  const launch = launchRecord(declared, { cwd: options.cwd, variables: resolved.variables, redact });
  const source = deriveSource(declared.launch, { root: declared.root });
  return {
    declared,
    resolved,
    context: {
      server: key,
      policy: rules,
      launch,
      config: declared.config,
      locked,
      secrets: resolved.secretNames,
    },
    source,
    redact,
    guarded: [...own, ...configs.files.map((file) => resolve(options.cwd, file))],
  };
}
