import { randomBytes } from 'node:crypto';
import { mapStrings } from '../lock/canonical.ts';
import type { LockedServer } from '../lock/types.ts';
import { AgentGateError } from '../util/errors.ts';
import type { Json, JsonObject } from '../util/json.ts';
import { payloadSha256, stateFingerprint, toolHash } from './fingerprint.ts';
import type { Signer, Verifier } from './keys.ts';
import type { EntryDraft, EntryType } from './ledger/entry.ts';
import { Ledger } from './ledger/ledger.ts';
import { ownerJson, thisProcess } from './ledger/owner.ts';
import type { Tier } from './policy.ts';
import {
  draftFor,
  isRunning,
  type Proposal,
  type ProposalState,
  Proposals,
  stateOfProposal,
} from './proposals.ts';
import { approvalProof, type Claims, isProofOf, makeToken, newNonce } from './token.ts';

/** What a call is about to meet: the live server, and the policy that is in force. */
export interface CurrentState {
  live: LockedServer;
  policySha256: string;
  /** What an adapter binds beside (git). */
  extra?: JsonObject;
}

/** A call, and why it may not simply be forwarded. */
export interface StagedCall {
  server: string;
  tool: string;
  arguments: JsonObject;
  tier: Tier;
  reason: string;
  codes: string[];
}

/** How a call that was carried out has ended. */
export type Outcome =
  | { kind: 'done'; result: Json }
  | { kind: 'failed'; code: string; message: string; result?: Json }
  /** It was sent, and what became of it is not known. */
  | { kind: 'unknown'; message: string };

/** By what right a proposal is carried out. */
export type Authority =
  /** A token whose form and signature are right. */
  | { kind: 'token'; claims: Claims }
  /** The approval in the ledger, for the agent that repeats the identical call. */
  | { kind: 'record'; verifier: Verifier };

/** Characters of a result that the ledger keeps for `agentgate_result`. */
const MAX_RESULT = 256 * 1024;
/** Calls of one server that may wait at a time: more would bury the one that matters. */
const MAX_WAITING = 100;

/** The proposals and the ledger that they are a fold of. */
export class GateStore {
  readonly ledger: Ledger;
  readonly proposals: Proposals;
  private readonly redact: (text: string) => string;
  private readonly recorded = new WeakSet<AgentGateError>();

  private constructor(ledger: Ledger, proposals: Proposals, redact: (text: string) => string) {
    this.ledger = ledger;
    this.proposals = proposals;
    this.redact = redact;
  }

  /** Opens the ledger, whole and checked. Throws as `Ledger.open` does. */
  static async open(
    path: string,
    options: { redact: (text: string) => string; notice?: (text: string) => void },
  ): Promise<GateStore> {
    const proposals = new Proposals();
    const ledger = await Ledger.open(path, {
      fold: proposals,
      ...(options.notice === undefined ? {} : { notice: options.notice }),
    });
    return new GateStore(ledger, proposals, options.redact);
  }

  /** The proposal of that id, or of the only one that begins so (eight digits at least). Throws `E_PROPOSAL_UNKNOWN`. */
  find(id: string): Proposal {
    this.ledger.refresh();
    const exact = this.proposals.get(id);
    if (exact !== undefined) return exact;
    const found = /^prop_[0-9a-f]{8,}$/.test(id)
      ? this.proposals.all().filter((proposal) => proposal.id.startsWith(id))
      : [];
    const [only, second] = found;
    if (only !== undefined && second === undefined) return only;
    throw new AgentGateError(
      'E_PROPOSAL_UNKNOWN',
      second === undefined
        ? `There is no proposal ${JSON.stringify(id.slice(0, 80))}; "agentgate gate list" shows those that wait.`
        : `Several proposals begin with ${id}; give more of the id.`,
    );
  }

  state(proposal: Proposal): ProposalState {
    return stateOfProposal(proposal, new Date());
  }

