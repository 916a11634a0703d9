import { AgentGateError } from '../util/errors.ts';
import type { Authority, CurrentState } from './call-types.ts';
import { stateFingerprint, toolHash } from './fingerprint.ts';
import { type Proposal, stateOfProposal } from './proposals.ts';
import { type Claims, isProofOf } from './token.ts';

/**
 * Holds an approval against the call that is about to be sent. Gives its claims, or throws the code of the table in
 * `GATE.md` §3.
 *
 * @param sent - digest of the call that will be sent
 * @param used - nonces of approvals that carried out a call
 */
export function checkApproval(
  proposal: Proposal,
  authority: Authority,
  current: CurrentState,
  sent: string,
  used: { has(nonce: string): boolean },
): Claims {
  const { id } = proposal;
  const state = stateOfProposal(proposal, new Date());
  if (state === 'OUTCOME_UNKNOWN') throw outcomeUnknown(id);
  if (state === 'REJECTED')
    throw new AgentGateError('E_REJECTED', `${id} was rejected: ${proposal.rejection?.reason ?? ''}`);
  const claims = authority.kind === 'token' ? authority.claims : proposal.approval?.claims;
  if (claims === undefined || claims.pid !== id || proposal.approval === undefined)
    throw new AgentGateError('E_TOKEN_INVALID', `The token was not made for ${id}.`);
  if (used.has(claims.nonce) || proposal.start !== undefined)
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

function outcomeUnknown(id: string): AgentGateError {
  return new AgentGateError(
    'E_OUTCOME_UNKNOWN',
    `${id} was begun and its end is not known: it may have been carried out. It is never tried again by itself; look at the target, then close it with "agentgate gate reject ${id} --reason …".`,
  );
}

/** The error of an approval, or a proposal, under another policy. */
export function policyChanged(id: string): AgentGateError {
  return new AgentGateError(
    'E_POLICY_CHANGED',
    `The policy is not the one that ${id} was proposed under; the call has to be proposed again.`,
  );
}
