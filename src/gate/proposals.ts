import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { type EntryDraft, type LedgerEntry, sha256Jcs } from './ledger/entry.ts';
import type { Fold } from './ledger/ledger.ts';
import { type Owner, ownerOf, stateOf } from './ledger/owner.ts';
import type { Tier } from './policy.ts';
import { type Claims, claimsOf } from './token.ts';

export type ProposalState =
  | 'PENDING_APPROVAL'
  | 'APPROVED'
  | 'EXECUTED'
  | 'FAILED'
  | 'OUTCOME_UNKNOWN'
  | 'REJECTED'
  | 'EXPIRED';

/** A call that waits for a human, or that one has decided on. */
export interface Proposal {
  id: string;
  server: string;
  tool: string;
  /** As they would be sent; with `***` where a secret stood, see `redacted`. */
  arguments: JsonObject;
  /** The arguments held a secret, which no ledger keeps: only the agent can repeat the call. */
  redacted: boolean;
  payload_sha256: string;
  state_fingerprint: string;
  tool_hash: string;
  policy_sha256: string;
  tier: Tier;
  reason: string;
  codes: string[];
  created: string;
  approval?: { claims: Claims; proof: string; at: string };
  rejection?: { by: string; reason: string; at: string };
  start?: { nonce: string; owner: Owner | undefined; by: string; at: string };
  end?: {
    type: 'mutation_executed' | 'execution_failed' | 'proposal_expired';
    code?: string;
    message?: string;
    result?: Json;
    at: string;
  };
}

/** A proposal that nobody has decided on for a day is about a state that is gone. */
const PENDING_LIFE_MS = 24 * 3_600_000;

/** The state at a time. A start without an end whose process is gone has an unknown outcome. */
export function stateOfProposal(proposal: Proposal, now: Date): ProposalState {
  const { end, start, rejection, approval } = proposal;
  if (rejection !== undefined) return 'REJECTED';
  if (end?.type === 'mutation_executed') return 'EXECUTED';
  if (end?.type === 'proposal_expired') return 'EXPIRED';
  if (end?.type === 'execution_failed')
    return end.code === 'E_OUTCOME_UNKNOWN' ? 'OUTCOME_UNKNOWN' : 'FAILED';
  if (start !== undefined)
    return start.owner !== undefined && stateOf(start.owner) !== 'dead' ? 'APPROVED' : 'OUTCOME_UNKNOWN';
  if (approval !== undefined) return now.getTime() >= approval.claims.exp * 1000 ? 'EXPIRED' : 'APPROVED';
  return now.getTime() - Date.parse(proposal.created) >= PENDING_LIFE_MS ? 'EXPIRED' : 'PENDING_APPROVAL';
}

/** True while some process is carrying it out. */
export function isRunning(proposal: Proposal): boolean {
  const { start, end } = proposal;
  return (
    start !== undefined && end === undefined && start.owner !== undefined && stateOf(start.owner) !== 'dead'
  );
}

/** All proposals: a fold of the ledger, and no second store. Entries that do not fit the life of a proposal change nothing. */
export class Proposals implements Fold {
  private readonly byId = new Map<string, Proposal>();
  /** The newest of each payload. */
  private readonly byPayload = new Map<string, Proposal>();
  /** Nonces of approvals that were used. */
  readonly used = new Set<string>();

  apply(entry: LedgerEntry): void {
    const { type, proposal_id: id, payload } = entry;
    if (id === null) return;
    if (type === 'proposal_created') {
      const proposal = created(entry, id);
      if (proposal === undefined || this.byId.has(id)) return;
      this.byId.set(id, proposal);
      this.byPayload.set(proposal.payload_sha256, proposal);
      return;
    }
    if (type === 'execution_started') {
      const nonce = own(payload, 'nonce');
      if (typeof nonce === 'string') this.used.add(nonce);
    }
    const proposal = this.byId.get(id);
    if (proposal === undefined || entry.payload_sha256 !== proposal.payload_sha256) return;
    change(proposal, entry);
  }