  /** Stages a call, or gives the proposal of the very same call that is not decided yet. */
  async stage(call: StagedCall, current: CurrentState, actor: string): Promise<Proposal> {
    const digest = payloadSha256(call.server, call.tool, call.arguments);
    const fingerprint = stateFingerprint(current.live, call.tool, current.policySha256, current.extra);
    const args = this.redacted(call.arguments) as JsonObject;
    const redacted = payloadSha256(call.server, call.tool, args) !== digest;
    let id = '';
    await this.ledger.commit(() => {
      const drafts: EntryDraft[] = [];
      const twin = this.proposals.latestFor(digest);
      if (twin !== undefined) {
        const open = this.state(twin) === 'PENDING_APPROVAL';
        if (open && twin.state_fingerprint === fingerprint) {
          id = twin.id;
          return drafts;
        }
        // What it was staged in is gone: it could be approved, but never carried out.
        if (open || (this.state(twin) === 'EXPIRED' && twin.end === undefined))
          drafts.push(
            draftFor(twin, 'proposal_expired', 'proxy', { reason: open ? 'state changed' : 'too old' }),
          );
      }
      const waiting = this.proposals
        .all()
        .filter((proposal) => proposal.server === call.server && this.state(proposal) === 'PENDING_APPROVAL');
      if (waiting.length >= MAX_WAITING)
        throw new AgentGateError(
          'E_TOO_MANY_PENDING',
          `${waiting.length} calls of ${call.server} wait for a human already; no more are staged before some are decided.`,
        );
      id = this.newId();
      drafts.push(
        draftFor({ id, server: call.server, payload_sha256: digest }, 'proposal_created', actor, {
          tool: call.tool,
          arguments: args,
          redacted,
          tier: call.tier,
          reason: call.reason,
          codes: call.codes,
          state_fingerprint: fingerprint,
          tool_hash: toolHash(current.live.tools?.get(call.tool)),
          policy_sha256: current.policySha256,
        }),
      );
      return drafts;
    });
    return this.known(id);
  }

  /**
   * Approves a proposal and gives its token. Throws `E_PROPOSAL_STATE` when it is not waiting, `E_POLICY_CHANGED` when
   * the policy is no longer the one that it was staged under.
   */
  async approve(
    id: string,
    signer: Signer,
    options: { operator: string; ttlMs: number; policySha256: string },
  ): Promise<{ token: string; claims: Claims }> {
    let claims: Claims | undefined;
    await this.ledger.commit(() => {
      const proposal = this.known(id);
      const state = this.state(proposal);
      if (isRunning(proposal) || (state !== 'PENDING_APPROVAL' && state !== 'APPROVED'))
        throw new AgentGateError(
          'E_PROPOSAL_STATE',
          `${id} cannot be approved: it is ${isRunning(proposal) ? 'being carried out' : state}.`,
        );
      if (proposal.policy_sha256 !== options.policySha256) throw policyChanged(id);
      const iat = Math.floor(Date.now() / 1000);
      claims = {
        pid: proposal.id,
        payload_sha256: proposal.payload_sha256,
        state_fingerprint: proposal.state_fingerprint,
        tool_hash: proposal.tool_hash,
        policy_sha256: proposal.policy_sha256,
        nonce: newNonce(),
        iat,
        exp: iat + Math.floor(options.ttlMs / 1000),
        op: options.operator,
      };
      const payload: JsonObject = { claims: { ...claims }, proof: approvalProof(claims, signer) };
      return [draftFor(proposal, 'operator_approved', `operator:${options.operator}`, payload)];
    });
    if (claims === undefined) throw new AgentGateError('E_INTERNAL', 'no claims were made');
    return { token: makeToken(claims, signer), claims };
  }

  /** Rejects a proposal; one with an unknown outcome is closed by that. Throws `E_PROPOSAL_STATE`. */
  async reject(id: string, reason: string, operator: string): Promise<void> {
    await this.ledger.commit(() => {
      const proposal = this.known(id);
      const state = this.state(proposal);
      if (isRunning(proposal) || !['PENDING_APPROVAL', 'APPROVED', 'OUTCOME_UNKNOWN'].includes(state))
        throw new AgentGateError(
          'E_PROPOSAL_STATE',
          `${id} cannot be rejected: it is ${isRunning(proposal) ? 'being carried out' : state}.`,
        );
      const drafts: EntryDraft[] = [];
      if (state === 'OUTCOME_UNKNOWN' && proposal.end === undefined) drafts.push(unknownDraft(proposal));
      drafts.push(
        draftFor(proposal, 'operator_rejected', `operator:${operator}`, { reason: this.redact(reason) }),
      );
      return drafts;
    });
  }

