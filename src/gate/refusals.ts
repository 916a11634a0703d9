import type { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import type { EntryDraft } from './ledger/entry.ts';
import { draftFor, type Proposal, stateOfProposal } from './proposals.ts';

/** What was tried and refused: a proposal, or a call of a tool. */
export interface RefusedAttempt {
  proposal?: Proposal | undefined;
  server?: string;
  tool?: string;
}

/** The entries of an attempt that was refused; they change no proposal, but end one that is over anyway. */
export function refusalDrafts(
  error: AgentGateError,
  actor: string,
  about: RefusedAttempt,
  redact: (text: string) => string,
): EntryDraft[] {
  const { proposal } = about;
  const payload: JsonObject = {
    refused: true,
    code: error.code,
    message: redact(error.message).slice(0, 1_000).toWellFormed(),
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
    if (unrecorded && error.code === 'E_TOKEN_EXPIRED' && stateOfProposal(proposal, new Date()) === 'EXPIRED')
      drafts.push(draftFor(proposal, 'proposal_expired', 'ledger', { reason: 'the approval has expired' }));
    if (unrecorded && error.code === 'E_OUTCOME_UNKNOWN') drafts.push(unknownDraft(proposal));
  }
  return drafts;
}

/** The entry of a call that was begun and whose end nobody knows. */
export function unknownDraft(
  proposal: Proposal,
  message = 'it was begun, and its end was never recorded',
): EntryDraft {
  return draftFor(proposal, 'execution_failed', 'ledger', { code: 'E_OUTCOME_UNKNOWN', message });
}
