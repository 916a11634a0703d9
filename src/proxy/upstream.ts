import type { Answer } from '../capture/session.ts';
import type { Isolation } from '../capture/types.ts';
import { resolveServer } from '../config/expand.ts';
import { launchRecord } from '../config/launch-record.ts';
import { loadConfigs } from '../config/load.ts';
import { serverPolicy } from '../config/policy.ts';
import { deriveSource } from '../config/source.ts';
import type { DeclaredServer, Policy, ResolvedServer, Source } from '../config/types.ts';
import { compareLaunch } from '../drift/launch.ts';
import type { Lock, LockedServer } from '../lock/types.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { createRedactor } from '../util/redact.ts';
import { type Connection, type ConnectOptions, connect } from './connection.ts';
import { type SurfaceContext, type VerifiedSurface, verifySurface } from './surface.ts';

export interface UpstreamOptions {
  cwd: string;
  server: string;
  config?: string[];
  allClients: boolean;
  isolation: Isolation;
  timeoutMs?: number;
  env: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 60_000;
const INSTALL_TIMEOUT_MS = 300_000;

/** The declared server of a key, resolved, and its reviewed entry. */
export interface Target {
  declared: DeclaredServer;
  resolved: ResolvedServer;
  context: SurfaceContext;
  source: Source;
  redact: (text: string) => string;
}

/**
 * Finds the declared server of a key and its entry in the lock. Throws `E_UNKNOWN_SERVER`, `E_SERVER_SKIPPED`,
 * `E_NOT_IN_LOCK`, and what configs and variables throw.
 */
export async function loadTarget(options: UpstreamOptions, policy: Policy, lock: Lock): Promise<Target> {
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
      `no config declares a server with the key ${JSON.stringify(key)}; declared are: ${known}`,
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
  };
}

/**
 * The one server behind a proxy: started when first needed, verified before anything is sent to it, verified again when
 * it says that a list changed, and started again after it ended.
 */
export class Upstream {
  readonly target: Target;
  private readonly options: UpstreamOptions;
  private connection: Connection | undefined;
  private verified: VerifiedSurface | undefined;
  private verifying: Promise<VerifiedSurface> | undefined;
  private ended = false;

  constructor(target: Target, options: UpstreamOptions) {
    this.target = target;
    this.options = options;
  }

  get locked(): LockedServer {
    return this.target.context.locked;
  }

  /** The surface, if it is verified and nothing has happened since. Never waits. */
  get current(): VerifiedSurface | undefined {
    if (this.connection === undefined || this.connection.session.changed.size > 0) return undefined;
    return this.verified;
  }

  /** True while the first verification is on its way. */
  get pending(): boolean {
    return this.verified === undefined && this.verifying !== undefined;
  }

  /** The verified surface; with `again` it is read anew in any case. Throws when it cannot be verified. */
  async surface(again = false): Promise<VerifiedSurface> {
    if (!again && this.current !== undefined) return this.current;
    // One that is on its way may have begun before the change that the caller knows of.
    if (again) await this.verifying?.catch(() => {});
    this.verifying ??= this.verify().finally(() => {
      this.verifying = undefined;
    });
    return await this.verifying;
  }

  /** Sends a request; the surface must have been verified. Throws what the session throws. */
  async request(method: string, params: JsonObject, signal: AbortSignal): Promise<Answer> {
    const { connection } = this;
    if (connection === undefined) throw new AgentGateError('E_SERVER_EXIT', 'the server is not running');
    try {
      return await connection.session.request(
        method,
        { ...params, ...connection.handshake.requestMeta },
        signal,
      );
    } catch (error) {
      if (error instanceof AgentGateError && error.code !== 'E_TIMEOUT') await this.drop(connection);
      throw error;
    }
  }

  get listsChanged(): boolean {
    return (this.connection?.session.changed.size ?? 0) > 0;
  }

  async end(): Promise<void> {
    this.ended = true;
    const { connection } = this;
    if (connection !== undefined) await this.drop(connection);
  }

  private async verify(): Promise<VerifiedSurface> {
    const { context, source } = this.target;
    // A command that nobody reviewed is not even started.
    const fields = compareLaunch(context.locked, { launch: context.launch, source, extra: {} });
    if (fields.length > 0)
      throw new AgentGateError(
        'E_TOOL_NOT_PINNED',
        `server ${context.server} is not started: what its config launches is not what was reviewed (${fields.map((field) => `${field.pointer}: ${field.class}`).join(', ')}); review it with "agentgate ci"`,
      );
    if (this.connection === undefined) {
      const connection = await connect(
        this.target.declared,
        this.target.resolved.launch,
        this.connectOptions(),
      );
      if (this.ended) {
        await connection.end();
        throw new AgentGateError('E_ABORTED', 'the proxy was stopped');
      }
      this.connection = connection;
      void connection.exited.then(() => this.drop(connection));
    }
    const { connection } = this;
    try {
      connection.session.changed.clear();
      this.verified = await verifySurface(connection, context);
      // Some servers say it with every listing, and have been read until twice the same.
      connection.session.changed.clear();
      return this.verified;
    } catch (error) {
      this.verified = undefined;
      await this.drop(connection);
      throw error;
    }
  }

  private connectOptions(): ConnectOptions {
    return {
      timeoutMs: this.options.timeoutMs ?? TIMEOUT_MS,
      installTimeoutMs: INSTALL_TIMEOUT_MS,
      isolation: this.options.isolation,
      policy: this.target.context.policy,
      source: this.target.source,
      env: this.options.env,
    };
  }

  private async drop(connection: Connection): Promise<void> {
    if (this.connection === connection) {
      this.connection = undefined;
      this.verified = undefined;
    }
    await connection.end();
  }
}