  /**
   * Checks an approval for the last time and consumes it, in one step that no other process can come between. When this
   * resolves, the start is on disk and the call must be sent, and {@link finish} be told of its end. Throws the code of
   * the table in `GATE.md` §3, which is recorded.
   *
   * @param sent - digest of the call that will be sent
   */
  async begin(
    id: string,
    authority: Authority,
    current: CurrentState,
    sent: string,
    actor: string,
  ): Promise<Proposal> {
    try {
      await this.ledger.commit(() => {
        const proposal = this.known(id);
        const claims = this.check(proposal, authority, current, sent);
        return [
          draftFor(proposal, 'execution_started', actor, {
            nonce: claims.nonce,
            owner: ownerJson(thisProcess()),
          }),
        ];
      });
    } catch (error) {
      if (error instanceof AgentGateError)
        await this.refused(error, actor, { proposal: this.proposals.get(id) });
      throw error;
    }
    return this.known(id);
  }

  /** As `begin` checks, without consuming anything. */
  check(proposal: Proposal, authority: Authority, current: CurrentState, sent: string): Claims {
    const { id } = proposal;
    const state = this.state(proposal);
    if (state === 'OUTCOME_UNKNOWN') throw outcomeUnknown(id);
    if (state === 'REJECTED')
      throw new AgentGateError('E_REJECTED', `${id} was rejected: ${proposal.rejection?.reason ?? ''}`);
    const claims = authority.kind === 'token' ? authority.claims : proposal.approval?.claims;
    if (claims === undefined || claims.pid !== id || proposal.approval === undefined)
      throw new AgentGateError('E_TOKEN_INVALID', `The token was not made for ${id}.`);
    if (this.proposals.used.has(claims.nonce) || proposal.start !== undefined)
      throw new AgentGateError(
        'E_TOKEN_USED',
        `The approval of ${id} was used before; one approval carries out one call.`,
      );
    if (claims.nonce !== proposal.approval.claims.nonce)
      throw new AgentGateError('E_TOKEN_INVALID', `${id} was approved again: only its newest token counts.`);
    if (authority.kind === 'record' && !isProofOf(claims, proposal.approval.proof, authority.verifier))
      throw new AgentGateError(
        'E_TOKEN_INVALID',
        `The approval of ${id} in the ledger was not made with the operator’s key.`,
      );
    const now = Date.now() / 1000;
    if (now >= claims.exp || state === 'EXPIRED')
      throw new AgentGateError(
        'E_TOKEN_EXPIRED',
        `The approval of ${id} has expired; the call has to be proposed again.`,
      );
    if (claims.iat > now + 60)
      throw new AgentGateError(
        'E_TOKEN_INVALID',
        `The approval of ${id} is from the future; check the clocks.`,
      );
    if (claims.payload_sha256 !== sent || proposal.payload_sha256 !== sent)
      throw new AgentGateError(
        'E_PAYLOAD_TAMPERED',
        `The arguments of ${id} are not those that were approved.`,
      );
    if (claims.policy_sha256 !== current.policySha256) throw policyChanged(id);
    const fingerprint = stateFingerprint(current.live, proposal.tool, current.policySha256, current.extra);
    if (
      claims.state_fingerprint !== fingerprint ||
      claims.tool_hash !== toolHash(current.live.tools?.get(proposal.tool))
    )
      throw new AgentGateError(
        'E_STATE_DRIFT',
        `The state has changed since ${id} was proposed (the server’s surface or source, or the working tree); the call has to be proposed again.`,
      );
    return claims;
  }

  /** Ends an approval that no longer fits, so that the call can be proposed anew. */
  async expire(proposal: Proposal, why: string): Promise<void> {
    await this.ledger.commit(() => {
      const { start, end, rejection } = this.known(proposal.id);
      if (start !== undefined || end !== undefined || rejection !== undefined) return [];
      return [draftFor(proposal, 'proposal_expired', 'proxy', { reason: why })];
    });
  }

