import { canonicalArguments } from '../gate/arguments.ts';
import { bindState } from '../gate/bind.ts';
import { NoCheckpoint } from '../gate/checkpoints/no-checkpoint.ts';
import { ReversibleCall } from '../gate/checkpoints/reversible.ts';
import { serverPlaces } from '../gate/checkpoints/server-places.ts';
import { payloadSha256 } from '../gate/fingerprint.ts';
import { loadVerifier } from '../gate/keys.ts';
import { refuseOperatorFiles } from '../gate/operator-files.ts';
import { isRunning, type Proposal } from '../gate/proposals.ts';
import { jsonContent, receiptOf, reportOf } from '../gate/receipt.ts';
import { assessCall, type Risk } from '../gate/risk.ts';
import type { GateStore } from '../gate/store.ts';
import { Witness } from '../gate/witness.ts';
import type { Workspace } from '../gate/workspace.ts';
import { hashOf } from '../lock/hash.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { ArgumentsChecker } from './args-client.ts';
import {
  answerOf,
  type CallLink,
  INPUT_REQUIRED,
  notPinned,
  outcomeOf,
  sameTool,
  send,
  sendRecorded,
  type ToolCall,
} from './call.ts';
import { carryOut } from './carry-out.ts';
import { type GivenInput, InputRequests } from './inputs.ts';
import { OWN_PREFIX } from './own-tools.ts';
import { modernMeta } from './revision.ts';
import type { VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';
import { within } from './within.ts';

/** Who the ledger says it was. */
export const ACTOR = 'agent';

/** A call as an agent's client makes it. */
export interface AgentLink extends CallLink {
  /** The client speaks 2026-07-28; what it declares of itself. */
  capabilities?: JsonObject;
  /** Of log messages that the client wants meanwhile; index of `LOG_LEVELS`. */
  level?: number;
  /** Input that comes with a call that is repeated. */
  input?: GivenInput;
}

/** Calls of the server's tools: judged, then forwarded, forwarded with a checkpoint, or held. */
export class ToolCalls {
  private readonly workspace: Workspace;
  private readonly upstream: Upstream;
  private readonly store: GateStore;
  private readonly server: string;
  private readonly checker = new ArgumentsChecker();
  private readonly inputs: InputRequests;

  constructor(workspace: Workspace, upstream: Upstream, store: GateStore) {
    this.workspace = workspace;
    this.upstream = upstream;
    this.store = store;
    this.server = upstream.target.context.server;
    this.inputs = new InputRequests(workspace.policy.gate.inputRequests.get(this.server) ?? new Set());
  }

  /** Readies what the first call needs. */
  warm(): void {
    this.checker.warm();
  }

  async end(): Promise<void> {
    await this.checker.end();
  }

  /** The answer of a tool, or a receipt. Throws `AgentGateError`s for all that is refused or failed. */
  async call(name: string, given: JsonObject, surface: VerifiedSurface, link: AgentLink): Promise<Json> {
    const tool = name.startsWith(OWN_PREFIX) ? undefined : surface.allowed.tools.get(name);
    if (tool === undefined) throw notPinned(name, surface);
    const args = canonicalArguments(given);
    const { gate } = this.workspace.policy;
    const schema = own(tool.definition, 'inputSchema') ?? {};
    await this.checker.check(`${hashOf(schema)} ${gate.closed}`, schema, args, gate.closed);
    refuseOperatorFiles(args, gate.approvals.keyFile);
    const risk = await assessCall(gate, this.server, tool.locked, args);
    const call: ToolCall = { raw: name, tool, arguments: args };
    if (link.input !== undefined) {
      refuseUnseenInput(risk);
      call.more = this.inputs.take(call, link.input);
    }
    if (risk.tier === 2) return await this.hold(call, risk, surface, link);
    if (risk.tier === 1) {
      try {
        return await this.reversible(call, risk, link);
      } catch (error) {
        if (!(error instanceof NoCheckpoint)) throw error;
        const held = { ...risk, tier: 2 as const, reason: `It could not be undone: ${error.message}.` };
        return await this.hold(call, held, surface, link);
      }
    }
    return await this.forward(call, risk, link);
  }

  /** Tier 0. */
  private async forward(call: ToolCall, risk: Risk, link: AgentLink): Promise<Json> {
    // Input is let in only where it could not change what the call was judged to be.
    const client = risk.rule.kind === 'tier' ? link.capabilities : undefined;
    const told = client === undefined ? {} : this.inputs.capabilities(client);
    const more: JsonObject = { ...call.more };
    if (this.upstream.era === 'modern') more._meta = modernMeta(told, link.level);
    const outcome = await within(link.signal, async (signal) => {
      const options = { ...link, signal, check: sameTool(call) };
      return outcomeOf(await (await send(this.upstream, { ...call, more }, options)).answer);
    });
    if (outcome.kind === 'failed' && outcome.code === INPUT_REQUIRED && client !== undefined) {
      const result = isObject(outcome.result) ? outcome.result : {};
      return this.inputs.pass(call, result, client);
    }
    return answerOf(outcome, '');
  }

  /** Tier 1: what would undo it is kept and recorded first. */
  private async reversible(call: ToolCall, risk: Risk, link: AgentLink): Promise<Json> {
    const { resolved, source, guarded } = this.upstream.target;
    const kept = await ReversibleCall.begin({
      ledger: this.store.ledger,
      gate: this.workspace.policy.gate,
      own: guarded,
      server: this.server,
      tool: call.tool.locked,
      arguments: call.arguments,
      rule: risk.rule,
      places: serverPlaces(resolved, source),
      actor: ACTOR,
    });
    const outcome = await sendRecorded(this.upstream, call, link, sameTool(call));
    if (outcome.kind === 'done') await kept.end();
    else await kept.end(outcome.kind === 'failed' ? outcome.code : 'E_OUTCOME_UNKNOWN');
    return answerOf(outcome, kept.id);
  }

  /** Tier 2: staged, unless this very call is approved; then that approval is consumed. */
  private async hold(call: ToolCall, risk: Risk, surface: VerifiedSurface, link: AgentLink): Promise<Json> {
    const { policy } = this.workspace;
    const tool = call.tool.locked;
    const args = call.arguments;
    this.store.ledger.refresh();
    const twin = this.store.proposals.latestFor(payloadSha256(this.server, tool, args));
    const state = twin === undefined ? undefined : this.store.state(twin);
    if (twin !== undefined) {
      if (isRunning(twin)) return jsonContent(reportOf(twin, 'APPROVED', true), true);
      if (state === 'APPROVED' || state === 'OUTCOME_UNKNOWN')
        return await this.consume(twin, args, risk, link);
      const since = Date.now() - Date.parse(twin.rejection?.at ?? '');
      if (state === 'REJECTED' && since < policy.gate.approvals.ttlMs)
        throw new AgentGateError(
          'E_REJECTED',
          `A human rejected this call: ${twin.rejection?.reason ?? ''} (${twin.id}). Do not repeat it unchanged.`,
        );
    }
    const extra = await bindState(risk.rule, this.upstream.target.declared.root, args);
    const current = { live: surface.live, policySha256: policy.sha256, extra };
    const staged = { server: this.server, tool, arguments: args, ...risk };
    const proposal = await this.store.stage(staged, current, ACTOR);
    const receipt = receiptOf(proposal);
    if (twin !== undefined && state === 'EXECUTED')
      receipt.message += ` An identical call was carried out before, as ${twin.id}.`;
    // A client checks answers against the output schema, but for errors.
    const strict = own(call.tool.definition, 'outputSchema') !== undefined;
    return jsonContent({ ...receipt }, strict);
  }

  private async consume(proposal: Proposal, args: JsonObject, risk: Risk, link: CallLink): Promise<Json> {
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
        link,
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
}

/**
 * Input comes after a call was judged by its arguments, no checkpoint knows it, and no operator sees it: it is for tools
 * alone that the policy gives tier 0 whatever their arguments are.
 */
function refuseUnseenInput({ rule, tier }: Risk): void {
  if (rule.kind === 'tier' && tier === 0) return;
  throw new AgentGateError(
    INPUT_REQUIRED,
    'This call cannot be continued with input: neither the policy nor an operator would see what it holds.',
  );
}