  reset(): void {
    this.byId.clear();
    this.byPayload.clear();
    this.used.clear();
  }

  get(id: string): Proposal | undefined {
    return this.byId.get(id);
  }

  /** In the order of their creation. */
  all(): Proposal[] {
    return [...this.byId.values()];
  }

  /** The newest for this very call. */
  latestFor(payload_sha256: string): Proposal | undefined {
    return this.byPayload.get(payload_sha256);
  }
}

function change(proposal: Proposal, entry: LedgerEntry): void {
  const { type, payload, ts: at } = entry;
  const text = (key: string): string | undefined => {
    const value = own(payload, key);
    return typeof value === 'string' ? value : undefined;
  };
  if (proposal.rejection !== undefined || proposal.end?.type === 'mutation_executed') return;
  if (type === 'operator_rejected') {
    // An unknown outcome is closed by a human's rejection; anything else that ended stays as it ended.
    if (proposal.end !== undefined && proposal.end.code !== 'E_OUTCOME_UNKNOWN') return;
    proposal.rejection = { by: entry.actor, reason: text('reason') ?? '', at };
    return;
  }
  if (proposal.end !== undefined) return;
  if (type === 'operator_approved') {
    if (proposal.start !== undefined) return;
    const value = own(payload, 'claims');
    const claims = isObject(value) ? claimsOf(value) : undefined;
    if (claims !== undefined && claims.pid === proposal.id)
      proposal.approval = { claims, proof: text('proof') ?? '', at };
    return;
  }
  if (type === 'execution_started') {
    if (proposal.approval === undefined || proposal.start !== undefined) return;
    proposal.start = {
      nonce: text('nonce') ?? '',
      owner: ownerOf(own(payload, 'owner')),
      by: entry.actor,
      at,
    };
    return;
  }
  if (type === 'proposal_expired') {
    if (proposal.start === undefined) proposal.end = { type, at };
    return;
  }
  if (type !== 'mutation_executed' && type !== 'execution_failed') return;
  // A refused attempt is in the ledger, and leaves the proposal as it was.
  if (own(payload, 'refused') === true || proposal.start === undefined) return;
  proposal.end = { type, at };
  const [code, message, result] = [text('code'), text('message'), own(payload, 'result')];
  if (code !== undefined) proposal.end.code = code;
  if (message !== undefined) proposal.end.message = message;
  if (result !== undefined) proposal.end.result = result;
}

function created(entry: LedgerEntry, id: string): Proposal | undefined {
  const { payload, server } = entry;
  const text = (key: string): string | undefined => {
    const value = own(payload, key);
    return typeof value === 'string' ? value : undefined;
  };
  const [tool, state, hash, policy] = [
    text('tool'),
    text('state_fingerprint'),
    text('tool_hash'),
    text('policy_sha256'),
  ];
  const args = own(payload, 'arguments');
  const tier = own(payload, 'tier');
  const codes = own(payload, 'codes');
  if (server === null || tool === undefined || state === undefined || !isObject(args)) return undefined;
  if (hash === undefined || policy === undefined || (tier !== 0 && tier !== 1 && tier !== 2))
    return undefined;
  const redacted = own(payload, 'redacted') === true;
  if (!redacted && sha256Jcs({ server, tool, arguments: args }) !== entry.payload_sha256) return undefined;
  return {
    id,
    server,
    tool,
    arguments: args,
    redacted,
    payload_sha256: entry.payload_sha256,
    state_fingerprint: state,
    tool_hash: hash,
    policy_sha256: policy,
    tier,
    reason: text('reason') ?? '',
    codes: Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [],
    created: entry.ts,
  };
}

/** An entry of a proposal's life. */
export function draftFor(
  proposal: Pick<Proposal, 'id' | 'server' | 'payload_sha256'>,
  type: EntryDraft['type'],
  actor: string,
  payload: JsonObject,
): EntryDraft {
  return {
    type,
    proposal_id: proposal.id,
    server: proposal.server,
    actor,
    payload,
    payload_sha256: proposal.payload_sha256,
  };
}