  /** Records how a call that was begun has ended. */
  async finish(proposal: Proposal, outcome: Outcome, actor: string): Promise<void> {
    if (outcome.kind === 'unknown') {
      await this.ledger.append(unknownDraft(proposal, this.redact(outcome.message)));
      return;
    }
    const payload: JsonObject = {};
    if (outcome.kind === 'failed') {
      payload.code = outcome.code;
      payload.message = this.redact(outcome.message).slice(0, 2_000);
    }
    if (outcome.result !== undefined) payload.result = this.kept(outcome.result);
    const type: EntryType = outcome.kind === 'done' ? 'mutation_executed' : 'execution_failed';
    await this.ledger.append(draftFor(proposal, type, actor, payload));
  }

  /** True for an error that {@link refused} has recorded, or that the ledger itself is the cause of. */
  isRecorded(error: AgentGateError): boolean {
    return this.recorded.has(error) || error.code.startsWith('E_LEDGER_');
  }

  /** Records an attempt that was refused, once. It changes no proposal. */
  async refused(
    error: AgentGateError,
    actor: string,
    about: { proposal?: Proposal | undefined; server?: string; tool?: string } = {},
  ): Promise<void> {
    if (this.isRecorded(error)) return;
    this.recorded.add(error);
    const { proposal } = about;
    const payload: JsonObject = {
      refused: true,
      code: error.code,
      message: this.redact(error.message).slice(0, 1_000).toWellFormed(),
    };
    if (about.tool !== undefined) payload.tool = about.tool.slice(0, 200).toWellFormed();
    const drafts: EntryDraft[] = [];
    if (proposal === undefined)
      drafts.push({
        type: 'execution_failed',
        proposal_id: null,
        server: about.server ?? null,
        actor,
        payload,
      });
    else {
      drafts.push(draftFor(proposal, 'execution_failed', actor, payload));
      const unrecorded = proposal.end === undefined && proposal.rejection === undefined;
      if (unrecorded && error.code === 'E_TOKEN_EXPIRED' && this.state(proposal) === 'EXPIRED')
        drafts.push(draftFor(proposal, 'proposal_expired', 'ledger', { reason: 'the approval has expired' }));
      if (unrecorded && error.code === 'E_OUTCOME_UNKNOWN') drafts.push(unknownDraft(proposal));
    }
    await this.ledger.append(...drafts);
  }

  private known(id: string): Proposal {
    const proposal = this.proposals.get(id);
    if (proposal !== undefined) return proposal;
    throw new AgentGateError(
      'E_PROPOSAL_UNKNOWN',
      `There is no proposal ${JSON.stringify(id.slice(0, 80))}.`,
    );
  }

  private newId(): string {
    for (;;) {
      const id = `prop_${randomBytes(16).toString('hex')}`;
      if (this.proposals.get(id) === undefined) return id;
    }
  }

  /** A result as the ledger keeps it: without secrets, and cut when it is long. */
  private kept(result: Json): Json {
    const clean = this.redacted(result);
    const text = JSON.stringify(clean);
    if (text.length <= MAX_RESULT) return clean;
    return { truncated: true, characters: text.length, start: text.slice(0, MAX_RESULT).toWellFormed() };
  }

  private redacted(value: Json): Json {
    try {
      return mapStrings(value, (text) => this.redact(text).toWellFormed());
    } catch {
      return { redacted: true };
    }
  }
}

function unknownDraft(
  proposal: Proposal,
  message = 'it was begun, and its end was never recorded',
): EntryDraft {
  return draftFor(proposal, 'execution_failed', 'ledger', { code: 'E_OUTCOME_UNKNOWN', message });
}

export function outcomeUnknown(id: string): AgentGateError {
  return new AgentGateError(
    'E_OUTCOME_UNKNOWN',
    `${id} was begun and its end is not known: it may have been carried out. It is never tried again by itself; look at the target, then close it with "agentgate gate reject ${id} --reason …".`,
  );
}

function policyChanged(id: string): AgentGateError {
  return new AgentGateError(
    'E_POLICY_CHANGED',
    `The policy is not the one that ${id} was proposed under; the call has to be proposed again.`,
  );
}
