import { isRunning } from '../gate/proposals.ts';
import { jsonContent, reportOf } from '../gate/receipt.ts';
import type { GateStore } from '../gate/store.ts';
import type { Workspace } from '../gate/workspace.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { type Json, type JsonObject, own } from '../util/json.ts';
import { Audience } from './audience.ts';
import { ACTOR, type AgentLink, ToolCalls } from './calls.ts';
import { DriftRecord } from './drift-record.ts';
import { isOperatorTool, OWN_PREFIX, OWN_TOOLS } from './own-tools.ts';
import { plainName } from './plain-names.ts';
import { Reads } from './reads.ts';
import { ServerNews } from './server-news.ts';
import { ServerState } from './server-state.ts';
import type { ListKey, VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';

/** What became of a request that was let through is no refusal. */
const SERVERS_OWN = new Set(['E_SERVER_ERROR', 'E_SERVER_EXIT', 'E_TIMEOUT', 'E_CANCELLED']);

/** Refused tools that `agentgate_status` names. */
const MAX_TOLD = 200;

/** What the agent's side may do. Everything that is refused is an `AgentGateError` with its code, and in the ledger. */
export class Gateway {
  readonly workspace: Workspace;
  readonly upstream: Upstream;
  readonly store: GateStore;
  readonly audience = new Audience();
  readonly state: ServerState;
  readonly server: string;
  private readonly calls: ToolCalls;
  private readonly reads: Reads;
  private readonly news: ServerNews;

  constructor(workspace: Workspace, upstream: Upstream, store: GateStore) {
    this.workspace = workspace;
    this.upstream = upstream;
    this.store = store;
    this.server = upstream.target.context.server;
    this.state = new ServerState(upstream);
    this.calls = new ToolCalls(workspace, upstream, store);
    this.reads = new Reads(upstream, this.state);
    this.news = new ServerNews(upstream, this.audience);
    const drift = new DriftRecord(store, this.server, workspace.lockSha256);
    upstream.events = {
      verified: async (surface) => {
        await drift.record(surface);
        this.audience.verified(surface);
      },
      connected: (connection) => this.state.connected(connection),
      notified: (method, params) => this.news.notified(method, params),
    };
  }

  /** Readies what the first call needs. */
  warm(): void {
    this.calls.warm();
  }

  async end(): Promise<void> {
    this.audience.end();
    this.news.end();
    this.state.end();
    await Promise.all([this.upstream.end(), this.calls.end()]);
  }

  async list(key: ListKey): Promise<JsonObject[]> {
    await this.refuseChangedFiles();
    const surface = await this.upstream.surface(true);
    const found = [...surface.allowed[key]]
      .filter(([name]) => key !== 'tools' || !name.startsWith(OWN_PREFIX))
      .map(([, { definition }]) => definition);
    return key === 'tools' ? [...found, ...OWN_TOOLS] : found;
  }

  /** Answers `tools/call`. */
  async callTool(name: string, args: JsonObject, link: AgentLink): Promise<Json> {
    return await this.recorded(name, async () => {
      if (name === 'agentgate_status') return jsonContent(await this.status());
      if (name === 'agentgate_result') return jsonContent(this.result(args));
      if (isOperatorTool(name))
        throw new AgentGateError(
          'E_PERM',
          `${JSON.stringify(name.slice(0, 100))} is for operators: the agent’s side has no such tool.`,
        );
      return await this.calls.call(name, args, await this.ready(link), link);
    });
  }

  /** Answers `prompts/get`. */
  async prompt(name: string, args: JsonObject | undefined, link: AgentLink): Promise<Json> {
    return await this.read(name, link, () => this.reads.prompt(name, args, link));
  }

  /** Answers `resources/read`. */
  async resource(uri: string, link: AgentLink): Promise<Json> {
    return await this.read(uri, link, () => this.reads.resource(uri, link));
  }

  /** Answers `completion/complete`. */
  async complete(params: JsonObject, link: AgentLink): Promise<Json> {
    return await this.read('completion', link, () => this.reads.complete(params, link));
  }

  /** Subscribes one client more to a resource. */
  async subscribe(uri: string, link: AgentLink): Promise<void> {
    await this.read(uri, link, () => this.reads.subscribe(uri));
  }

  private async read<T>(name: string, link: AgentLink, work: () => Promise<T>): Promise<T> {
    return await this.recorded(name, async () => {
      await this.ready(link);
      return await work();
    });
  }

  /**
   * The verified surface for a call. A client that has not begun is refused while the first verification is on its way;
   * one of 2026-07-28 begins nothing, and waits.
   */
  private async ready({ capabilities }: AgentLink): Promise<VerifiedSurface> {
    await this.refuseChangedFiles();
    if (this.upstream.pending && capabilities === undefined)
      throw new AgentGateError(
        'E_SURFACE_UNVERIFIED',
        `The surface of ${this.server} is not verified yet; list its tools first, then call.`,
      );
    return await this.upstream.surface();
  }

  /** What is refused goes into the ledger. */
  private async recorded<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AgentGateError && !SERVERS_OWN.has(error.code))
        await this.store.refused(error, ACTOR, { server: this.server, tool: name });
      throw error;
    }
  }

  /** What everything depends on: the ledger goes on, and lock and policy are those that this proxy was started with. */
  private async refuseChangedFiles(): Promise<void> {
    this.store.ledger.checkWritable();
    const path = await this.workspace.files.changed();
    if (path === undefined) return;
    const isLock = path === this.workspace.lockfile;
    throw new AgentGateError(
      isLock ? 'E_LOCK_CHANGED' : 'E_POLICY_CHANGED',
      `${path} is no longer what this proxy was started with, so that nothing is let through; have the change reviewed, then restart the proxy.`,
      { file: path },
    );
  }

  private async status(): Promise<JsonObject> {
    const status: JsonObject = { server: this.server, lock_sha256: this.workspace.lockSha256 };
    try {
      await this.refuseChangedFiles();
      const surface = await this.upstream.surface();
      status.verified = true;
      status.allowed = [...surface.allowed.tools.keys()];
      const { tools } = this.upstream.locked;
      status.refused = [...surface.refused.tools].slice(0, MAX_TOLD).map(([tool, why]) => ({
        tool: tools?.has(tool) === true ? tool : plainName(tool),
        why,
      }));
    } catch (error) {
      status.verified = false;
      status.error = error instanceof AgentGateError ? `${error.code}: ${error.message}` : messageOf(error);
    }
    this.store.ledger.refresh();
    status.waiting = this.store.proposals
      .all()
      .filter(
        (proposal) => proposal.server === this.server && this.store.state(proposal) === 'PENDING_APPROVAL',
      )
      .map(({ id, tool }) => ({ proposal_id: id, tool }));
    return status;
  }

  private result(args: JsonObject): JsonObject {
    const id = own(args, 'proposal_id');
    if (typeof id !== 'string') throw new AgentGateError('E_ARGS_INVALID', '"/proposal_id" must be a string');
    const proposal = this.store.find(id);
    if (proposal.server !== this.server)
      throw new AgentGateError('E_PROPOSAL_UNKNOWN', `There is no proposal ${id} of this server.`);
    return reportOf(proposal, this.store.state(proposal), isRunning(proposal));
  }
}
