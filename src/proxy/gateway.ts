import { bindState } from '../gate/bind.ts';
import { NoCheckpoint } from '../gate/checkpoints/no-checkpoint.ts';
import { ReversibleCall } from '../gate/checkpoints/reversible.ts';
import { serverPlaces } from '../gate/checkpoints/server-places.ts';
import { payloadSha256 } from '../gate/fingerprint.ts';
import { loadVerifier } from '../gate/keys.ts';
import { isRunning, type Proposal } from '../gate/proposals.ts';
import { jsonContent, receiptOf, reportOf } from '../gate/receipt.ts';
import { assessCall, type Risk } from '../gate/risk.ts';
import type { GateStore } from '../gate/store.ts';
import { Witness } from '../gate/witness.ts';
import type { Workspace } from '../gate/workspace.ts';
import { canonicalJson } from '../lock/canonical.ts';
import { hashOf } from '../lock/hash.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { ArgumentsChecker } from './args-client.ts';
import { answerOf, CALL_MS, carryOut, sendCall } from './carry-out.ts';
import { isOperatorTool, OWN_PREFIX, OWN_TOOLS } from './own-tools.ts';
import { describeChange, type ListKey, type VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';
import { matchesTemplate } from './uri-template.ts';

const ACTOR = 'agent';

/** What the agent's side may do. Everything that is refused is an `AgentGateError` with its code. */
export class Gateway {
  readonly workspace: Workspace;
  readonly upstream: Upstream;
  readonly store: GateStore;
  private readonly server: string;
  private readonly checker = new ArgumentsChecker();
  /** Of the drift that is in the ledger already. */
  private recordedDrift = '';

  constructor(workspace: Workspace, upstream: Upstream, store: GateStore) {
    this.workspace = workspace;
    this.upstream = upstream;
    this.store = store;
    this.server = upstream.target.context.server;
  }

  /** Readies what the first call needs. */
  warm(): void {
    this.checker.warm();
  }

  async end(): Promise<void> {
    await Promise.all([this.upstream.end(), this.checker.end()]);
  }

  /** The verified surface; drift goes into the ledger. */
  async surface(again = false): Promise<VerifiedSurface> {
    const surface = await this.upstream.surface(again);
    await this.recordDrift(surface);
    return surface;
  }

  async list(key: ListKey): Promise<JsonObject[]> {
    await this.refuseChangedFiles();
    const surface = await this.surface(true);
    const found = [...surface.allowed[key]]
      .filter(([name]) => key !== 'tools' || !name.startsWith(OWN_PREFIX))
      .map(([, { definition }]) => definition);
    return key === 'tools' ? [...found, ...OWN_TOOLS] : found;
  }

  /** Answers `tools/call`. */
  async callTool(name: string, args: JsonObject, signal: AbortSignal): Promise<Json> {
    try {
      if (name === 'agentgate_status') return jsonContent(await this.status());
      if (name === 'agentgate_result') return jsonContent(this.result(args));
      if (isOperatorTool(name))
        throw new AgentGateError(
          'E_PERM',
          `${JSON.stringify(name.slice(0, 100))} is for operators: the agent’s side has no such tool.`,
        );
      await this.refuseChangedFiles();
      return await this.callServerTool(name, args, signal);
    } catch (error) {
      if (error instanceof AgentGateError)
        await this.store.refused(error, ACTOR, { server: this.server, tool: name });
      throw error;
    }
  }

  /** Answers `prompts/get` and `resources/read`, which follow the lock as tools do. */
  async read(
    method: 'prompts/get' | 'resources/read',
    name: string,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<Json> {
    await this.refuseChangedFiles();
    const surface = await this.verifiedNow();
    const key: ListKey = method === 'prompts/get' ? 'prompts' : 'resources';
    const templates = key === 'resources' ? [...surface.allowed.resourceTemplates.keys()] : [];
    const allowed =
      surface.allowed[key].has(name) ||
      (!surface.refused[key].has(name) && templates.some((template) => matchesTemplate(template, name)));
    if (!allowed) {
      const why = surface.refused[key].get(name) ?? 'is not in the lock';
      const word = key === 'prompts' ? 'Prompt' : 'Resource';
      const error = new AgentGateError(
        'E_NOT_PINNED',
        `${word} ${JSON.stringify(name.slice(0, 200))} ${why}`,
      );
      await this.store.refused(error, ACTOR, { server: this.server, tool: name });
      throw error;
    }
    const answer = await this.upstream.request(
      method,
      params,
      AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    );
    if (answer.ok) return answer.result;
    throw new AgentGateError(
      'E_SERVER_ERROR',
      `the server answered with an error: ${answer.error.message.slice(0, 500)}`,
    );
  }

  private async callServerTool(name: string, given: JsonObject, signal: AbortSignal): Promise<Json> {
    const surface = await this.verifiedNow();
    const tool = name.startsWith(OWN_PREFIX) ? undefined : surface.allowed.tools.get(name);
    if (tool === undefined) throw notPinned(name, surface);
    const args = reserialised(given);
    const { gate } = this.workspace.policy;
    const schema = own(tool.definition, 'inputSchema') ?? {};
    await this.checker.check(`${hashOf(schema)} ${gate.closed}`, schema, args, gate.closed);
    const risk = await assessCall(gate, this.server, tool.locked, args);
    if (risk.tier === 2) return await this.hold(tool.locked, args, risk, surface, signal);
    if (risk.tier === 1) {
      try {
        return await this.reversible(name, tool.locked, args, risk, signal);
      } catch (error) {
        if (!(error instanceof NoCheckpoint)) throw error;
        const held = { ...risk, tier: 2 as const, reason: `It could not be undone: ${error.message}.` };
        return await this.hold(tool.locked, args, held, surface, signal);
      }
    }
    return answerOf(await sendCall(this.upstream, name, args, within(signal)), undefined);
  }

  /** Tier 1: what would undo it is kept and recorded first. */
  private async reversible(
    raw: string,
    tool: string,
    args: JsonObject,
    risk: Risk,
    signal: AbortSignal,
  ): Promise<Json> {
    const { resolved, source } = this.upstream.target;
    const call = await ReversibleCall.begin({
      ledger: this.store.ledger,
      gate: this.workspace.policy.gate,
      cwd: this.workspace.cwd,
      server: this.server,
      tool,
      arguments: args,
      rule: risk.rule,
      places: serverPlaces(resolved, source),
      actor: ACTOR,
    });
    const outcome = await sendCall(this.upstream, raw, args, within(signal));
    if (outcome.kind === 'done') await call.end();
    else await call.end(outcome.kind === 'failed' ? outcome.code : 'E_OUTCOME_UNKNOWN');
    return answerOf(outcome, call.id);
  }

  /** Tier 2: staged, unless this very call is approved; then that approval is consumed. */
  private async hold(
    tool: string,
    args: JsonObject,
    risk: Risk,
    surface: VerifiedSurface,
    signal: AbortSignal,
  ): Promise<Json> {
    const { policy } = this.workspace;
    this.store.ledger.refresh();
    const twin = this.store.proposals.latestFor(payloadSha256(this.server, tool, args));
    const state = twin === undefined ? undefined : this.store.state(twin);
    if (twin !== undefined) {
      if (isRunning(twin)) return jsonContent(reportOf(twin, 'APPROVED', true), true);
      if (state === 'APPROVED' || state === 'OUTCOME_UNKNOWN')
        return await this.consume(twin, args, risk, signal);
      const since = Date.now() - Date.parse(twin.rejection?.at ?? '');
      if (state === 'REJECTED' && since < policy.gate.approvals.ttlMs)
        throw new AgentGateError(
          'E_REJECTED',
          `A human rejected this call: ${twin.rejection?.reason ?? ''} (${twin.id}). Do not repeat it unchanged.`,
        );
    }
    const extra = await bindState(risk.rule, this.upstream.target.declared.root, args);
    const current = {
      live: surface.live,
      policySha256: policy.sha256,
      ...(extra === undefined ? {} : { extra }),
    };
    const call = { server: this.server, tool, arguments: args, ...risk };
    const proposal = await this.store.stage(call, current, ACTOR);
    const receipt = receiptOf(proposal);
    if (twin !== undefined && state === 'EXECUTED')
      receipt.message += ` An identical call was carried out before, as ${twin.id}.`;
    // A client checks answers against the output schema, but for errors.
    const strict = own(surface.allowed.tools.get(tool)?.definition ?? {}, 'outputSchema') !== undefined;
    return jsonContent({ ...receipt }, strict);
  }

  private async consume(
    proposal: Proposal,
    args: JsonObject,
    risk: Risk,
    signal: AbortSignal,
  ): Promise<Json> {
    const { policy, cwd } = this.workspace;
    const { keyFile, algorithm } = policy.gate.approvals;
    const verifier = loadVerifier(keyFile, algorithm, cwd);
    // An approval whose use was cut out of the ledger looks new.
    const witness = new Witness(keyFile, policy.gate.ledger);
    await witness.check();
    try {
      const outcome = await carryOut({
        store: this.store,
        upstream: this.upstream,
        proposal,
        authority: { kind: 'record', verifier },
        args,
        policySha256: policy.sha256,
        extra: () => bindState(risk.rule, this.upstream.target.declared.root, args),
        actor: ACTOR,
        signal: within(signal),
      });
      return answerOf(outcome, proposal.id);
    } catch (error) {
      if (error instanceof AgentGateError) {
        if (['E_STATE_DRIFT', 'E_POLICY_CHANGED', 'E_TOKEN_INVALID'].includes(error.code))
          await this.store.expire(proposal, error.code);
      }
      throw error;
    } finally {
      // Not everywhere may the proxy write there.
      await witness.remember().catch(() => {});
    }
  }

  /** The verified surface for a call: a first verification that is still on its way is not waited for. */
  private async verifiedNow(): Promise<VerifiedSurface> {
    if (this.upstream.pending)
      throw new AgentGateError(
        'E_SURFACE_UNVERIFIED',
        `The surface of ${this.server} is not verified yet; list its tools first, then call.`,
      );
    return await this.surface();
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

  private async recordDrift(surface: VerifiedSurface): Promise<void> {
    const { changes } = surface;
    const digest =
      changes.length === 0
        ? ''
        : JSON.stringify(changes.map((change) => [change.name, describeChange(change)]));
    if (digest === this.recordedDrift) return;
    this.recordedDrift = digest;
    if (changes.length === 0) return;
    await this.store.ledger.append({
      type: 'lock_drift_seen',
      proposal_id: null,
      server: this.server,
      actor: 'proxy',
      payload: {
        lock_sha256: this.workspace.lockSha256,
        changes: changes.slice(0, 100).map((change) => ({
          kind: change.kind,
          name: change.name.slice(0, 200).toWellFormed(),
          change: change.change,
          what: describeChange(change).slice(0, 500).toWellFormed(),
        })),
        count: changes.length,
      },
    });
  }

  private async status(): Promise<JsonObject> {
    const status: JsonObject = { server: this.server, lock_sha256: this.workspace.lockSha256 };
    try {
      await this.refuseChangedFiles();
      const surface = await this.surface();
      status.verified = true;
      status.allowed = [...surface.allowed.tools.keys()];
      const refused: JsonObject[] = [];
      for (const [name, why] of surface.refused.tools) refused.push({ tool: name, why });
      status.refused = refused;
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

function within(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
}

/** The arguments with every key once, in one order: what is checked, hashed, shown and sent is this. */
function reserialised(args: JsonObject): JsonObject {
  let text: string;
  try {
    text = canonicalJson(args);
  } catch (error) {
    throw new AgentGateError('E_ARGS_INVALID', `The arguments have no canonical form: ${messageOf(error)}`);
  }
  const copy: unknown = JSON.parse(text);
  if (!isObject(copy)) throw new AgentGateError('E_ARGS_INVALID', 'The arguments are no object.');
  return copy;
}

function notPinned(name: string, surface: VerifiedSurface): AgentGateError {
  const shown = JSON.stringify(name.slice(0, 200).toWellFormed());
  const why = surface.blocked ?? surface.refused.tools.get(name);
  return new AgentGateError(
    'E_TOOL_NOT_PINNED',
    why === undefined ? `Unknown tool ${shown}: it is not in the lock.` : `Tool ${shown} ${why}`,
  );
}
