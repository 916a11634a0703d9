import { randomBytes } from 'node:crypto';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { checkApproval, policyChanged } from './approval-check.ts';
import type { Authority, CurrentState, Outcome, StagedCall } from './call-types.ts';
import { endDrafts } from './endings.ts';
import { payloadSha256, stateFingerprint, toolHash } from './fingerprint.ts';
import { redactedJson } from './kept-result.ts';
import type { Signer } from './keys.ts';
import { type EntryDraft, NOT_RECORDABLE } from './ledger/entry.ts';
import { Ledger } from './ledger/ledger.ts';
import { ownerJson, thisProcess } from './ledger/owner.ts';
import {
  draftFor,
  isRunning,
  type Proposal,
  type ProposalState,
  Proposals,
  stateOfProposal,
} from './proposals.ts';
import { refuseUnreadable } from './readable.ts';
import { type RefusedAttempt, refusalDrafts, unknownDraft } from './refusals.ts';
import { approvalProof, type Claims, makeToken, newNonce } from './token.ts';

export type { Authority, CurrentState, Outcome, StagedCall } from './call-types.ts';

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

  /**
   * Stages a call, or gives the proposal of the very same call that is not decided yet. Throws as
   * `refuseUnreadable` does, and `E_TOO_MANY_PENDING`.
   */
  async stage(call: StagedCall, current: CurrentState, actor: string): Promise<Proposal> {
    refuseUnreadable(call.arguments);
    const digest = payloadSha256(call.server, call.tool, call.arguments);
    const fingerprint = stateFingerprint(current.live, call.tool, current.policySha256, current.extra);
    const args = redactedJson(call.arguments, this.redact) as JsonObject;
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
    return checkApproval(proposal, authority, current, sent, this.proposals.used);
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
    const { whole, bare } = endDrafts(proposal, outcome, actor, this.redact);
    try {
      await this.ledger.append(whole);
    } catch (error) {
      if (!(error instanceof AgentGateError) || error.code !== NOT_RECORDABLE) throw error;
      await this.ledger.append(bare);
    }
  }

  /** Records an attempt that was refused, once; not what the ledger itself is the cause of. It changes no proposal. */
  async refused(error: AgentGateError, actor: string, about: RefusedAttempt = {}): Promise<void> {
    if (this.recorded.has(error) || error.code.startsWith('E_LEDGER_')) return;
    this.recorded.add(error);
    await this.ledger.append(...refusalDrafts(error, actor, about, this.redact));
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
}
